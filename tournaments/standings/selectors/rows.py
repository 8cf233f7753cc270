"""The rows of a table of standings."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from django.utils.translation import get_language

from config.wording import translate
from rules.criteria.of_tables import criterion_of
from rules.plans.places import NthAmong, RankOf
from rules.results import PlayerId
from rules.scenarios import Verdict
from rules.scenarios.cut_lines import Zone
from rules.standings.recent import Marks
from rules.standings.table import Standing, Standings
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.formulas import begins_with_tables
from tournaments.core.kept_places import seat_of
from tournaments.core.labels import group_label
from tournaments.core.rows import AnyEntry
from tournaments.core.told_ranks import shared_ranks
from tournaments.core.values_cache import EarlierValues, cached, earlier_values, reused
from tournaments.models import Entry, Event, Stage
from tournaments.standings.selectors.proofs import numbers, rank_reasons
from tournaments.standings.selectors.rank_details import NOTHING, RankDetails

LEAVERS = (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A criterion with a numeric value."""

    short: str
    label: str
    explains: str


class OnePlayer:
    """A row of one player in a list that is shown in parts (``tournaments.pages.long_lists``)."""

    __slots__ = ()
    entry: AnyEntry
    mark = ""  # ranks are shared, so parts are named by positions

    @property
    def players(self) -> tuple[AnyEntry, ...]:
        """Return the players of the row."""
        return (self.entry,)


@dataclass(frozen=True, kw_only=True)
class StandingRow(OnePlayer):
    """A player in a table; ``through`` is where the place won leads, empty while it is undecided.

    ``zone`` is where the player stands now, ``certain`` what is decided for certain, ``moved`` the
    ranks gained since the round before, ``marks`` the last results.
    """

    rank: int
    shared: bool
    entry: AnyEntry
    group: str
    played: int
    won: int
    drawn: int
    lost: int
    values: tuple[str, ...]
    why: str
    through: str
    left: str
    zone: Zone | None = None
    certain: Verdict | None = None
    moved: int = 0
    marks: Marks = ()


FIELDS = tuple(field.name for field in fields(StandingRow))


def columns(facts: EventFacts, *, across: bool = False) -> tuple[Column, ...]:
    """Return the criteria with a numeric value in the event's order; no query."""
    key = "columns", across, get_language()
    return cached(facts, key, lambda: tuple(_columns(facts.event, across=across)))


def _columns(event: Event, *, across: bool) -> Iterator[Column]:
    at_tables = begins_with_tables(event.formula)
    return (
        Column(
            short=translate(criterion.short),
            label=translate(criterion.label),
            explains=translate(criterion_of(criterion.key, at_tables=at_tables).explains),
        )
        for criterion in map(criterion_of, event.criteria)
        if criterion.value is not None and (criterion.across or not across)
    )


def standing_rows(
    facts: EventFacts,
    stage: StageFacts,
    standings: Standings,
    *,
    across: bool,
    beside: RankDetails = NOTHING,
    earlier: bool = False,
    reasons: bool = True,
) -> tuple[StandingRow, ...]:
    """Return the rows of a table; no query.

    ``beside`` are the details beside the ranks. An ``earlier`` table has given no place. Without
    ``reasons`` the rows do not say why (``reasons.event_reasons``).
    """
    names = (
        {number_: entry.display_name for number_, entry in facts.entries.items()} if reasons else {}
    )
    because = rank_reasons(standings, names) if reasons else {}
    shared = shared_ranks(standings)
    through = {} if earlier else _places_won(facts, stage, across=across)
    seated = stage.state.seats.items() if across else ()
    home = {player: group for group, seats in seated for player in seats}
    place = "standing", stage.stage.pk, across, earlier, reasons, get_language()
    reusable = earlier_values(facts)
    keys = standings.rows[0].columns if standings.rows else ()
    percentages = [criterion_of(key).percentage for key in keys]
    return tuple(
        _row(
            facts.entries[row.player],
            reusable,
            (row.player, place),
            row,
            shared=row.rank in shared,
            why=because.get(row.player, ""),
            through=through.get(row.player, ""),
            group=group_label(stage.plan, home[row.player]) if across else "",
            beside=beside,
            percentages=percentages,
        )
        for row in standings.rows
    )


def _row(
    entry: AnyEntry,
    reusable: EarlierValues,
    key: Hashable,
    row: Standing,
    *,
    shared: bool,
    why: str,
    through: str,
    group: str,
    beside: RankDetails,
    percentages: Sequence[bool],
) -> StandingRow:
    """Return a row, the same object as before if it is equal."""
    player = row.player
    given = (
        *(row.rank, shared, entry, group, row.played, row.won, row.drawn, row.lost, row.ratios),
        *(why, through, entry.get_status_display() if entry.status in LEAVERS else ""),
        *(beside.zones.get(player), beside.certain.get(player), beside.moved.get(player, 0)),
        beside.marks.get(player, ()),
    )
    return reused(reusable, key, given, partial(_build_row, row, given, percentages))


def _build_row(row: Standing, given: tuple[Any, ...], percentages: Sequence[bool]) -> StandingRow:
    values = numbers(row.ratios, percentages)
    return StandingRow(**dict(zip(FIELDS, given, strict=True)) | {"values": values})


def _places_won(facts: EventFacts, stage: StageFacts, *, across: bool) -> dict[PlayerId, str]:
    """Return where the place leads that each player has won: "Group I", "Final"."""
    closed = stage.stage.state == Stage.State.CLOSED
    held = stage.stage.places if closed else stage.outcome.places
    kinds = (NthAmong,) if across else (NthAmong, RankOf)
    names = {place.name for place in stage.plan.places if isinstance(place, kinds)} & stage.used
    seats = (
        (player, seat_of(facts, stage, name)) for name, player in held.items() if name in names
    )
    return {player: group_label(seat[0].plan, seat[1]) for player, seat in seats if seat}
