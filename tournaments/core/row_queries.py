"""The rows of an event, read without model instances, and how players left."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, TypeVar

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from config.transaction import one_moment
from rules.events.lifecycle import departure_of, was_played
from rules.results import PlayerId
from tournaments.core.names import marks_of
from tournaments.core.rows import (
    ClockRow,
    DecisionRow,
    EntryRow,
    GroupRow,
    MatchRow,
    RoundRow,
    SeatRow,
)
from tournaments.models import (
    Draw,
    Entry,
    Event,
    Group,
    Match,
    MatchSeat,
    Round,
    Stage,
)

PENALTY_CRITERION = "fewest_penalties"
Own = TypeVar("Own", Stage, Draw)

ENTRY = EntryRow._fields[:-2]  # mark and departure are no columns
GROUP = ("pk", "stage_id", "number", "name")
SEAT = ("seats__number", "seats__entry_id", "seats__struck_at")
ROUND = (
    *("pk", "event_id", "stage_id", "number", "ordinal", "state"),
    *("drafted_at", "published_at", "apart", "level", "cost"),
)
CLOCK = tuple(f"clock__{name}" for name in ClockRow._fields)
MATCH = (*MatchRow._fields[:-3], "extensions__minutes")  # seats and decision are no columns
DECISION = (
    "decision_id",
    *(name if name.endswith("_text") else f"decision__{name}" for name in DecisionRow._fields[1:]),
)


def _matches(**which: int) -> QuerySet[Match, tuple[Any, ...]]:
    """Return the matches by number; a table that got extra time several times has as many rows.

    JSON comes as text, as most of it is never read.
    """
    found = Match.objects.filter(**which).annotate(
        reason_text=Cast("reason", TextField()),
        earlier_text=Cast("earlier", TextField()),
        absent_text=Cast("absent", TextField()),
        games_text=Cast("decision__games", TextField()),
        places_text=Cast("decision__places", TextField()),
        marks_text=Cast("decision__marks", TextField()),
    )
    return found.order_by("round", "number").values_list(*MATCH, *DECISION)


@dataclass(frozen=True, kw_only=True)
class EventRows:
    """The rows of an event, drafts included; ``groups`` by stage, ``matches`` by round.

    ``penalties`` are (player's number, moment) pairs, read only where they rank players.
    """

    entries: tuple[EntryRow, ...]
    stages: tuple[Stage, ...]
    groups: Mapping[int, tuple[GroupRow, ...]]
    rounds: tuple[RoundRow, ...]
    matches: Mapping[int, tuple[MatchRow, ...]]
    draws: tuple[Draw, ...]
    penalties: tuple[tuple[int, datetime], ...]

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """Return players' numbers by key of the entry."""
        return {entry.pk: entry.number for entry in self.entries}

    @cached_property
    def withdrawn(self) -> frozenset[PlayerId]:
        """Return the numbers of the players who have left."""
        left = (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED)
        return frozenset(entry.number for entry in self.entries if entry.status in left)

    @property
    def lots(self) -> tuple[Draw, ...]:
        """Return the draws that are drawings of lots."""
        return tuple(draw for draw in self.draws if draw.kind == Draw.Kind.LOTS)

    def penalties_until(self, moment: datetime | None) -> dict[PlayerId, int]:
        """Return the number of penalties by player at a moment; None counts all of them."""
        given = (number for number, at in self.penalties if moment is None or at <= moment)
        return dict(Counter[PlayerId](given))


@one_moment()
def load_rows(event: Event) -> EventRows:
    """Return the rows of an event; seven queries, one more where penalties rank players."""
    counted = PENALTY_CRITERION in event.criteria
    return EventRows(
        entries=entry_rows(event.pk),
        stages=_with_event(event, event.stages.order_by("number")),
        groups=group_rows(event.pk),
        rounds=round_rows(event.pk),
        matches=match_rows(event.pk),
        draws=_with_event(event, event.draws.order_by("number")),
        penalties=tuple(event.penalties.values_list("entry__number", "at")) if counted else (),
    )


def _with_event(event: Event, rows: Iterable[Own]) -> tuple[Own, ...]:
    """Return rows that know their event without a query."""
    found = tuple(rows)
    for row in found:
        row.event = event
    return found


def entry_rows(event_id: int) -> tuple[EntryRow, ...]:
    """Return the players of an event by number, with their marks; one query."""
    rows = Entry.objects.filter(event=event_id).order_by("number").values_list(*ENTRY)
    found = [EntryRow._make((*row, "", "")) for row in rows]
    marks = marks_of(found)
    return tuple(
        row._replace(mark=marks[row.number]) if row.number in marks else row for row in found
    )


def group_rows(event_id: int) -> dict[int, tuple[GroupRow, ...]]:
    """Return the groups with their seats, by key of their stage; one query."""
    seats: dict[tuple[Any, ...], list[SeatRow]] = {}
    rows = Group.objects.filter(stage__event=event_id).order_by("number", "pk", "seats__number")
    for *group, number, entry, struck_at in rows.values_list(*GROUP, *SEAT):
        seated = seats.setdefault(tuple(group), [])
        if number is not None:
            seated.append(SeatRow(entry, struck_at is not None))
    groups: dict[int, tuple[GroupRow, ...]] = defaultdict(tuple)
    for (key, stage, number, name), found in seats.items():
        groups[stage] += (GroupRow(key, stage, number, name, tuple(found)),)
    return dict(groups)


def round_rows(event_id: int) -> tuple[RoundRow, ...]:
    """Return the rounds in the order of play with their clocks; one query."""
    rows = Round.objects.filter(event=event_id).order_by("ordinal").values_list(*ROUND, *CLOCK)
    return tuple(
        RoundRow._make((*row[: len(ROUND)], None if clock[0] is None else ClockRow._make(clock)))
        for row in rows
        for clock in [row[len(ROUND) :]]
    )


Seats = Mapping[int, tuple[int, ...]]
"""The keys of the players in the order of their seats, by key of the match."""


def match_rows(event_id: int) -> dict[int, tuple[MatchRow, ...]]:
    """Return the matches by key of their round, in order of their numbers; two queries."""
    seats: dict[int, tuple[int, ...]] = {}
    seated = MatchSeat.objects.filter(match__round__event=event_id).order_by("match_id", "number")
    for key, entry in seated.values_list("match", "entry"):
        seats[key] = (*seats.get(key, ()), entry)
    return _by_round(_matches(round__event=event_id), seats)


def match_rows_of(event_id: int, ordinal: int, seats: Seats) -> tuple[MatchRow, ...]:
    """Return the matches of one round; one query."""
    found = _by_round(_matches(round__event=event_id, round__ordinal=ordinal), seats)
    return next(iter(found.values()), ())


def _by_round(rows: Iterable[tuple[Any, ...]], seats: Seats) -> dict[int, tuple[MatchRow, ...]]:
    """Return rows of matches by round; raises ValueError for a match without players."""
    matches: dict[int, list[MatchRow]] = {}
    made, own = MatchRow._make, len(MATCH)
    for row in rows:
        if row[0] not in seats:
            raise ValueError(f"Match {row[0]} has no players.")
        known, minutes = matches.setdefault(row[1], []), row[own - 1] or 0
        if known and known[-1].pk == row[0]:
            minutes += known.pop().extra_minutes
        decision = None if row[own] is None else DecisionRow._make(row[own:])
        known.append(made((*row[: own - 1], minutes, seats[row[0]], decision)))
    return {key: tuple(found) for key, found in matches.items()}


Entries = TypeVar("Entries", bound=Iterable[Entry])


def entries_of(rows: EventRows, *, started: bool) -> dict[PlayerId, EntryRow]:
    """Return the players by number; those who withdrew say how they left, once it has started.

    Before the start only what was said counts, as nobody could play yet.
    """
    gone = {entry.pk: entry for entry in rows.entries if entry.status == Entry.Status.WITHDRAWN}
    played = (
        _who_played(rows) if started and not all(e.left for e in gone.values()) else frozenset()
    )
    told = {
        entry.number: entry._replace(
            departure=departure_of(entry.left, played=key in played)
            if started or entry.left
            else ""
        )
        for key, entry in gone.items()
    }
    return {entry.number: told.get(entry.number, entry) for entry in rows.entries}


def _who_played(rows: EventRows) -> frozenset[int]:
    """Return the keys of the players who have played a match."""
    found = set[int]()
    for matches in rows.matches.values():
        for match in matches:
            made = match.decision
            if made and was_played(made.ended_by, scored=made.is_scored):
                found.update(match.seats)
    return frozenset(found)


def tell_departures(entries: Entries, known: Mapping[PlayerId, EntryRow]) -> Entries:
    """Give players read as models how they left, as rows of ``entries_of`` know it; return them."""
    for entry in entries:
        entry.departure = known[entry.number].departure if entry.number in known else ""
    return entries
