"""Level players of a group parted by the matches among them, in every way these can end."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rules.history import History
from rules.results import PlayerId
from rules.scenarios.packed import Class, Packed
from rules.scenarios.remaining import Remaining
from rules.standings import rank_history
from rules.ties import classes_of

MINI_TABLE = "head_to_head"


class MiniTables:
    """The mini-tables of a group, each worked out once for each way its matches can end.

    ``history`` has what is settled.
    """

    def __init__(self, history: History, remaining: Remaining, packed: Packed) -> None:
        self.history = history
        self.players = history.players
        self.remaining = remaining
        self.packed = packed
        self.taken = _taken(history)
        self.pairs: dict[Class, Sequence[int]] = {}
        self.parts: dict[tuple[Class, int], list[Class]] = {}

    def inside(self, level: Class) -> Sequence[int]:
        """Return the pairs of level players who have matches to come."""
        if level not in self.pairs:
            players = {self.players[seat] for seat in level}
            self.pairs[level] = [
                place
                for place, pair in enumerate(self.remaining.pairs)
                if players.issuperset(pair.players)
            ]
        return self.pairs[level]

    def mask(self, level: Class) -> int:
        """Return ones where the codes of these pairs stand."""
        return self.packed.mask(self.inside(level))

    def of(self, level: Class, codes: int) -> list[Class]:
        """Return level players parted by their matches, of which the open ones ended so."""
        key = level, codes
        if key not in self.parts:
            asked = self._of_two if len(level) == 2 else self._of_more
            self.parts[key] = asked(level, codes)
        return self.parts[key]

    def _of_two(self, level: Class, codes: int) -> list[Class]:
        """Return who of two has more points from their matches before the other."""
        one, other = (self.players[seat] for seat in level)
        ahead = self.taken[one, other] - self.taken[other, one]
        for place in self.inside(level):
            ahead += self.packed.gain(codes, place, one) - self.packed.gain(codes, place, other)
        return [level] if ahead == 0 else [(seat,) for seat in level[:: 1 if ahead > 0 else -1]]

    def _of_more(self, level: Class, codes: int) -> list[Class]:
        seats = {self.players[seat]: seat for seat in level}
        results = [r for r in self.history.results if r.a in seats and r.b in seats]
        for place in self.inside(level):
            way = self.packed.way(codes, place)
            results += self.remaining.pairs[place].results(way)
        history = replace(self.history, players=tuple(seats), results=tuple(results))
        ranked = classes_of(rank_history(history, criteria=(MINI_TABLE,)))
        return [tuple(seats[player] for player in part) for part in ranked]


def _taken(history: History) -> Counter[tuple[PlayerId, PlayerId]]:
    """Return the points that players have taken from their matches against each other."""
    found: Counter[tuple[PlayerId, PlayerId]] = Counter()
    for result in history.results:
        if result.b is not None and result.counts:
            own, theirs = history.points.of(result)
            found[result.a, result.b] += own
            found[result.b, result.a] += theirs
    return found
