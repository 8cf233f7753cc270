"""Details beside each rank: moves, rounds, qualification; the line below who advances.

No function here queries the database.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.advancement.outcome import stage_outcome
from rules.numbers import format_points
from rules.results import PlayerId, Result
from rules.scenarios import Verdict
from rules.scenarios.verdicts import (
    AdvancingRanks,
    CutSide,
    advancing_ranks,
    cut_sides,
    points_to_advance,
    verdicts_by_points,
)
from rules.stages.base import Played, has_multiplayer_tables
from rules.standings.table import ResultMark, Standings, match_mark, rank_changes
from rules.tables.results import UNITS
from tournaments.core.event_state import EventFacts, StageFacts, cached_by_sources, cached_value
from tournaments.core.labels import format_rank, games_per_player
from tournaments.core.mapping import event_points
from tournaments.core.rows import EntryRow
from tournaments.models import Event, Match, Stage
from tournaments.prospects.selectors import public_verdicts

MOST_ROUNDS = 8
"""Rounds shown at first of a table of more than ``MOST_WHOLE``."""
MOST_WHOLE = 9
MOST_LETTERS = 4
"""Rounds played that a phone shows; after that it shows the record."""
LONGEST_WORD = 12
"""Letters of a name's longest word beside which a phone has room for rounds."""


class RoundCell(NamedTuple):
    """A player's match in one round, as a cell of the standings.

    ``kind`` is a ``ResultMark``, "missed", "void", "open", or "" without a match. ``others`` are
    the opponents, ``ranks`` theirs after the last complete round; ``place`` is the player's at a
    multiplayer table; ``score`` has the player's side first; ``number`` is the match's in the
    stage.
    """

    kind: str = ""
    others: tuple[EntryRow, ...] = ()
    ranks: tuple[int, ...] = ()
    place: str = ""
    score: str = ""
    number: int = 0


NO_CELL = RoundCell()


class RoundHeader(NamedTuple):
    """The column header of a round in the standings.

    ``ordinal`` is the round's number in the event; ``there``: it is published; ``old``: the column
    is hidden at first.
    """

    ordinal: int
    there: bool
    old: bool = False


def round_headers(stage: StageFacts) -> tuple[RoundHeader, ...]:
    """Return the column headers of a stage's rounds, upcoming ones included."""
    made = [item.ordinal for item in stage.regular_rounds]
    first = made[-1] + 1 if made else 1
    coming = range(first, first + max(0, stage.total_rounds - len(made))) if made else ()
    every = [*made, *coming]
    shown_from = max(len(made), MOST_ROUNDS) - MOST_ROUNDS if len(every) > MOST_WHOLE else 0
    shown_to = shown_from + MOST_ROUNDS if len(every) > MOST_WHOLE else len(every)
    return tuple(
        RoundHeader(ordinal, at < len(made), not shown_from <= at < shown_to)
        for at, ordinal in enumerate(every)
    )


def round_cells(
    facts: EventFacts, stage: StageFacts, rounds: int, ranks: Mapping[PlayerId, int]
) -> dict[PlayerId, tuple[RoundCell, ...]]:
    """Return {player: cells of a stage's first ``rounds`` rounds}.

    ``ranks`` are the players, with the ranks displayed beside opponents. A round's cells are cached
    until its results change.
    """
    made = [_round(facts, stage, number) for number in range(rounds)]
    return {
        player: tuple(_with_ranks(each.get(player, NO_CELL), ranks) for each in made)
        for player in ranks
    }


def _with_ranks(cell: RoundCell, ranks: Mapping[PlayerId, int]) -> RoundCell:
    if not cell.others:
        return cell
    return cell._replace(ranks=tuple(ranks.get(other.number, 0) for other in cell.others))


def _round(facts: EventFacts, stage: StageFacts, number: int) -> Mapping[PlayerId, RoundCell]:
    played = stage.state.rounds[number]
    key = stage.stage.pk, number, "cells"
    return cached_by_sources(facts, key, (played,), lambda: _cells(facts, played))


def _cells(facts: EventFacts, played: Played) -> dict[PlayerId, RoundCell]:
    return {
        player: _cell(facts, result, pairing.number, seat)
        for pairing, result in played
        for seat, player in enumerate(pairing.seats)
    }


def _cell(facts: EventFacts, result: Result, number: int, seat: int) -> RoundCell:
    player, places = result.seats[seat], result.places
    others = tuple(facts.entries[one] for one in result.seats if one != player)
    mark = match_mark(result, player)
    if mark is None:
        return RoundCell("void" if result.is_played else "open", others, number=number)
    if not others:
        return RoundCell("bye" if mark is ResultMark.BYE else "missed", number=number)
    place, score = "", ""
    if len(result.seats) > 2 and places is not None:
        own = places[seat]
        place = format_rank(own, shared=places.count(own) > 1) if own else "–"
    elif pair := result.score or (result.games_won and games_per_player(result.games_won)):
        first, second = pair if seat == 0 else pair[::-1]
        score = f"{first}–{second}"
    return RoundCell(str(mark), others, place=place, score=score, number=number)


Made = TypeVar("Made")


def standings_after_rounds(
    facts: EventFacts, stage: StageFacts, rounds: int
) -> Mapping[str, Standings]:
    """Return {group: standings after a stage's first ``rounds`` rounds}, cached; no query."""
    if rounds >= len(stage.state.rounds):
        return stage.outcome.standings

    def make() -> Mapping[str, Standings]:
        found = stage_outcome(
            replace(stage.state, rounds=stage.state.rounds[:rounds], tiebreaker_rounds=()),
            criteria=tuple(stage.event.criteria),
            points=event_points(stage.event),
            lots=(),
            used=stage.used,
            penalties=stage.penalties,
        )
        return dict(found.standings)

    return cached_for_rounds(facts, stage, rounds, "standings", make)


def cached_for_rounds(
    facts: EventFacts, stage: StageFacts, rounds: int, key: Hashable, make: Callable[[], Made]
) -> Made:
    """Return ``make()`` for a stage's first ``rounds`` rounds, cached by ``key``.

    It must depend only on these rounds and on data that results don't change; it is reused until
    these rounds change.
    """
    given: tuple[object, ...] = stage.state.rounds[:rounds]
    if rounds >= len(stage.state.rounds):
        given = (*given, *stage.state.tiebreaker_rounds)
    return cached_by_sources(facts, (stage.stage.pk, rounds, key), given, make)


def ranks_after_rounds(
    facts: EventFacts, stage: StageFacts, rounds: int
) -> Mapping[str, Mapping[PlayerId, int]]:
    """Return {group: {player: rank}} after a stage's first ``rounds`` rounds; no query."""

    def make() -> Mapping[str, Mapping[PlayerId, int]]:
        return {
            group: {row.player: row.rank for row in standings.rows}
            for group, standings in standings_after_rounds(facts, stage, rounds).items()
        }

    whole = rounds >= len(stage.state.rounds)
    return make() if whole else cached_for_rounds(facts, stage, rounds, "ranks", make)


def count_complete_rounds(stage: StageFacts) -> int:
    """Return how many rounds precede the first with a missing result or hidden standings.

    Cached.
    """
    return cached_value(stage, "whole", lambda: _whole_rounds(stage))


def _whole_rounds(stage: StageFacts) -> int:
    final = Match.State.FINAL
    for index, item in enumerate(stage.regular_rounds):
        missing = any(match.state != final for match in stage.matches_of(item))
        if missing or item.pk in stage.held:
            return index
    return len(stage.regular_rounds)


def last_round_with_result(stage: StageFacts) -> int:
    """Return the number of a stage's last round with a played result, 0 for none."""
    rounds = stage.state.rounds
    for number in range(len(rounds), 0, -1):
        if any(result.counts and len(result.seats) > 1 for _pairing, result in rounds[number - 1]):
            return number
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RankDetails:
    """Details displayed beside the ranks, by player.

    ``moved``: ranks gained since the round before; ``cells``: matches by round; ``zones``: present
    side of the cut; ``certain``: verdicts that can't change.
    """

    moved: Mapping[PlayerId, int]
    cells: Mapping[PlayerId, tuple[RoundCell, ...]]
    zones: Mapping[PlayerId, CutSide]
    certain: Mapping[PlayerId, Verdict]


NOTHING = RankDetails(moved={}, cells={}, zones={}, certain={})


def rank_details(
    facts: EventFacts, stage: StageFacts, group: str, standings: Standings
) -> RankDetails:
    """Return the details beside the current ranks of a group; no query."""
    played = last_round_with_result(stage)
    moved: Mapping[PlayerId, int] = {}
    if played > 1:
        before = ranks_after_rounds(facts, stage, played - 1)[group]
        moved = rank_changes(before, {row.player: row.rank for row in standings.rows})
    leads = stage_advancing_ranks(stage)
    order = [row.player for row in standings.rows]
    whole = count_complete_rounds(stage)
    ranks = ranks_after_rounds(facts, stage, whole)[group] if whole else dict.fromkeys(order, 0)
    return RankDetails(
        moved=moved,
        cells=round_cells(facts, stage, len(stage.state.rounds), ranks),
        zones=cut_sides(order, group, leads, stage.state.withdrawn) if played else {},
        certain=certain_verdicts(facts, stage, group, standings) if played else {},
    )


def stage_advancing_ranks(stage: StageFacts) -> AdvancingRanks:
    """Return the ranks of a stage that advance to a later one; cached."""
    return cached_value(stage, "leads", lambda: advancing_ranks(stage.state, stage.used))


def earlier_rank_details(
    facts: EventFacts, stage: StageFacts, group: str, rounds: int
) -> RankDetails:
    """Return the details beside a group's ranks after ``rounds`` rounds; no query."""
    now = ranks_after_rounds(facts, stage, rounds)[group]
    order = sorted(now, key=lambda player: now[player])
    before = ranks_after_rounds(facts, stage, rounds - 1)[group] if rounds > 1 else {}
    return RankDetails(
        moved=rank_changes(before, now),
        cells=round_cells(facts, stage, rounds, now),
        zones=cut_sides(order, group, stage_advancing_ranks(stage), stage.state.withdrawn),
        certain={},
    )


def certain_verdicts(
    facts: EventFacts, stage: StageFacts, group: str, standings: Standings
) -> Mapping[PlayerId, Verdict]:
    """Return {player: verdict} for players of a group who have surely advanced or are out.

    Uses public results only. {} if the event hides prospects. No query.
    """
    if facts.open_stage is stage and not stage.held:
        found = public_verdicts(facts)
        return {row.player: found[row.player] for row in standings.rows if row.player in found}
    return _certain_by_points(facts, stage, group, standings)


def _certain_by_points(
    facts: EventFacts, stage: StageFacts, group: str, standings: Standings
) -> dict[PlayerId, Verdict]:
    """Return the players through or out by points alone; none if prospects are hidden.

    At a multiplayer table everybody may still make all that its first place gives.
    """
    reach = _points_in_reach(facts, stage, standings)
    return verdicts_by_points(reach, group, stage_advancing_ranks(stage)) if reach else {}


def _points_in_reach(
    facts: EventFacts, stage: StageFacts, standings: Standings
) -> dict[PlayerId, tuple[int, int]]:
    """Return the fewest and the most points, in parts, that each player who is in may end with.

    Nothing is returned if prospects are hidden, or points are not what the order begins with.
    """
    event, state = facts.event, stage.state
    running = event.state == Event.State.RUNNING and stage.stage.state == Stage.State.OPEN
    if not (running and event.show_prospects and event.criteria[:1] == ["points"]):
        return {}
    parts, fewest, most = _points_of_a_round(stage)
    rounds = stage.total_rounds - len(state.rounds)
    open_ = _players_without_result(facts, stage)
    reach = {}
    for row in standings.rows:
        if row.player in state.withdrawn:
            continue
        left = rounds + (row.player in open_)
        column = row.columns["points"]
        made = column.by_player[row.player] * parts // column.denominator
        reach[row.player] = made + left * fewest, made + left * most
    return reach


def sufficient_points_text(facts: EventFacts, stage: StageFacts, standings: Standings) -> str:
    """Return "18 points are enough to advance" for a Swiss stage, "" if unknown.

    Also "" before a result, while standings are hidden, and if the number helps no player.
    """
    if len(stage.plan.groups) > 1 or has_multiplayer_tables(stage.plan) or stage.held:
        return ""
    if not last_round_with_result(stage):
        return ""
    of_two, leads = event_points(stage.event), stage_advancing_ranks(stage)
    needed = points_to_advance(
        _points_in_reach(facts, stage, standings),
        leads.sure[stage.plan.groups[0].name],
        (of_two.win, of_two.draw, of_two.loss),
    )
    if needed is None:
        return ""
    words = _("%(points)s points are enough to advance")
    return words % {"points": format_points(Fraction(needed, of_two.parts))}


def _points_of_a_round(stage: StageFacts) -> tuple[int, int, int]:
    """Return in how many parts points are counted, and the fewest and the most of one round."""
    if has_multiplayer_tables(stage.plan):
        points = stage.state.table_points
        return UNITS, 0, max(points.most, UNITS * points.bye)
    of_two = event_points(stage.event)
    each = of_two.win, of_two.draw, of_two.loss
    return of_two.parts, min(0, *each), max(each)  # a round of rest gives nothing


def _players_without_result(facts: EventFacts, stage: StageFacts) -> frozenset[PlayerId | None]:
    """Return the players of matches without a result; those of earlier rounds are cached."""

    def playing(some: Sequence[Played]) -> frozenset[PlayerId | None]:
        return frozenset(
            player
            for made in some
            for pairing, result in made
            if not result.is_played
            for player in pairing.seats
        )

    rounds = stage.state.rounds
    earlier = max(0, len(rounds) - 1)
    before = cached_for_rounds(facts, stage, earlier, "playing", lambda: playing(rounds[:earlier]))
    return before | playing(rounds[earlier:])


def cut_line_text(stage: StageFacts, group: str, rank: int = 0) -> str:
    """Return the label of the cut line below the advancing players; "" for none.

    ``rank`` 0: of a group's standings; else of a table of the players with this rank in several
    groups.
    """
    leads = stage_advancing_ranks(stage)
    number = leads.compared.get(rank, ((), 0))[1] if rank else len(leads.sure[group])
    if not number:
        return ""
    compared = () if rank else sorted(leads.ranks(group))
    return " · ".join(
        [first_advance_text(number), *(compared_rank_text(stage, each) for each in compared)]
    )


def first_advance_text(number: int) -> str:
    """Return "The first 8 advance"."""
    words = ngettext("The first advances", "The first %(number)s advance", number)
    return words % {"number": number}


def compared_rank_text(stage: StageFacts, rank: int) -> str:
    """Return "Rank 2: best 3 of 4", for a rank compared across groups."""
    groups, number = stage_advancing_ranks(stage).compared[rank]
    words = _("Rank %(rank)s: the best %(number)s of %(all)s advance")
    return words % {"rank": rank, "number": number, "all": len(groups)}


@dataclass(frozen=True, slots=True, kw_only=True)
class RankChange:
    """A player's rank before and after a change.

    ``table`` and ``stage`` are labels of the standings, "" if there is only one.
    """

    name: str
    before: int
    after: int
    table: str = ""
    stage: str = ""
