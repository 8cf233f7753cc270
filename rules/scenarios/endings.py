"""A group small enough to look at every way it can end."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules.results import PlayerId, Points, Winner
from rules.scenarios.places import Leads
from rules.scenarios.quick import QUICK, QuickTable
from rules.scenarios.remaining import Remaining, opponent_in
from rules.scenarios.table import (
    Level,
    Score,
    leading,
    levels_of,
    places_in,
    scores_next,
    scores_of,
    surely_ahead,
)
from rules.scenarios.verdicts import On, Prospect, Verdict
from rules.stages.base import StageState


@dataclass(frozen=True, slots=True)
class Key:
    """How somebody on a compared rank stands: values by results, and the score."""

    values: tuple[int | Fraction, ...]
    score: Score


Keys = Mapping[str, frozenset[Key]]


@dataclass(frozen=True, slots=True)
class _Case:
    """What one way to end, or several together, mean for a player."""

    verdict: Verdict
    on: frozenset[On] = frozenset()


THROUGH, OUT = _Case(Verdict.THROUGH), _Case(Verdict.OUT)


@dataclass(frozen=True, slots=True)
class _Ending:
    """One way for a group to end."""

    winners: tuple[Winner, ...]
    levels: tuple[Level, ...]


class EndingGroup:
    """A group with every way it can end; there should not be too many."""

    def __init__(
        self,
        state: StageState,
        name: str,
        remaining: Remaining,
        criteria: Sequence[str],
        points: Points,
    ) -> None:
        self.name = name
        self.remaining = remaining
        self.players = tuple(player for player in state.seats[name] if player is not None)
        self.staying = frozenset(self.players) - state.withdrawn
        self.scores = scores_of(remaining, self.players)
        self.keys = scores_next(criteria)
        across = [key for key in criteria if key != "head_to_head"]
        self.keys_across = scores_next(across)
        self.known: dict[tuple[Key, int], _Case] = {}
        self.endings = list(self._endings(criteria, points))
        self.cases: dict[tuple[Level, PlayerId], _Case] = {}

    def _endings(self, criteria: Sequence[str], points: Points) -> Iterator[_Ending]:
        if QUICK.issuperset(leading(criteria)):
            table = QuickTable(self.players, self.remaining, criteria, points, self.staying)
            for winners in self.remaining.winners():
                yield _Ending(winners, table.levels(winners))
            return
        for winners, results in self.remaining.endings():
            levels = levels_of(self.players, results, criteria, points, self.staying)
            yield _Ending(winners, levels)

    def keys_on(self, rank: int) -> frozenset[Key]:
        """Return how whoever may be on a rank can stand."""
        return frozenset(
            Key(level.values, self.scores[player])
            for ending in self.endings
            for level in ending.levels
            for player in level.players
            if rank in places_in(level, player, self.scores, self.keys)
        )

    def prospects(self, leads: Leads, keys: Mapping[int, Keys]) -> dict[PlayerId, Prospect]:
        """Return the prospects of the group's players.

        ``keys`` are those of the ranks whose comparison can be looked at.
        """
        cases: dict[PlayerId, list[_Case]] = {player: [] for player in self.staying}
        for ending in self.endings:
            for level in ending.levels:
                for player in level.players:
                    cases[player].append(self._case(level, player, leads, keys))
        return {
            player: self._prospect(player, cases[player])
            for player in self.players
            if player in self.staying
        }

    def _prospect(self, player: PlayerId, cases: Sequence[_Case]) -> Prospect:
        now = whole(cases, On.RESULTS)
        at = next(
            (
                index
                for index, match in enumerate(self.remaining.open)
                if player in (match.a, match.b)
            ),
            None,
        )
        if at is None:
            return Prospect(player=player, verdict=now.verdict, depends={"now": now.on})
        match = self.remaining.open[at]
        by_result: dict[str, list[_Case]] = {"win": [], "draw": [], "loss": []}
        for ending, case in zip(self.endings, cases, strict=True):
            by_result[_own(ending.winners[at], match.a == player)].append(case)
        after = {result: whole(those, On.RESULTS) for result, those in by_result.items()}
        return Prospect(
            player=player,
            verdict=now.verdict,
            opponent=opponent_in(match, player),
            after={result: case.verdict for result, case in after.items()},
            depends={"now": now.on, **{result: case.on for result, case in after.items()}},
        )

    def _case(
        self, level: Level, player: PlayerId, leads: Leads, keys: Mapping[int, Keys]
    ) -> _Case:
        """Return what a way to end means for a player, over the places they may end on."""
        if (level, player) not in self.cases:
            places = places_in(level, player, self.scores, self.keys)
            each = [self._at(place, level, player, leads, keys) for place in places]
            self.cases[level, player] = whole(each, On.SCORES)
        return self.cases[level, player]

    def _at(
        self,
        place: int,
        level: Level,
        player: PlayerId,
        leads: Leads,
        keys: Mapping[int, Keys],
    ) -> _Case:
        if place in leads.sure[self.name]:
            return THROUGH
        if place not in leads.compared or self.name not in leads.compared[place][0]:
            return OUT
        if place not in keys:
            return _Case(Verdict.OPEN, frozenset(On))
        own = Key(level.values, self.scores[player])
        if (own, place) not in self.known:
            case = self._compared(own, leads.compared[place][1], keys[place])
            self.known[own, place] = case
        return self.known[own, place]

    def _compared(self, own: Key, count: int, keys: Keys) -> _Case:
        """Return whether somebody on a compared rank is among the so many best of it."""
        surely = possibly = 0
        on: set[On] = set()
        for name, theirs in keys.items():
            if name == self.name or not theirs:
                continue
            ahead = all(_ahead(other, own, self.keys_across) for other in theirs)
            behind = all(_ahead(own, other, self.keys_across) for other in theirs)
            surely += ahead
            possibly += not behind
            if not ahead and not behind:
                on.update(self._what_decides(own, theirs))
        if possibly < count:
            return THROUGH
        return OUT if surely >= count else _Case(Verdict.OPEN, frozenset(on))

    def _what_decides(self, own: Key, theirs: frozenset[Key]) -> Iterator[On]:
        """Yield what it depends on whether somebody of another group stands before."""
        if len({other.values for other in theirs}) > 1:
            yield On.RESULTS
        if any(other.values == own.values for other in theirs):
            yield On.SCORES


def _ahead(one: Key, other: Key, keys: Sequence[str]) -> bool:
    """Say whether one stands surely before the other, in another group."""
    if one.values != other.values:
        return one.values > other.values
    return surely_ahead(one.score, other.score, keys)


def _own(winner: Winner, is_a: bool) -> str:
    if winner is Winner.DRAW:
        return "draw"
    return "win" if (winner is Winner.A) == is_a else "loss"


def whole(cases: Sequence[_Case], between: On) -> _Case:
    """Return what holds in every case; where they differ it is open and depends on ``between``."""
    verdicts = {case.verdict for case in cases}
    if verdicts == {Verdict.THROUGH}:
        return THROUGH
    if verdicts == {Verdict.OUT}:
        return OUT
    on = frozenset().union(*(case.on for case in cases))
    return _Case(Verdict.OPEN, on | {between} if len(verdicts) > 1 else on)
