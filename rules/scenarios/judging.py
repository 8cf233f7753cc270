"""What an end of a group means for a player, also where a rank of several groups is compared."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rules.results import PlayerId
from rules.scenarios.places import Leads
from rules.scenarios.scores import Score, Scores, places_in, surely_ahead
from rules.scenarios.table import Level, Values
from rules.scenarios.verdicts import On, Verdict


@dataclass(frozen=True, slots=True)
class Case:
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


Ranks = Mapping[str, Candidates]
"""Those who may be on a rank, by group."""


class Judge:
    """Knows what the places of a group lead to.

    ``keys`` are the criteria of scores inside the group, ``across`` those between groups.
    ``candidates`` are those of the compared ranks that can be looked at, by rank and group.
    """

    def __init__(
        self,
        name: str,
        leads: Leads,
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
        self.known: dict[tuple[int, Values, Score], Case] = {}

    def case(self, level: Level, player: PlayerId, scores: Scores) -> Case:
        """Return what a way to end means for a player, over the places they may end on."""
        return self.over(places_in(level, player, scores, self.keys), level, scores.of[player])

    def over(self, places: range, level: Level, score: Score) -> Case:
        """Return what some places mean for a player of a level."""
        if len(places) == 1:
            return self._at(places[0], level.values, score)
        return whole([self._at(place, level.values, score) for place in places], On.SCORES)

    def _at(self, place: int, values: Values, score: Score) -> Case:
        if place in self.sure:
            return THROUGH
        if place not in self.compared:
            return OUT
        if place not in self.candidates:
            return UNKNOWN
        key = place, values, score
        if key not in self.known:
            self.known[key] = self._against(self.candidates[place], self.compared[place], key)
        return self.known[key]

    def _against(self, others: Ranks, count: int, own: tuple[int, Values, Score]) -> Case:
        """Return whether somebody on a compared rank is among the so many best of it."""
        _place, values, score = own
        surely = possibly = 0
        on: set[On] = set()
        for name, theirs in others.items():
            if name == self.name or not theirs.scores:
                continue
            ahead = theirs.all_ahead(values, score, self.across)
            behind = theirs.all_behind(values, score, self.across)
            surely += ahead
            possibly += not behind
            if not ahead and not behind:
                on.update(theirs.what_decides(values))
        if possibly < count:
            return THROUGH
        return OUT if surely >= count else Case(Verdict.OPEN, frozenset(on))
