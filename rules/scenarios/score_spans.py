"""What scores decide among players level by results, as far as it is certain already."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rules.results import PlayerId
from rules.scenarios.levels import Level, leading
from rules.scenarios.remaining import Remaining

MADE, DIFFERENCE = "score_for", "score_difference"
SCORES = (MADE, DIFFERENCE)

FAR = 1_000_000
"""More than anybody makes: what a match may bring whose score has no limit to reckon with."""

Span = tuple[int, int]
"""The lowest and the highest that a number can be."""
Gaps = Mapping[tuple[PlayerId, str], Span]
"""How far a player stands before another by a criterion."""
NO_GAPS: Gaps = {}


class Score(NamedTuple):
    """The score that a player makes in all, and by how much more than conceded."""

    made: Span
    difference: Span

    def of(self, key: str) -> Span:
        """Return what counts for a criterion."""
        return self.made if key == MADE else self.difference


class Scores(NamedTuple):
    """The scores of a group; some ``gaps`` of the player asked about are known better than so."""

    of: Mapping[PlayerId, Score]
    gaps: Gaps = NO_GAPS

    def before(self, player: PlayerId, other: PlayerId, keys: Sequence[str]) -> list[Span]:
        """Return how far the player stands before another, by each criterion."""
        own, theirs, gaps = self.of[player], self.of[other], self.gaps
        return [gaps.get((other, key)) or minus(own.of(key), theirs.of(key)) for key in keys]

    def order(self, player: PlayerId, other: PlayerId, keys: Sequence[str]) -> int:
        """Return 1 where the player stands surely before another, -1 for behind, else 0."""
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
    """Return the criteria of scores that come right after the leading ones, in their order."""
    found = []
    for key in criteria[len(leading(criteria)) :]:
        if key not in SCORES:
            break
        found.append(key)
    return tuple(found)


def scores_of(
    remaining: Remaining, players: Sequence[PlayerId], reach: int
) -> dict[PlayerId, Score]:
    """Return each player's score: what is settled, and in each open match at most ``reach``."""
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
        most = remaining.left[player] * reach
        own, difference = made[player], made[player] - conceded[player]
        found[player] = Score(
            made=(own, own + most), difference=(difference - most, difference + most)
        )
    return found


def surely_ahead(one: Score, other: Score, keys: Sequence[str]) -> bool:
    """Say whether one stands before the other by scores, whatever is still to come."""
    for key in keys:
        low = one.of(key)[0] - other.of(key)[1]
        if low:
            return low > 0
    return False


def minus(one: Span, other: Span) -> Span:
    """Return what one number can be more than another."""
    return one[0] - other[1], one[1] - other[0]


def plus(one: Span, other: Span) -> Span:
    """Return what two numbers can be together."""
    return one[0] + other[0], one[1] + other[1]


def places_in(level: Level, player: PlayerId, scores: Scores, keys: Sequence[str]) -> range:
    """Return the places, from 1, that a player of a level may end on."""
    if len(level.players) == 1:
        return range(level.above + 1, level.above + 2)
    orders = [scores.order(player, other, keys) for other in level.players if other != player]
    ahead, behind = orders.count(-1), orders.count(1)
    return range(level.above + 1 + ahead, level.above + len(level.players) - behind + 1)
