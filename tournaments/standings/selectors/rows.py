"""The rows of a table of standings, and the row that a player's own pages tell.

In the middle of a round who has a bye, or has finished early, stands above all who still play. The
pages of one player name the standings after the last whole round of a longer table, as those of a
crowd must not change with every result either; a short one is told as it stands now.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config.wording import translate
from rules.criteria.of_tables import find_criterion
from rules.plans import ComparedRankPlace, RankPlace
from rules.results import PlayerId
from rules.scenarios import Verdict
from rules.scenarios.verdicts import CutSide
from rules.standings.table import Standing, Standings
from tournaments.core.event_state import (
    EarlierValues,
    EventFacts,
    StageFacts,
    cached_value,
    carried_over_values,
    reuse_or_compute,
)
from tournaments.core.formulas import is_multiplayer
from tournaments.core.kept_places import seat_for_place
from tournaments.core.labels import counted_rounds, group_label, shared_ranks
from tournaments.core.rows import AnyEntry, RoundRow
from tournaments.models import Entry, Event, Stage
from tournaments.standings.selectors.proofs import format_values, rank_reasons
from tournaments.standings.selectors.rank_details import (
    NOTHING,
    RankDetails,
    RoundCell,
    count_complete_rounds,
    standings_after_rounds,
)

LEAVERS = (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsColumn:
    """A column of the standings: a tiebreaker with short label, label and explanation."""

    short: str
    label: str
    explains: str


class OnePlayerRow:
    """Base class of table rows about one player, for lists split by ``pages.long_lists``."""

    __slots__ = ()
    entry: AnyEntry
    mark = ""  # ranks are shared, so parts are named by positions

    @property
    def players(self) -> tuple[AnyEntry, ...]:
        """Return the players of the row."""
        return (self.entry,)


@dataclass(frozen=True, kw_only=True)
class StandingRow(OnePlayerRow):
    """A player's row in the standings.

    ``values`` are texts by column; ``why`` explains the rank. ``through`` is the label of where the
    player advances to, "" while undecided; ``left`` that of a dropped or disqualified player's
    status. ``zone``: present side of the cut; ``certain``: the verdict if it can't change;
    ``moved``: ranks gained since the round before; ``cells``: matches by round.
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
    zone: CutSide | None = None
    certain: Verdict | None = None
    moved: int = 0
    cells: tuple[RoundCell, ...] = ()


FIELDS = tuple(field.name for field in fields(StandingRow))


def columns(facts: EventFacts, *, across: bool = False) -> tuple[StandingsColumn, ...]:
    """Return the columns of the standings in the order of tiebreakers; no query.

    ``across``: only those that can compare players of different groups.
    """
    key = "columns", across, get_language()
    return cached_value(facts, key, lambda: tuple(_columns(facts.event, across=across)))


def _columns(event: Event, *, across: bool) -> Iterator[StandingsColumn]:
    at_tables = is_multiplayer(event.formula)
    return (
        StandingsColumn(
            short=translate(criterion.short),
            label=translate(criterion.label),
            explains=translate(find_criterion(criterion.key, at_tables=at_tables).explains),
        )
        for criterion in map(find_criterion, event.criteria)
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
) -> tuple[StandingRow, ...]:
    """Return the display rows of standings; no query.

    ``across``: players are from different groups. ``beside`` are the details of `rank_details`.
    ``earlier``: standings after an earlier round, so rows don't tell who advances.
    """
    names = {number_: entry.display_name for number_, entry in facts.entries.items()}
    shared = shared_ranks(standings)
    through = {} if earlier else _places_won(facts, stage, across=across)
    seated = stage.state.seats.items() if across else ()
    home = {player: group for group, seats in seated for player in seats}
    place = "standing", stage.stage.pk, across, earlier, get_language()
    reusable = carried_over_values(facts)
    rounds = () if earlier else stage.state.rounds
    because = rank_reasons(standings, names, rounds, reusable, place)
    keys = standings.rows[0].columns if standings.rows else ()
    percentages = [find_criterion(key).percentage for key in keys]
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
        beside.cells.get(player, ()),
    )
    return reuse_or_compute(reusable, key, given, partial(_build_row, row, given, percentages))


def _build_row(row: Standing, given: tuple[Any, ...], percentages: Sequence[bool]) -> StandingRow:
    values = format_values(row.ratios, percentages)
    return StandingRow(**dict(zip(FIELDS, given, strict=True)) | {"values": values})


def _places_won(facts: EventFacts, stage: StageFacts, *, across: bool) -> dict[PlayerId, str]:
    """Return where the place leads that each player has won: "Group I", "Final"."""
    closed = stage.stage.state == Stage.State.CLOSED
    held = stage.stage.places if closed else stage.outcome.places
    kinds = (ComparedRankPlace,) if across else (ComparedRankPlace, RankPlace)
    names = {place.name for place in stage.plan.places if isinstance(place, kinds)} & stage.used
    seats = (
        (player, seat_for_place(facts, stage, name))
        for name, player in held.items()
        if name in names
    )
    return {player: group_label(seat[0].plan, seat[1]) for player, seat in seats if seat}


FEW = 8
"""Rows of a table that is told whole, as it stands now."""
FEW_TABLES = 8
"""Open matches of a stage's last round with which a longer table is told as it stands now, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedRounds:
    """How many rounds of a stage the players' own pages count.

    ``last`` is the last of them if later rounds are left out, else None. ``open``: one of them is
    still being played.
    """

    count: int
    last: RoundRow | None = None
    open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestStanding:
    """A player's row of their latest standings, with the whole standings.

    ``rounds`` are those that the standings count.
    """

    stage: StageFacts
    group: str
    row: Standing
    standings: Standings
    rounds: CountedRounds


def rounds_on_own_page(stage: StageFacts, group: str) -> CountedRounds | None:
    """Return how many rounds the own pages of a group's players count; no query.

    None if no round counts yet.
    """
    every, regular, whole = (
        len(stage.state.rounds),
        stage.regular_rounds,
        count_complete_rounds(stage),
    )
    held = bool(stage.held)
    open_ = whole < len(regular) and not held
    if sum(player is not None for player in stage.state.seats[group]) <= FEW:
        return CountedRounds(count=every, open=open_)
    if whole == len(regular) or _nearly_over(stage):
        return CountedRounds(count=every, open=open_)
    return CountedRounds(count=whole, last=regular[whole - 1]) if whole else None


def latest_standing(facts: EventFacts, number: PlayerId) -> LatestStanding | None:
    """Return a player's row in the latest stage with standings that they play in.

    None before a result. No query.
    """
    for stage in reversed(facts.stages):
        if stage.stage.state != Stage.State.PENDING and not stage.kind.has_bracket:
            for group, seats in stage.state.seats.items():
                if number in seats:
                    return latest_standing_in_group(facts, stage, group, number)
    return None


def latest_standing_in_group(
    facts: EventFacts, stage: StageFacts, group: str, number: PlayerId
) -> LatestStanding | None:
    """Return a player's row of a group's latest standings, None before a result; no query."""
    rounds = rounds_on_own_page(stage, group)
    if rounds is None:
        return None
    standings = standings_after_rounds(facts, stage, rounds.count)[group]
    row = next((row for row in standings.rows if row.player == number), None)
    if row is None or not any(each.played for each in standings.rows):
        return None
    return LatestStanding(stage=stage, group=group, row=row, standings=standings, rounds=rounds)


def as_of_text(rounds: CountedRounds) -> str:
    """Return "after round 3" or "as of now" for an unfinished round, else ""."""
    if rounds.last is not None:
        return _("after round %(round)s") % {"round": rounds.last.ordinal}
    return _("as of now") if rounds.open else ""


def latest_standing_as_of_text(row: LatestStanding) -> str:
    """Return "after round 3" for a row that leaves out later rounds, else "".

    "as of now" if a round that counts is still being played.
    """
    if row.stage.held and (rounds := counted_rounds(row.stage)):
        return _("after round %(round)s") % {"round": rounds[-1].ordinal}
    return as_of_text(row.rounds)


def uncounted_rounds(row: LatestStanding) -> tuple[RoundRow, ...]:
    """Return the rounds that a row doesn't count: with hidden standings, else unfinished."""
    later = row.stage.regular_rounds[row.rounds.count :]
    return tuple(item for item in row.stage.regular_rounds if item.pk in row.stage.held) or later


def _nearly_over(stage: StageFacts) -> bool:
    """Return whether the last round is played but for a few tables."""
    last = len(stage.regular_rounds) >= stage.total_rounds
    return last and len(stage.missing) <= FEW_TABLES
