"""What an end of a group means for a player, also where a rank of several groups is compared."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rules.results import PlayerId
from rules.scenarios.advancing_places import Leads
from rules.scenarios.levels import Level, Stand, Values
from rules.scenarios.score_spans import FAR, Score, Scores, Span, minus, places_in, surely_ahead
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


_MOST, _LEAST = (9 * FAR, 9 * FAR), (-9 * FAR, -9 * FAR)
BEST, WORST = Score(_MOST, _MOST), Score(_LEAST, _LEAST)
"""Better and worse than any score: what comes of it comes of no other."""

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

    def is_sure(self, verdict: Verdict, level: Level, player: PlayerId, scores: Scores) -> bool:
        """Say whether a way to end means nothing else for a player, wherever they end in it."""
        places = places_in(level, player, scores, self.keys)
        worst_first = places if verdict is Verdict.OUT else reversed(places)
        score = scores.of[player]
        return all(self._at(place, level.values, score).verdict is verdict for place in worst_first)

    def gaps(self, level: Level, player: PlayerId, scores: Scores) -> Iterator[Span]:
        """Yield how far a player stands before everybody whom scores compare them with."""
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

    def may_be(self, verdict: Verdict, stand: Stand) -> bool:
        """Say whether more score may bring somebody through, or less of it put them out."""
        out = verdict is Verdict.OUT
        place, score = (stand.places[-1], WORST) if out else (stand.places[0], BEST)
        return self._at(place, stand.level.values, score).verdict is verdict

    def meets(self, level: Level) -> bool:
        """Say whether scores may decide between players of a level and those of other groups."""
        places = range(level.above + 1, level.above + len(level.players) + 1)
        return any(
            self._at(place, level.values, BEST) != self._at(place, level.values, WORST)
            for place in places
            if place in self.compared
        )

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
