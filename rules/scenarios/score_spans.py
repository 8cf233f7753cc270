"""What scores already decide between players who are level by results."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from rules.results import PlayerId
from rules.scenarios.levels import Level, leading_criteria
from rules.scenarios.remaining import Remaining

MADE, DIFFERENCE = "score_for", "score_difference"
SCORES = (MADE, DIFFERENCE)

FAR = 1_000_000
"""Exceeds any real score: the maximum of a match without a score limit."""

Span = tuple[int, int]
"""Minimum and maximum of a number."""
Gaps = Mapping[tuple[PlayerId, str], Span]
"""Range of a player's lead over another by a criterion."""
NO_GAPS: Gaps = {}


class ScoreRanges(NamedTuple):
    """The ranges in which a player's total score and score difference will end."""

    made: Span
    difference: Span

    def of(self, key: str) -> Span:
        """Return the range under a criterion."""
        return self.made if key == MADE else self.difference


class Scores(NamedTuple):
    """The scores of a group; some ``gaps`` between players are known more precisely."""

    of: Mapping[PlayerId, ScoreRanges]
    gaps: Gaps = NO_GAPS

    def before(self, player: PlayerId, other: PlayerId, keys: Sequence[str]) -> list[Span]:
        """Return the range of the player's lead over another, by each criterion."""
        own, theirs, gaps = self.of[player], self.of[other], self.gaps
        return [gaps.get((other, key)) or minus(own.of(key), theirs.of(key)) for key in keys]

    def order(self, player: PlayerId, other: PlayerId, keys: Sequence[str]) -> int:
        """Return 1 if the player is certainly ahead of another, -1 if behind, else 0."""
        own, theirs, gaps = self.of[player], self.of[other], self.gaps
        ahead = behind = True
        for key in keys:
            low, high = gaps.get((other, key)) or minus(own.of(key), theirs.of(key))
            if ahead and low > 0:
                return 1
            if behind and high < 0:
                return -1
            ahead, behind = ahead and low == 0, behind and high == 0
            if not ahead and not behind:
                break
        return 0


def scores_next(criteria: Sequence[str]) -> tuple[str, ...]:
    """Return the score-based criteria directly after the leading ones, in order."""
    return tuple(takewhile(SCORES.__contains__, criteria[len(leading_criteria(criteria)) :]))


def scores_of(
    remaining: Remaining, players: Sequence[PlayerId], reach: int
) -> dict[PlayerId, ScoreRanges]:
    """Return each player's score: settled matches, and up to ``reach`` per open match."""
    made = dict.fromkeys(players, 0)
    conceded = dict.fromkeys(players, 0)
    for result in remaining.settled:
        score = result.score
        if score is not None and len(result.seats) == 2 and result.counts:
            for player, own, theirs in zip(result.seats, score, reversed(score), strict=True):
                made[player] += own
                conceded[player] += theirs
    found = {}
    for player in players:
        most = remaining.left[player] * reach
        own, difference = made[player], made[player] - conceded[player]
        found[player] = ScoreRanges(
            made=(own, own + most), difference=(difference - most, difference + most)
        )
    return found


def surely_ahead(one: ScoreRanges, other: ScoreRanges, keys: Sequence[str]) -> bool:
    """Return whether one player is certainly ahead by scores, whatever is still open."""
    for key in keys:
        low = one.of(key)[0] - other.of(key)[1]
        if low:
            return low > 0
    return False


def minus(one: Span, other: Span) -> Span:
    """Return the range of a difference."""
    return one[0] - other[1], one[1] - other[0]


def plus(one: Span, other: Span) -> Span:
    """Return the range of a sum."""
    return one[0] + other[0], one[1] + other[1]


def places_in(level: Level, player: PlayerId, scores: Scores, keys: Sequence[str]) -> range:
    """Return the places, from 1, on which a player of a level may end."""
    if len(level.players) == 1:
        return range(level.above + 1, level.above + 2)
    orders = [scores.order(player, other, keys) for other in level.players if other != player]
    ahead, behind = orders.count(-1), orders.count(1)
    return range(level.above + 1 + ahead, level.above + len(level.players) - behind + 1)
