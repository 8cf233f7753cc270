"""The levels of a group in every way it can end, for the usual criteria without ranking anew.

Points and opponents' points are sums, and a mini-table depends on the matches among its players
only, so that it is worked out once for each way these can end.
"""

from collections.abc import Sequence

from rules.history import History
from rules.results import PlayerId, Points, Result, Winner
from rules.scenarios.remaining import Remaining
from rules.scenarios.table import Level, leading
from rules.standings import rank_history
from rules.ties import classes_of

QUICK = frozenset({"points", "opponents_points", "head_to_head"})

Class = tuple[PlayerId, ...]


class QuickTable:
    """A group whose levels follow from points, opponents' points and head-to-head."""

    def __init__(
        self,
        players: Sequence[PlayerId],
        remaining: Remaining,
        criteria: Sequence[str],
        points: Points,
        staying: frozenset[PlayerId],
    ) -> None:
        self.players = tuple(players)
        self.remaining = remaining
        self.keys = leading(criteria)
        self.points = points
        self.staying = staying
        history = History(players=self.players, results=remaining.settled, points=points)
        self.settled = {player: history.tallies[player].points for player in self.players}
        self.met = {player: list(history.opponents[player]) for player in self.players}
        for match in remaining.open:
            if match.b is not None:
                self.met[match.a].append(match.b)
                self.met[match.b].append(match.a)
        self.known: dict[tuple[Class, tuple[Winner, ...]], tuple[Class, ...]] = {}

    def levels(self, winners: tuple[Winner, ...]) -> tuple[Level, ...]:
        """Return the levels, best first, where the open matches end like this."""
        own = self._points(winners)
        classes: list[Class] = [self.players]
        values: dict[PlayerId, list[int]] = {player: [] for player in self.players}
        for key in self.keys:
            if key == "head_to_head":
                classes = [part for level in classes for part in self._mini_table(level, winners)]
                continue
            figures = own
            if key == "opponents_points":
                figures = {player: sum(own[o] for o in self.met[player]) for player in own}
            for player in self.players:
                values[player].append(figures[player])
            classes = [part for level in classes for part in _split(level, figures)]
        return self._levels(classes, values)

    def _points(self, winners: tuple[Winner, ...]) -> dict[PlayerId, int]:
        found = dict(self.settled)
        win, draw, loss = self.points.win, self.points.draw, self.points.loss
        for match, winner in zip(self.remaining.open, winners, strict=True):
            found[match.a] += draw if winner is Winner.DRAW else win if winner is Winner.A else loss
            if match.b is not None:
                found[match.b] += (
                    draw if winner is Winner.DRAW else win if winner is Winner.B else loss
                )
        return found

    def _mini_table(self, level: Class, winners: tuple[Winner, ...]) -> tuple[Class, ...]:
        if len(level) == 1:
            return (level,)
        inside = [
            (match, winner)
            for match, winner in zip(self.remaining.open, winners, strict=True)
            if match.a in level and match.b in level
        ]
        key = level, tuple(winner for _match, winner in inside)
        if key not in self.known:
            settled = [r for r in self.remaining.settled if r.a in level and r.b in level]
            open_ = [Result(a=m.a, b=m.b, winner=winner) for m, winner in inside]
            history = History(players=level, results=(*settled, *open_), points=self.points)
            self.known[key] = classes_of(rank_history(history, criteria=("head_to_head",)))
        return self.known[key]

    def _levels(
        self, classes: Sequence[Class], values: dict[PlayerId, list[int]]
    ) -> tuple[Level, ...]:
        found, above = [], 0
        for players in classes:
            level = tuple(player for player in players if player in self.staying)
            if level:
                shown = tuple(values[level[0]])
                found.append(Level(players=level, above=above, values=shown))
                above += len(level)
        return tuple(found)


def _split(level: Class, figures: dict[PlayerId, int]) -> list[Class]:
    if len(level) == 1:
        return [level]
    by_value: dict[int, list[PlayerId]] = {}
    for player in level:
        by_value.setdefault(figures[player], []).append(player)
    return [tuple(by_value[value]) for value in sorted(by_value, reverse=True)]
