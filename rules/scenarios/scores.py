"""What scores decide among players level by results, as far as it is certain already."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rules.results import PlayerId
from rules.scenarios.remaining import Remaining
from rules.scenarios.table import Level, leading

MADE, DIFFERENCE = "score_for", "score_difference"
SCORES = (MADE, DIFFERENCE)

Span = tuple[int, int]
"""The lowest and the highest that a number can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The score that a player makes in all, and by how much more than conceded."""

    made: Span
    difference: Span

    def of(self, key: str) -> Span:
        """Return what counts for a criterion."""
        return self.made if key == MADE else self.difference


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The scores of a group; ``gaps`` are how far one player stands before another by a key.

    These are known better than the scores by themselves tell, where one match counts for both.
    """

    of: Mapping[PlayerId, Score]
    gaps: Mapping[tuple[PlayerId, PlayerId, str], Span] = field(default_factory=dict)

    def is_ahead(self, one: PlayerId, other: PlayerId, keys: Sequence[str]) -> bool:
        """Say whether one stands surely before the other of their level."""
        if not self.gaps:
            return surely_ahead(self.of[one], self.of[other], keys)
        return _positive([self._gap(one, other, key) for key in keys])

    def _gap(self, one: PlayerId, other: PlayerId, key: str) -> Span:
        if (one, other, key) in self.gaps:
            return self.gaps[one, other, key]
        if (other, one, key) in self.gaps:
            low, high = self.gaps[other, one, key]
            return -high, -low
        return minus(self.of[one].of(key), self.of[other].of(key))


def scores_next(criteria: Sequence[str]) -> tuple[str, ...]:
    """Return the criteria of scores that come right after the leading ones, in their order."""
    found = []
    for key in criteria[len(leading(criteria)) :]:
        if key not in SCORES:
            break
        found.append(key)
    return tuple(found)


def scores_of(
    remaining: Remaining, players: Sequence[PlayerId], highest: int
) -> dict[PlayerId, Score]:
    """Return each player's score: what is settled, and in each open match at most ``highest``."""
    made = dict.fromkeys(players, 0)
    conceded = dict.fromkeys(players, 0)
    for result in remaining.settled:
        if result.score is not None and result.b is not None and result.counts:
            made[result.a] += result.score[0]
            made[result.b] += result.score[1]
            conceded[result.a] += result.score[1]
            conceded[result.b] += result.score[0]
    found = {}
    for player in players:
        most = remaining.left[player] * highest
        own, difference = made[player], made[player] - conceded[player]
        found[player] = Score(
            made=(own, own + most), difference=(difference - most, difference + most)
        )
    return found


def surely_ahead(one: Score, other: Score, keys: Sequence[str]) -> bool:
    """Say whether one stands before the other by scores, whatever is still to come."""
    return _positive([minus(one.of(key), other.of(key)) for key in keys])


def minus(one: Span, other: Span) -> Span:
    """Return what one number can be more than another."""
    return one[0] - other[1], one[1] - other[0]


def _positive(gaps: Sequence[Span]) -> bool:
    """Say whether the first gap that is not zero is surely more."""
    for low, _high in gaps:
        if low:
            return low > 0
    return False


def places_in(level: Level, player: PlayerId, scores: Scores, keys: Sequence[str]) -> range:
    """Return the places, from 1, that a player of a level may end on."""
    if len(level.players) == 1:
        return range(level.above + 1, level.above + 2)
    others = [other for other in level.players if other != player]
    ahead = sum(scores.is_ahead(other, player, keys) for other in others)
    behind = sum(scores.is_ahead(player, other, keys) for other in others)
    return range(level.above + 1 + ahead, level.above + len(level.players) - behind + 1)
