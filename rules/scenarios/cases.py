"""What an end of a group means for somebody, and how those of other groups may stand then."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.scenarios.scores import Score, surely_ahead
from rules.scenarios.table import Values
from rules.scenarios.verdicts import On, Verdict


class Case(NamedTuple):
    """What one way to end, or several together, mean for a player."""

    verdict: Verdict
    on: frozenset[On] = frozenset()


THROUGH, OUT = Case(Verdict.THROUGH), Case(Verdict.OUT)
UNKNOWN = Case(Verdict.OPEN, frozenset(On))


def whole(cases: Sequence[Case], between: On) -> Case:
    """Return what holds in every case; where they differ it is open and depends on ``between``."""
    verdicts = {case.verdict for case in cases}
    if verdicts == {Verdict.THROUGH}:
        return THROUGH
    if verdicts == {Verdict.OUT}:
        return OUT
    on = frozenset().union(*(case.on for case in cases))
    return Case(Verdict.OPEN, on | {between} if len(verdicts) > 1 else on)


class Candidates:
    """How those of a group can stand who may be on a rank: values by results, and scores."""

    def __init__(self, scores: Mapping[Values, frozenset[Score]]) -> None:
        self.scores = scores
        self.best, self.worst = max(scores, default=()), min(scores, default=())

    def all_ahead(self, values: Values, score: Score, keys: Sequence[str]) -> bool:
        """Say whether all of them stand surely before somebody of another group."""
        if self.worst != values:
            return self.worst > values
        return all(surely_ahead(other, score, keys) for other in self.scores[values])

    def all_behind(self, values: Values, score: Score, keys: Sequence[str]) -> bool:
        """Say whether all of them stand surely behind somebody of another group."""
        if self.best != values:
            return self.best < values
        return all(surely_ahead(score, other, keys) for other in self.scores[values])

    def what_decides(self, values: Values) -> Iterator[On]:
        """Yield what it depends on who stands before whom."""
        if len(self.scores) > 1:
            yield On.RESULTS
        if values in self.scores:
            yield On.SCORES
