"""The matches that a group has still to play, and every way they can end."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from rules.plan import ROUND_ROBIN
from rules.results import EndedBy, PlayerId, Result, Winner
from rules.stages.base import STAGE_KINDS, StageState, settled_by_rule

OUTCOMES = (Winner.A, Winner.DRAW, Winner.B)
MOST_PATTERNS = 12_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Remaining:
    """What is settled in a group, and what is still open, in the order of play.

    ``rounds`` are to come besides, whose matches nobody knows yet.
    """

    settled: tuple[Result, ...]
    open: tuple[Result, ...]
    rounds: int = 0

    @property
    def patterns(self) -> int:
        """Return how many ways there are for the open matches to end."""
        return int(len(OUTCOMES) ** len(self.open))

    def winners(self) -> Iterator[tuple[Winner, ...]]:
        """Yield each way: who wins the open matches."""
        return product(OUTCOMES, repeat=len(self.open))

    def endings(self) -> Iterator[tuple[tuple[Winner, ...], tuple[Result, ...]]]:
        """Yield each way: who wins the open matches, and all results of the group with them."""
        for winners in self.winners():
            ended = tuple(
                replace(match, winner=winner)
                for match, winner in zip(self.open, winners, strict=True)
            )
            yield winners, self.settled + ended


def remaining_of(state: StageState) -> dict[str, Remaining]:
    """Return what is settled and open in each group of a stage that has a table."""
    complete = _all_rounds(state) if state.plan.kind == ROUND_ROBIN else state
    rounds = STAGE_KINDS.get(state.plan.kind).total_rounds(state) - len(complete.rounds)
    found = {}
    for group in state.plan.groups:
        results = [_forfeited(result, state) for result in complete.results_of(group.name)]
        found[group.name] = Remaining(
            settled=tuple(result for result in results if result.winner is not None),
            open=tuple(result for result in results if result.winner is None),
            rounds=rounds,
        )
    return found


def _all_rounds(state: StageState) -> StageState:
    """Return the stage with the rounds that are still to be made, their matches open."""
    kind = STAGE_KINDS.get(state.plan.kind)
    while pairings := kind.next_round(state):
        number = len(state.rounds) + 1
        played = tuple(
            (pairing, Result(a=pairing.a, b=pairing.b, round=number)) for pairing in pairings
        )
        state = replace(state, rounds=(*state.rounds, played))
    return state


def _forfeited(result: Result, state: StageState) -> Result:
    """Return an open match with somebody who has left as the forfeit that it will be."""
    if result.winner is not None or result.b is None:
        return result
    settled = settled_by_rule(result.a, result.b, state)
    if settled is None:
        return result
    winner, ended_by = settled
    return replace(result, winner=winner, ended_by=EndedBy(ended_by))


def opponent_in(match: Result, player: PlayerId) -> PlayerId | None:
    """Return whom a player meets in a match."""
    return match.b if match.a == player else match.a
