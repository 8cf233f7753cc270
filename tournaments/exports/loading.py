"""Data of the workbook, loaded at once."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cache, cached_property
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from accounts.models import User
from config.wording import translate
from rules.results import Result, SeatMark
from rules.stages.base import has_multiplayer_tables
from rules.tables.results import UNITS, to_table_result
from tournaments.core.event_state import EventFacts, StageFacts, load_facts
from tournaments.core.labels import bye_label, round_label
from tournaments.core.rows import MatchRow
from tournaments.exports.sheets import NUMBER, TITLE_SIZE, WHOLE, Column, SheetTable, Value
from tournaments.matches.words import seat_mark_label
from tournaments.models import Entry, Event, Report


class ReportRow(NamedTuple):
    """A report of a match; ``who``: name of the account that sent it."""

    pk: int
    kind: str
    by_entry_id: int | None
    by_id: int | None
    who: str
    at: datetime


class SubmittedEntry(NamedTuple):
    """An entry's account, decklist legality (None: no decklist) and answers."""

    user_id: int | None
    legal: bool | None
    answers: Mapping[str, object]


@dataclass(frozen=True, kw_only=True)
class WorkbookSource:
    """The data of a workbook.

    ``staff``: it is for staff, so it may name them. ``submitted``: by player number; ``reports``:
    by the match's primary key; ``listed``: entries with decklists.
    """

    facts: EventFacts
    submitted: Mapping[int, SubmittedEntry]
    listed: Sequence[Entry]
    reports: Mapping[int, Sequence[ReportRow]]
    staff: bool

    @property
    def event(self) -> Event:
        """Return the event."""
        return self.facts.event

    @property
    def zone(self) -> ZoneInfo:
        """Return the zone in which times are shown."""
        return self.event.zone

    @property
    def begun(self) -> tuple[StageFacts, ...]:
        """Return the stages that have groups."""
        return tuple(stage for stage in self.facts.stages if stage.groups)

    @cached_property
    def by_user(self) -> dict[int, str]:
        """Return the names of players with an account, by key of the account."""
        return {
            found.user_id: self.name(number)
            for number, found in self.submitted.items()
            if found.user_id
        }

    def name(self, number: int | str) -> str:
        """Return the name of a player by number."""
        return self.facts.entries[int(number)].name


def handout_source(facts: EventFacts, *, lists: bool) -> WorkbookSource:
    """Return the data of the standings workbook, which names no reporters.

    ``lists``: with decklists, which takes one query; otherwise there is none.
    """
    listed = _listed(facts.event, lists=lists)
    return WorkbookSource(facts=facts, submitted={}, listed=listed, reports={}, staff=False)


def load_source(event: Event, *, staff: bool, lists: bool = False) -> WorkbookSource:
    """Return the data of an event's archive workbook; nine queries.

    ``staff``: with drafted rounds; ``lists``: with decklists.
    """
    facts, listed = load_facts(event, for_staff=staff), _listed(event, lists=lists)
    return WorkbookSource(
        facts=facts,
        submitted={entry.number: _submitted(entry) for entry in listed} or _all_submitted(event),
        listed=listed,
        reports=_reports(event),
        staff=staff,
    )


def _listed(event: Event, *, lists: bool) -> tuple[Entry, ...]:
    """Return the entries with their decklists, none unless they are asked for; one query."""
    if not lists or event.decklists == Event.Decklists.OFF:
        return ()
    return tuple(event.entries.order_by("number").select_related("submission__decklist"))


def _submitted(entry: Entry) -> SubmittedEntry:
    legal = None if entry.submission is None else entry.submission.decklist.legal
    return SubmittedEntry(entry.user_id, legal, entry.answers)


def _all_submitted(event: Event) -> dict[int, SubmittedEntry]:
    columns = "number", "user_id", "submission__decklist__legal", "answers"
    return {number: SubmittedEntry(*row) for number, *row in event.entries.values_list(*columns)}


def _reports(event: Event) -> dict[int, list[ReportRow]]:
    """Return the reports of each match in their order; one query."""
    found: dict[int, list[ReportRow]] = defaultdict(list)
    reports = Report.objects.filter(match__round__event=event).order_by("match_id", "version")
    account = cache(lambda name, email: str(User(name=name, email=email)))
    own = "pk", "kind", "by_entry_id", "by_id", "by__name", "by__email", "by_name", "at"
    for match, pk, kind, entry, user, name, email, archived, at in reports.values_list(
        "match_id", *own
    ):
        who = archived if name is None else account(name, email)
        found[match].append(ReportRow(pk, kind, entry, user, who, at))
    return found


def two_name_columns(names: Sequence[str]) -> tuple[str, str]:
    """Return names for the columns of player 1 and 2; the second has all others."""
    return (names[0] if names else "", ", ".join(names[1:]))


def stage_sheet_name(what: str, stage: StageFacts, group: str) -> str:
    """Return a sheet title of kind (``what``), stage and group.

    A long stage name is cut.
    """
    label = translate(stage.plan.label)
    if len(stage.plan.groups) == 1 and group in (item.name for item in stage.groups):
        return f"{what} {label}"
    room = TITLE_SIZE - len(what) - len(group) - 2
    return f"{what} {label[:room].rstrip()} {group}"


def has_begun_multiplayer_stage(facts: EventFacts) -> bool:
    """Return whether a begun stage has multiplayer tables."""
    return any(has_multiplayer_tables(stage.plan) and bool(stage.matches) for stage in facts.stages)


def seats_table(source: WorkbookSource) -> SheetTable:
    """Return a table with a row for each seat of multiplayer rounds; no query.

    With place and points, and byes; without tiebreaker matches.
    """
    columns = (
        Column(key="stage", label=_("Stage")),
        Column(key="round", label=_("Round"), kind=WHOLE),
        Column(key="round_name", label=_("Name of the round")),
        Column(key="table", label=_("Table"), kind=WHOLE),
        Column(key="seat", label=_("Seat"), kind=WHOLE),
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        Column(key="place", label=_("Place"), kind=WHOLE),
        Column(key="points", label=_("Points"), kind=NUMBER),
        Column(key="mark", label=_("Note")),
    )
    rows = [
        row
        for stage in source.begun
        if has_multiplayer_tables(stage.plan)
        for row in _of_stage(source, stage)
    ]
    return SheetTable(key="tables", title=_("Tables"), columns=columns, rows=rows)


def _of_stage(source: WorkbookSource, stage: StageFacts) -> Iterator[tuple[Value, ...]]:
    label = translate(stage.plan.label)
    for item, played in zip(stage.regular_rounds, stage.state.rounds, strict=True):
        results = {result.seats: to_table_result(result) for _pairing, result in played}
        name = round_label(stage, item)
        for match in stage.matches_of(item):
            players = [source.facts.entries_by_pk[key] for key in match.seats]
            result = results[tuple(player.number for player in players)]
            seats = zip(players, _seats(stage, match, result), strict=True)
            for seat, (player, (place, points, mark)) in enumerate(seats, start=1):
                yield (
                    *(label, item.ordinal, name, match.table, seat),
                    *(player.number, player.name, place, points, mark),
                )


def _seats(
    stage: StageFacts, match: MatchRow, result: Result
) -> Iterator[tuple[int | None, Fraction | None, str]]:
    """Yield place, points and mark of each seat; blank without a result."""
    marks = dict(result.outcome.marks) if result.outcome else {}
    for seat, points in enumerate(stage.state.table_points.of(result), start=1):
        if not result.is_played:
            yield None, None, ""
        elif match.size == 1:
            yield None, Fraction(points, UNITS), bye_label(None) if result.is_bye else ""
        else:
            place = result.places[seat - 1] if result.places else None
            mark = marks.get(seat) or (SeatMark.ABSENT if result.places and not place else None)
            yield place, Fraction(points, UNITS), seat_mark_label(mark) if mark else ""
