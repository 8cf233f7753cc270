"""Enumeration of the final levels for the usual criteria, without ranking each outcome.

Points and opponents' points are sums, and a mini-table depends only on the matches among its
players, so it is computed once for each of their outcomes.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import groupby
from operator import or_
from typing import NamedTuple

from rules.history.group_history import History
from rules.results import PlayerId, Points
from rules.scenarios.levels import Level, Reached, Values, leading_criteria
from rules.scenarios.outcome_encoding import (
    MINI_TABLE,
    Class,
    EncodedOutcomes,
    Ends,
    Made,
    MiniTables,
)
from rules.scenarios.remaining import Remaining

Found = defaultdict[tuple[Class, int, Values], int]


class Table(NamedTuple):
    """Final points of a group, and the levels before head-to-head."""

    made: Made
    classes: Sequence[Class]


class FastEnumeration:
    """A group ranked by points, opponents' points and head-to-head.

    Values are only recorded on the ``compared`` ranks.
    """

    def __init__(
        self,
        players: Sequence[PlayerId],
        remaining: Remaining,
        criteria: Sequence[str],
        points: Points,
        staying: frozenset[PlayerId],
        compared: frozenset[int],
    ) -> None:
        self.players = tuple(players)
        self.staying = [player in staying for player in players]
        self.all_stay = all(self.staying)
        self.compared = compared
        self.keys = keys = leading_criteria(criteria)
        self.numeric = [key for key in keys if key != MINI_TABLE]
        self.asks_mini_table = MINI_TABLE in keys
        at = keys.index(MINI_TABLE) if self.asks_mini_table else len(keys)
        self.before, self.after = keys[:at], keys[at + 1 :]
        history = History(players=self.players, results=remaining.settled, points=points)
        seats = {player: seat for seat, player in enumerate(self.players)}
        self.met = [[seats[other] for other in history.opponents[one]] for one in self.players]
        for pair in remaining.pairs:
            a, b = (seats[player] for player in pair.players)
            self.met[a] += [b] * pair.matches
            self.met[b] += [a] * pair.matches
        so_far = tuple(history.points_made[: len(self.players)])
        self.packed = EncodedOutcomes(seats, so_far, remaining.pairs, points)
        self.tables: dict[int, Table] = {}
        self.mini_tables = MiniTables(history, remaining, self.packed)

    def levels(self) -> Iterator[Reached]:
        """Yield the possible levels."""
        found: Found = defaultdict(int)
        for number, ends in self.packed.ends(self._pairs_in_mini_tables):
            self._add_outcomes(self.tables[number], ends, found)
        for (seats, above, values), own in found.items():
            yield Level(tuple(self.players[seat] for seat in seats), above, values), own

    def _pairs_in_mini_tables(self, number: int) -> Iterator[int]:
        """Yield the pairs whose matches count in a mini-table, for packed points."""
        made = self.packed.made(number)
        classes = self._split_by_points(range(len(made)), self.before, made)
        self.tables[number] = Table(made, classes)
        if self.asks_mini_table and len(classes) < len(made):
            for level in classes:
                yield from self.mini_tables.inside(level)

    def _add_outcomes(self, table: Table, ends: Ends, found: Found) -> None:
        """Add to ``found`` each level that outcomes with these final points end in.

        ``ends``: their results inside mini-tables, each with the bitmask of next results.
        """
        above, anyhow = 0, reduce(or_, ends.values())
        for level in table.classes:
            if len(level) == 1:
                if self.staying[level[0]]:
                    above += 1
                    values = (
                        self._values_of_seat(level[0], table.made) if above in self.compared else ()
                    )
                    found[level, above - 1, values] |= anyhow
                continue
            for parts, own in self._final_splits(level, ends, table.made):
                self._add_levels(parts, above, table.made, own, found)
            above += sum([self.staying[seat] for seat in level])

    def _add_levels(
        self, parts: Sequence[Class], above: int, made: Made, own: int, found: Found
    ) -> None:
        """Add the parts that a level splits into, as levels that ``above`` players stand above."""
        for part in parts:
            players = part if self.all_stay else tuple([s for s in part if self.staying[s]])
            below = above + len(players)
            if players:
                is_compared = not self.compared.isdisjoint(range(above + 1, below + 1))
                values = self._values_of_seat(part[0], made) if is_compared else ()
                found[players, above, values] |= own
            above = below

    def _final_splits(
        self, level: Class, ends: Ends, made: Made
    ) -> Iterator[tuple[list[Class], int]]:
        """Yield the final split of level players, with the bitmasks of next results."""
        mask = self.mini_tables.mask(level) if self.asks_mini_table else 0
        merged: defaultdict[int, int] = defaultdict(int)
        for codes, own in ends.items():
            merged[codes & mask] |= own
        for codes, own in merged.items():
            parts = self.mini_tables.of(level, codes) if self.asks_mini_table else [level]
            if self.after:
                parts = [
                    final
                    for part in parts
                    for final in self._split_by_points(part, self.after, made)
                ]
            yield parts, own

    def _values_of_seat(self, seat: int, made: Made) -> tuple[int, ...]:
        return tuple(
            [
                made[seat] if key == "points" else self._opponents_points(seat, made)
                for key in self.numeric
            ]
        )

    def _opponents_points(self, seat: int, made: Made) -> int:
        """Return the opponents' points."""
        return sum([made[other] for other in self.met[seat]])

    def _split_by_points(
        self, level: Iterable[int], keys: Sequence[str], made: Made
    ) -> list[Class]:
        """Return players split by points and opponents' points, in descending order."""
        classes = [tuple(level)]
        for key in keys:
            parts: list[Class] = []
            for one in classes:
                if len(one) == 1:
                    parts.append(one)
                    continue
                figure = (
                    made.__getitem__
                    if key == "points"
                    else {seat: self._opponents_points(seat, made) for seat in one}.__getitem__
                )
                ordered = sorted(one, key=figure, reverse=True)
                parts += [tuple(part) for _figure, part in groupby(ordered, figure)]
            classes = parts
        return classes
