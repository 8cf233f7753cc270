"""Rows of an event as frozen values, read without model instances, and how players left.

They have the names of the models' columns and cost a tenth of model instances to make. A service
that changes a row fetches its instance by ``pk``.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from config.transaction import read_snapshot
from rules.events.lifecycle import classify_departure, was_played
from rules.results import PlayerId
from tournaments.core.names import compute_name_marks
from tournaments.models import (
    Draw,
    Entry,
    Event,
    Group,
    Match,
    MatchSeat,
    Report,
    Round,
    RoundClock,
    Stage,
)
from tournaments.models.entry import status_label
from tournaments.models.play import replay_schedule, tied_player_sets


class EntryRow(NamedTuple):
    """A player's columns, without those of the account.

    ``left``: stored reason of a player who dropped, "" for none; ``departure``: how they left, as
    it is displayed. ``mark`` tells players with the same name apart (`compute_name_marks`).
    """

    pk: int
    event_id: int
    number: int
    name: str
    name_key: str
    club: str
    seed: int | None
    status: str
    submission_id: int | None
    deck_open_until: datetime | None
    fixed_table: int | None
    surname: str = ""
    fee_paid: bool = False
    return_asked_at: datetime | None = None
    return_refused_at: datetime | None = None
    left: str = ""
    byes: int = 0
    waiting_since: datetime | None = None
    mark: str = ""
    departure: str = ""

    def __str__(self) -> str:
        return self.display_name

    @property
    def display_name(self) -> str:
        """Return the name as it is shown, with its mark if several players have it."""
        return f"{self.name} ({self.mark})" if self.mark else self.name

    @property
    def club_beside(self) -> str:
        return "" if self.mark == self.club else self.club

    @property
    def plays(self) -> bool:
        """Return whether the player is active."""
        return self.status in (Entry.Status.REGISTERED, Entry.Status.CHECKED_IN)

    def get_status_display(self) -> str:
        """Return the status in the reader's language; of a no-show, that."""
        return status_label(self.status, self.departure)


class DecidingReportRow(NamedTuple):
    """The report that decides a match.

    The fields ending in ``_text`` hold JSON, "" or None for none.
    """

    pk: int
    kind: str
    winner: str
    score_a: int | None
    score_b: int | None
    games_text: str
    games_a: int | None
    games_b: int | None
    games_drawn: int | None
    ended_by: str
    tie_break: str
    by_decision: bool
    places_text: str | None = None
    marks_text: str | None = None

    @property
    def places(self) -> list[int | None] | None:
        """Return the place of each seat at a multiplayer table."""
        return json.loads(self.places_text) if self.places_text else None

    @property
    def marks(self) -> dict[str, str] | None:
        """Return the marks of seats at a multiplayer table, by number of the seat."""
        return json.loads(self.marks_text) if self.marks_text else None

    @property
    def games(self) -> list[str]:
        """Return the winner of each game, in order."""
        return [] if self.games_text == "[]" else list(json.loads(self.games_text))

    @property
    def is_scored(self) -> bool:
        return self.score_a is not None or self.games_a is not None


class MatchRow(NamedTuple):
    """A match with its deciding report and its table's time extension.

    ``seats``: primary keys of its entries in seat order. ``draws``: the match may end drawn.
    ``missed``: the player missed this round. ``version`` counts its reports.
    """

    pk: int
    round_id: int
    group_id: int
    number: int
    table: int | None
    leg: int
    best_of: int
    draws: bool
    version: int
    state: str
    reason_text: str
    earlier_text: str
    absent_text: str
    missed: bool
    extra_minutes: int
    seats: tuple[int, ...]
    decision: DecidingReportRow | None

    @property
    def size(self) -> int:
        """Return the number of seats."""
        return len(self.seats)

    @property
    def reason(self) -> dict[str, Any]:
        """Return why the two were paired; empty in a schedule."""
        return {} if self.reason_text == "{}" else dict(json.loads(self.reason_text))

    @property
    def by_hand(self) -> bool:
        """Return whether people paired the two; reads the reason only where it may say so."""
        return '"by_hand"' in self.reason_text and bool(self.reason.get("by_hand"))

    @property
    def put_up(self) -> dict[str, Any]:
        """Return what a correction said of when and where the match is played; usually empty."""
        return (
            replay_schedule(json.loads(self.earlier_text)) if '"again"' in self.earlier_text else {}
        )

    @property
    def again(self) -> int | None:
        """Return before which round a correction put the match up again, 0 for now, else None."""
        return self.put_up.get("again")

    @property
    def plays_at(self) -> int | None:
        """Return the table where it is played: beside a later round another than in its own."""
        table: int | None = self.put_up.get("table", self.table)
        return table

    @property
    def seats_before(self) -> list[int]:
        """Return the numbers of those who had the seats before they were others'; usually empty."""
        earlier = [] if self.earlier_text == "[]" else json.loads(self.earlier_text)
        return list(earlier[-1]["seats"]) if earlier else []

    @property
    def version_before(self) -> int:
        """Return the last version of reports of players who sat here before; usually 0."""
        earlier = [] if self.earlier_text == "[]" else json.loads(self.earlier_text)
        return int(earlier[-1]["until"]) if earlier else 0

    @property
    def absent(self) -> list[int]:
        """Return the numbers of those who did not come to a multiplayer table."""
        return [] if self.absent_text == "[]" else list(json.loads(self.absent_text))

    def get_state_display(self) -> str:
        """Return the state in the reader's language."""
        return str(Match.State(self.state).label)


class ClockRow(NamedTuple):
    """The columns of a round's timer; see ``RoundClock``."""

    minutes: int
    state: str
    used: float
    since: datetime | None
    ticks: float | None
    machine: str
    version: int


class GroupRow(NamedTuple):
    """A group of a stage with its seats in order."""

    pk: int
    stage_id: int
    number: int
    name: str
    seats: tuple["SeatRow", ...]


class SeatRow(NamedTuple):
    """A seat of a group.

    ``entry_id`` None: empty. ``struck``: all its matches are void.
    """

    entry_id: int | None
    struck: bool


class RoundRow(NamedTuple):
    """A round with its timer, None if never started.

    ``number`` is that in the stage, ``ordinal`` in the event. ``apart``: pairs of players that a
    Swiss round avoided; ``level``: the tied players of a round of tiebreaker matches, else empty;
    ``cost``: seating cost of a round of multiplayer tables.
    """

    pk: int
    event_id: int
    stage_id: int
    number: int
    ordinal: int
    state: str
    drafted_at: datetime
    published_at: datetime | None
    apart: list[list[int]]
    level: list[Any]
    cost: dict[str, Any] | None
    clock: "ClockRow | None"

    @property
    def is_extra(self) -> bool:
        """Return whether this is a round of tiebreaker matches, outside the schedule of the
        stage."""
        return bool(self.level)

    @property
    def level_sets(self) -> tuple[tuple[int, ...], ...]:
        """Return the sets of level players of a round of tiebreaker matches; else empty."""
        return tied_player_sets(self.level)


MatchAddress = tuple[int, int]
"""The ordinal of a match's round and its number there: how public pages find it."""
AnyEntry = Entry | EntryRow
AnyMatch = Match | MatchRow
AnyReport = Report | DecidingReportRow
AnyRound = Round | RoundRow
AnyClock = RoundClock | ClockRow


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
    *(
        name if name.endswith("_text") else f"decision__{name}"
        for name in DecidingReportRow._fields[1:]
    ),
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
    """All rows of an event, drafts included.

    ``groups``: by the stage's primary key; ``matches``: by the round's. ``penalties``: (player
    number, time), loaded only if penalties rank players.
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


@read_snapshot()
def load_rows(event: Event) -> EventRows:
    """Return the rows of an event; seven queries, eight if penalties rank players."""
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
    """Return an event's players by number, ``mark`` set on equal names.

    One query.
    """
    rows = Entry.objects.filter(event=event_id).order_by("number").values_list(*ENTRY)
    found = [EntryRow._make((*row, "", "")) for row in rows]
    marks = compute_name_marks(found)
    return tuple(
        row._replace(mark=marks[row.number]) if row.number in marks else row for row in found
    )


def group_rows(event_id: int) -> dict[int, tuple[GroupRow, ...]]:
    """Return {stage primary key: groups with their seats}; one query."""
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
    """Return an event's rounds with their timers, in order of play; one query."""
    rows = Round.objects.filter(event=event_id).order_by("ordinal").values_list(*ROUND, *CLOCK)
    return tuple(
        RoundRow._make((*row[: len(ROUND)], None if clock[0] is None else ClockRow._make(clock)))
        for row in rows
        for clock in [row[len(ROUND) :]]
    )


Seats = Mapping[int, tuple[int, ...]]
"""The keys of the players in the order of their seats, by key of the match."""


def match_rows(event_id: int) -> dict[int, tuple[MatchRow, ...]]:
    """Return {round primary key: matches in order of number}; two queries."""
    seats: dict[int, tuple[int, ...]] = {}
    seated = MatchSeat.objects.filter(match__round__event=event_id).order_by("match_id", "number")
    for key, entry in seated.values_list("match", "entry"):
        seats[key] = (*seats.get(key, ()), entry)
    return _by_round(_matches(round__event=event_id), seats)


def round_match_rows(event_id: int, ordinal: int, seats: Seats) -> tuple[MatchRow, ...]:
    """Return the matches of the round with this ordinal; one query.

    ``seats``: {match primary key: entry primary keys}.
    """
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
        decision = None if row[own] is None else DecidingReportRow._make(row[own:])
        known.append(made((*row[: own - 1], minutes, seats[row[0]], decision)))
    return {key: tuple(found) for key, found in matches.items()}


Entries = TypeVar("Entries", bound=Iterable[Entry])


def entries_by_number(rows: EventRows, *, started: bool) -> dict[PlayerId, EntryRow]:
    """Return {player number: player}, with ``departure`` set on players who dropped.

    ``started``: without a stored reason, deduce it from whether they played; before the start only
    a stored reason counts.
    """
    gone = {entry.pk: entry for entry in rows.entries if entry.status == Entry.Status.WITHDRAWN}
    played = (
        _who_played(rows) if started and not all(e.left for e in gone.values()) else frozenset()
    )
    told = {
        entry.number: entry._replace(
            departure=classify_departure(entry.left, played=key in played)
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


def attach_departures(entries: Entries, known: Mapping[PlayerId, EntryRow]) -> Entries:
    """Set ``departure`` on entries (model instances) and return them.

    ``known``: rows with departure by player number; others get "".
    """
    for entry in entries:
        entry.departure = known[entry.number].departure if entry.number in known else ""
    return entries
