"""Minimum last-match score that guarantees a verdict, for the player's own match or a rival's.

Each bound is tested with all other results and scores open, so it is never wrong; the minimum is
found by bisection, since verdicts are monotonic in the score.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from rules.results import PlayerId
from rules.scenarios.verdict_evaluation import (
    UNKNOWN,
    AdvancementEvaluator,
    OutcomeVerdict,
    PossibleStanding,
    RivalAssumptions,
    ScoreAssumption,
    Span,
    TiedPlayers,
    TiedRivals,
)
from rules.scenarios.verdicts import Bound, Margin, MarginMeasure, Verdict

ANY: Bound = (None, None)

Cases = Sequence[tuple[OutcomeVerdict, PossibleStanding]]
"""Possible cases, with the player's standing in each."""
Holds = Callable[[Span], bool]


def score_margins(
    player: PlayerId,
    assumptions: RivalAssumptions,
    evaluator: AdvancementEvaluator,
    fixed: frozenset[PlayerId],
    cases: Cases,
) -> tuple[Margin, ...]:
    """Return the scores with which a player certainly advances, or is certainly out.

    ``assumptions`` are about the score of the player's or a rival's last match, ``cases`` the
    possible outcomes as (verdict, the player's standing); ``fixed`` are the players whose scores
    have a limit. () if no score is certain to decide.
    """
    verdicts = {case.verdict for case, _stand in cases} - {Verdict.OPEN}
    possible = verdicts or {Verdict.THROUGH, Verdict.OUT}
    stands = [stand for case, stand in cases if case.verdict is Verdict.OPEN]
    possible = {one for one in possible if all(evaluator.may_be(one, stand) for stand in stands)}
    if len(verdicts) > 1 or not possible:
        return ()
    levels = []
    for stand in stands:
        case = UNKNOWN
        if assumptions.opponent in stand.level.players or not fixed.isdisjoint(stand.level.players):
            case = evaluator.case(stand.level, player, assumptions.scores)
        if case.verdict is Verdict.OPEN:
            levels.append(stand.level)
        else:
            verdicts.add(case.verdict)
    if len(verdicts) > 1:
        return ()
    possible &= verdicts or possible
    if not levels:
        through, out = (ANY if one in verdicts else None for one in (Verdict.THROUGH, Verdict.OUT))
        return (Margin(measure=MarginMeasure.MARGIN, of=player, through=through, out=out),)
    found = []
    for supposition in assumptions.suppositions(
        [_level_with(player, one, evaluator, fixed) for one in levels]
    ):
        through, out = (
            _bound(supposition, evaluator, player, levels, verdict) if verdict in possible else None
            for verdict in (Verdict.THROUGH, Verdict.OUT)
        )
        margin = Margin(
            measure=supposition.measure,
            of=supposition.of,
            than=supposition.than,
            through=through,
            out=out,
        )
        if ANY in (through, out):
            return (margin,)
        if through or out:
            found.append(margin)
    return tuple(_informative_margins(found))


def _level_with(
    player: PlayerId,
    level: TiedPlayers,
    evaluator: AdvancementEvaluator,
    fixed: frozenset[PlayerId],
) -> TiedRivals:
    others = tuple(other for other in level.players if other != player)
    return TiedRivals(others, not fixed.isdisjoint(others) or evaluator.meets(level))


def _bound(
    supposition: ScoreAssumption,
    evaluator: AdvancementEvaluator,
    player: PlayerId,
    levels: Sequence[TiedPlayers],
    verdict: Verdict,
) -> Bound | None:
    """Return the bound from (or up to) which a verdict holds in each of the levels, or None."""

    def holds(span: Span) -> bool:
        scores = supposition.scores(span)
        return all(evaluator.is_sure(verdict, level, player, scores) for level in levels)

    low, high = supposition.legal
    rises = supposition.helps == (verdict is Verdict.THROUGH)
    best = high if rises else low
    if not holds((best, best)):
        return None
    turns = _numbers_of_changes(supposition, evaluator, player, levels)
    numbers = sorted({low, high, *(number for number in turns if low < number < high)})
    if rises:
        least = _least_number(holds, numbers)
        return (None if least == low else least), None
    most = -_least_number(lambda span: holds((-span[1], -span[0])), [-n for n in reversed(numbers)])
    return None, (None if most == high else most)


def _numbers_of_changes(
    supposition: ScoreAssumption,
    evaluator: AdvancementEvaluator,
    player: PlayerId,
    levels: Sequence[TiedPlayers],
) -> set[int]:
    """Return the assumed numbers at which the player draws level with another, and those beside.

    Leads change linearly with the assumption. A missing number would make a bound too cautious,
    not wrong.
    """
    none, one = (supposition.scores((number, number)) for number in (0, 1))
    found = set[int]()
    for level in levels:
        gaps = zip(
            evaluator.gaps(level, player, none), evaluator.gaps(level, player, one), strict=True
        )
        for before, after in gaps:
            for end, next_end in zip(before, after, strict=True):
                if pace := next_end - end:
                    turn = -end // pace
                    found |= {turn - 1, turn, turn + 1}
    return found


def _least_number(holds: Holds, numbers: Sequence[int]) -> int:
    """Return the first of the numbers from which a condition holds; it holds for the last."""
    last = numbers[-1]

    def enough(number: int) -> bool:
        return holds((number, number)) and (number == last or holds((number + 1, last)))

    return numbers[bisect_left(numbers, True, hi=len(numbers) - 1, key=enough)]


def _informative_margins(found: Sequence[Margin]) -> Iterator[Margin]:
    """Yield margins not implied by others: one for the player's match, one for a rival's.

    A lead over an opponent or rival implies the same minimum of points scored.
    """
    made = next((one for one in found if one.measure is MarginMeasure.MADE), None)
    reduced = [_without_implied_bounds(one, made, found) for one in found]
    for own in (True, False):
        alike = [one for one in reduced if (one.than is None) == own and (one.through or one.out)]
        if alike:
            yield min(alike, key=_sort_key)


def _sort_key(margin: Margin) -> tuple[bool, int]:
    """Return a sort key of a margin: guarantees of advancing first, the weakest first."""
    if margin.through is not None:
        least, most = margin.through
        return False, least if least is not None else -(most or 0)
    return True, 0


def _without_implied_bounds(one: Margin, made: Margin | None, found: Sequence[Margin]) -> Margin:
    """Return a margin without the bounds that add nothing."""
    beside = [
        other for other in found if other.measure in (MarginMeasure.MARGIN, MarginMeasure.LEAD)
    ]
    if made is None or not beside:
        return one
    if one is made:
        follows = one.out and any(other.out and other.out >= one.out for other in beside)
        return replace(one, out=None) if follows else one
    follows = one.through and made.through and one.through >= made.through
    return replace(one, through=None) if one in beside and follows else one
