"""Evaluation of an outcome for a player, including ranks compared across groups."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.results import PlayerId
from rules.scenarios.score_spans import (
    FAR,
    Level,
    PossibleStanding,
    ScoreRanges,
    Scores,
    Span,
    Values,
    minus,
    places_in,
    surely_ahead,
)
from rules.scenarios.verdicts import AdvancingRanks, DependsOn, Verdict


class Case(NamedTuple):
    """The verdict of one or several outcomes for a player, and what it depends on."""

    verdict: Verdict
    on: frozenset[DependsOn] = frozenset()


THROUGH, OUT = Case(Verdict.THROUGH), Case(Verdict.OUT)
UNKNOWN = Case(Verdict.OPEN, frozenset(DependsOn))


def combined_case(cases: Sequence[Case], between: DependsOn) -> Case:
    """Return the verdict common to all cases; if they differ, open and dependent on ``between``."""
    verdicts = {case.verdict for case in cases}
    if verdicts == {Verdict.THROUGH}:
        return THROUGH
    if verdicts == {Verdict.OUT}:
        return OUT
    on = frozenset().union(*(case.on for case in cases))
    return Case(Verdict.OPEN, on | {between} if len(verdicts) > 1 else on)


class Candidates:
    """The possible scores of the players who may end on one rank of a group.

    ``scores`` is keyed by values: those of the criteria that results alone decide, such as points.
    """

    def __init__(self, scores: Mapping[Values, frozenset[ScoreRanges]]) -> None:
        self.scores = scores
        self.best, self.worst = max(scores, default=()), min(scores, default=())

    def all_ahead(self, values: Values, score: ScoreRanges, keys: Sequence[str]) -> bool:
        """Return whether all of them certainly rank before a player of another group."""
        if self.worst != values:
            return self.worst > values
        return all(surely_ahead(other, score, keys) for other in self.scores[values])

    def all_behind(self, values: Values, score: ScoreRanges, keys: Sequence[str]) -> bool:
        """Return whether all of them certainly rank behind a player of another group."""
        if self.best != values:
            return self.best < values
        return all(surely_ahead(score, other, keys) for other in self.scores[values])

    def what_decides(self, values: Values) -> Iterator[DependsOn]:
        """Yield what still decides the order with a player of these values: results, scores."""
        if len(self.scores) > 1:
            yield DependsOn.RESULTS
        if values in self.scores:
            yield DependsOn.SCORES


_MOST, _LEAST = (9 * FAR, 9 * FAR), (-9 * FAR, -9 * FAR)
BEST, WORST = ScoreRanges(_MOST, _MOST), ScoreRanges(_LEAST, _LEAST)
"""Scores better and worse than any possible one."""

Ranks = Mapping[str, Candidates]
"""Candidates of a rank, by group."""


class Evaluator:
    """Evaluates the places of a group.

    ``keys`` are the score-based criteria within the group, ``across`` those between groups.
    ``candidates`` are those of the compared ranks that can be evaluated, by rank and group.
    """

    def __init__(
        self,
        name: str,
        leads: AdvancingRanks,
        keys: Sequence[str],
        across: Sequence[str],
        candidates: Mapping[int, Ranks],
    ) -> None:
        self.name = name
        self.sure = leads.sure[name]
        self.compared = {
            rank: count for rank, (names, count) in leads.compared.items() if name in names
        }
        self.keys = keys
        self.across = across
        self.candidates = candidates
        self.known: dict[tuple[int, Values, ScoreRanges], Case] = {}

    def case(self, level: Level, player: PlayerId, scores: Scores) -> Case:
        return self.case_over(places_in(level, player, scores, self.keys), level, scores.of[player])

    def is_sure(self, verdict: Verdict, level: Level, player: PlayerId, scores: Scores) -> bool:
        """Return whether an outcome gives a player this verdict on every place they may end on."""
        places = places_in(level, player, scores, self.keys)
        worst_first = places if verdict is Verdict.OUT else reversed(places)
        score = scores.of[player]
        return all(
            self._case_at(place, level.values, score).verdict is verdict for place in worst_first
        )

    def gaps(self, level: Level, player: PlayerId, scores: Scores) -> Iterator[Span]:
        """Yield the player's possible leads over each rival, score by score, as ranges."""
        for other in level.players:
            if other != player:
                yield from scores.before(player, other, self.keys)
        if not self.meets(level):
            return
        own = scores.of[player]
        for rank in self.compared.keys() & self.candidates.keys():
            for theirs in self.candidates[rank].values():
                for score in theirs.scores.get(level.values, ()):
                    yield from (minus(own.of(key), score.of(key)) for key in self.across)

    def may_be(self, verdict: Verdict, stand: PossibleStanding) -> bool:
        """Return whether the best possible score makes this verdict true; for OUT, the worst."""
        out = verdict is Verdict.OUT
        place, score = (stand.places[-1], WORST) if out else (stand.places[0], BEST)
        return self._case_at(place, stand.level.values, score).verdict is verdict

    def meets(self, level: Level) -> bool:
        """Return whether scores may decide between a level and players of other groups."""
        places = range(level.above + 1, level.above + len(level.players) + 1)
        return any(
            self._case_at(place, level.values, BEST) != self._case_at(place, level.values, WORST)
            for place in places
            if place in self.compared
        )

    def case_over(self, places: range, level: Level, score: ScoreRanges) -> Case:
        if len(places) == 1:
            return self._case_at(places[0], level.values, score)
        return combined_case(
            [self._case_at(place, level.values, score) for place in places], DependsOn.SCORES
        )

    def _case_at(self, place: int, values: Values, score: ScoreRanges) -> Case:
        if place in self.sure:
            return THROUGH
        if place not in self.compared:
            return OUT
        if place not in self.candidates:
            return UNKNOWN
        key = place, values, score
        if key not in self.known:
            self.known[key] = self._compare_with(self.candidates[place], self.compared[place], key)
        return self.known[key]

    def _compare_with(
        self, others: Ranks, count: int, own: tuple[int, Values, ScoreRanges]
    ) -> Case:
        """Return the case on a rank compared across groups, of which the best ``count`` advance."""
        _place, values, score = own
        surely = 0
        undecided = []
        for name, theirs in others.items():
            if name == self.name or not theirs.scores:
                continue
            if theirs.all_ahead(values, score, self.across):
                surely += 1
            elif not theirs.all_behind(values, score, self.across):
                undecided.append(theirs)
        if surely + len(undecided) < count:
            return THROUGH
        if surely >= count:
            return OUT
        on = frozenset(on for theirs in undecided for on in theirs.what_decides(values))
        return Case(Verdict.OPEN, on)
