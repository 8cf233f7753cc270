"""Check that better places of a custom formula lead at least as far as worse ones.

The final ranking goes by stages, the last first. So a place that leads to a later stage than a
better one would rank its holder above players who did better.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeGuard

from rules.brackets.single import BracketMatch, FromMatch, Seat
from rules.formulas.custom.definition import (
    BestOfRank,
    Definition,
    GroupRank,
    MatchLoser,
    MatchWinner,
    StageDefinition,
    StageSource,
    StartPlace,
)
from rules.formulas.custom.fault_wording import Faults, in_stage, in_words
from rules.formulas.custom.sizes import matches_of, sizes_of
from rules.stages.kind import STAGE_KINDS
from rules.wording import Sentence

Result = tuple[int, bool]
"""A match number, and whether the match was won."""


def result_of(source: MatchWinner | MatchLoser) -> Result:
    """Return the match that a place is won or lost in."""
    if isinstance(source, MatchWinner):
        return source.winner, True
    return source.loser, False


def following_matches(matches: Sequence[BracketMatch]) -> dict[Result, tuple[int, ...]]:
    """Return, for each result that leads to other matches, their numbers."""
    found: dict[Result, tuple[int, ...]] = {}
    for match in matches:
        for source in match.sources:
            if isinstance(source, FromMatch):
                before = found.get((source.match, source.winner), ())
                found[source.match, source.winner] = (*before, match.number)
    return found


def may_be_one_player(
    matches: Sequence[BracketMatch], taken: Sequence[StageSource]
) -> Iterator[tuple[StageSource, StageSource]]:
    """Yield pairs of places that one player may hold: one on the path to the other."""
    by_result = {
        result_of(source): source
        for source in taken
        if isinstance(source, MatchWinner | MatchLoser)
    }
    leads = following_matches(matches) if by_result else {}
    for result, source in by_result.items():
        to_come = {
            (match, won) for match in _reachable_matches(result, leads) for won in (True, False)
        }
        for other in sorted(to_come & set(by_result)):
            yield source, by_result[other]


def _reachable_matches(result: Result, leads: Mapping[Result, tuple[int, ...]]) -> frozenset[int]:
    """Return the matches that a player may reach after a result."""
    found: set[int] = set()
    waiting = [*leads.get(result, ())]
    while waiting:
        match = waiting.pop()
        if match not in found:
            found.add(match)
            waiting += [*leads.get((match, True), ()), *leads.get((match, False), ())]
    return frozenset(found)


def lost_by_somebody(matches: Sequence[BracketMatch], seats: int) -> frozenset[int]:
    """Return the matches with two players when this many seats are taken: no byes."""
    filled: dict[Result, bool] = {}
    for match in matches:
        sides = [
            source.number <= seats
            if isinstance(source, Seat)
            else filled[source.match, source.winner]
            for source in match.sources
        ]
        filled[match.number, True], filled[match.number, False] = any(sides), all(sides)
    return frozenset(number for (number, won), there in filled.items() if there and not won)


Pair = tuple[StageSource, StageSource]


def reach_faults(definition: Definition, players: int) -> Faults:
    """Yield places that lead further than a better one; the places must exist."""
    reach = _farthest_stages(definition)
    for number, stage in enumerate(definition.stages, start=1):
        sizes = sizes_of(definition, players)[number - 1]
        if STAGE_KINDS.get(stage.kind).has_table:
            pairs = _pairs_of_ranks(number, sizes, reach)
        else:
            pairs = _pairs_of_matches(number, stage, sizes, reach)
        for better, worse in pairs:
            problem = Sentence(
                "%(worse)s can get further than %(better)s. The last stage ranks highest: "
                "let the better player get as far.",
                {"worse": in_words(worse), "better": in_words(better)},
            )
            yield in_stage(definition, number, problem)


def _farthest_stages(definition: Definition) -> dict[StageSource, int]:
    """Return the last stage that the holder of each taken place may play in."""
    reach: dict[StageSource, int] = {}
    furthest: dict[tuple[int, str], int] = {}
    for number in range(len(definition.stages), 0, -1):
        stage = definition.stages[number - 1]
        taken = tuple(definition.taken_from(number))
        for group in stage.groups:
            own = [s for s in taken if not isinstance(s, GroupRank) or s.group == group.name]
            furthest[number, group.name] = max([number, *(reach[source] for source in own)])
        for group, source in stage.sources:
            if not isinstance(source, StartPlace):
                reach[source] = furthest[number, group.name]
    return reach


def _pairs_of_ranks(
    number: int, sizes: Mapping[str, int], reach: Mapping[StageSource, int]
) -> Iterator[Pair]:
    """Yield a better and a worse rank of a group, or of the players compared on one rank."""
    compared: dict[int, list[StageSource]] = {}
    for rank in sorted({source.best for source in reach if _compared_in(source, number)}):
        having = sum(size >= rank for size in sizes.values())
        level = [BestOfRank(stage=number, best=rank, nth=nth) for nth in range(1, having + 1)]
        compared[rank] = list(level)
        yield from _first_inversion(level, number, reach)
    for group, size in sizes.items():
        order = [
            source
            for rank in range(1, size + 1)
            for source in compared.get(rank) or [GroupRank(stage=number, group=group, rank=rank)]
        ]
        yield from _first_inversion(order, number, reach)


def _compared_in(source: StageSource, stage: int) -> TypeGuard[BestOfRank]:
    return isinstance(source, BestOfRank) and source.stage == stage


def _first_inversion(
    order: Sequence[StageSource], number: int, reach: Mapping[StageSource, int]
) -> Iterator[Pair]:
    """Yield the first place that leads further than one before it in the order."""
    for better, worse in pairwise(order):
        if reach.get(worse, number) > reach.get(better, number):
            yield better, worse
            return


def _pairs_of_matches(
    number: int,
    stage: StageDefinition,
    sizes: Mapping[str, int],
    reach: Mapping[StageSource, int],
) -> Iterator[Pair]:
    """Yield winner and loser of matches whose loser gets further."""
    matches = matches_of(stage, sizes)
    direct: dict[Result, int] = {
        result_of(source): last
        for source, last in reach.items()
        if source.stage == number and isinstance(source, MatchWinner | MatchLoser)
    }
    if not direct:
        return
    leads = following_matches(matches)
    furthest: dict[Result, int] = {}
    for match in reversed(matches):
        for won in (True, False):
            later = leads.get((match.number, won), ())
            reached = [furthest[following, way] for following in later for way in (True, False)]
            furthest[match.number, won] = max([direct.get((match.number, won), number), *reached])
    for match in matches:
        if furthest[match.number, False] > furthest[match.number, True]:
            yield (
                MatchWinner(stage=number, winner=match.number),
                MatchLoser(stage=number, loser=match.number),
            )
