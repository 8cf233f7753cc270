"""Level players of a group parted by the matches among them, in every way these can end."""

from collections.abc import Sequence

from rules.history import History
from rules.results import PlayerId, Points
from rules.scenarios.packed import Class, Packed
from rules.scenarios.remaining import Remaining
from rules.standings import rank_history
from rules.ties import classes_of

MINI_TABLE = "head_to_head"


class MiniTables:
    """The mini-tables of a group, each worked out once for each way its matches can end."""

    def __init__(
        self,
        players: Sequence[PlayerId],
        remaining: Remaining,
        points: Points,
        packed: Packed,
    ) -> None:
        self.players = players
        self.remaining = remaining
        self.points = points
        self.packed = packed
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
            players = tuple(self.players[seat] for seat in level)
            results = [r for r in self.remaining.settled if r.a in players and r.b in players]
            for place in self.inside(level):
                way = self.packed.way(codes, place)
                results += self.remaining.pairs[place].results(way)
            history = History(players=players, results=tuple(results), points=self.points)
            self.parts[key] = _ranked(level, history)
        return self.parts[key]


def _ranked(level: Class, history: History) -> list[Class]:
    """Return level players parted by a mini-table, which of two is who has more points."""
    if len(level) == 2:
        own, theirs, _nobody = history.points_made
        return [level] if own == theirs else [(one,) for one in level[:: 1 if own > theirs else -1]]
    seats = dict(zip(history.players, level, strict=True))
    ranked = classes_of(rank_history(history, criteria=(MINI_TABLE,)))
    return [tuple(seats[player] for player in part) for part in ranked]
