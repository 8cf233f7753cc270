"""Every way in which a group can end, as whole numbers that are quickly put together.

The points of all players stand in one number, each at its own digits, and below them a code of
how the matches of each pair ended. Two halves of the matches are put together by one addition;
of the codes only those are kept that matter, which the points tell.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate

from rules.results import PlayerId, Points
from rules.scenarios.pairs import WINNERS, Pair, Way

Made = tuple[int, ...]
"""The points that players have made, by seat."""
Class = tuple[int, ...]
"""Level players, by their seats."""
Half = list[tuple[int, int]]
"""Ends of some of the matches: the number, and the own results that they may have with it."""


Ends = dict[int, int]
"""By the codes of how those matches ended that matter: the own results that they go with.

These are bits (``Pair.next_bits``): what the next matches of players may have been.
"""


class Packed:
    """The ends of the open matches of a group, on top of the points so far; none is negative."""

    def __init__(
        self,
        seats: Mapping[PlayerId, int],
        so_far: Made,
        pairs: Sequence[Pair],
        points: Points,
    ) -> None:
        self.seats = seats
        self.so_far = so_far
        self.pairs = pairs
        self.worth = {own: points.by_winner[winner][0] for own, winner in WINNERS.items()}
        matches = sum(len(pair.matches) for pair in pairs)
        self.digits = (max(so_far) + matches * max(self.worth.values())).bit_length()
        lengths = [(len(pair.ways) - 1).bit_length() for pair in pairs]
        *self.shifts, self.below = accumulate(lengths, initial=0)
        self.above = range(0, self.digits * len(so_far), self.digits)
        self.ones = [(1 << length) - 1 for length in lengths]

    def ends(self, matter: Callable[[int], Iterable[int]]) -> Iterator[tuple[int, Ends]]:
        """Yield the ends by points; ``matter`` names the ``pairs`` that then do, by place."""
        below, cut = self.below, (len(self.pairs) + 1) // 2
        mask = cache(lambda number: -1 << below | self.mask(matter(number)))
        start = sum(self._at(seat, made) for seat, made in enumerate(self.so_far))
        halves = self._half(range(cut), start), self._half(range(cut, len(self.pairs)), 0)
        found: defaultdict[int, int] = defaultdict(int)
        for one, own in halves[0]:
            for other, also in halves[1]:
                number = one + other
                found[number & mask(number >> below)] |= own | also
        ones = (1 << below) - 1
        by_points: defaultdict[int, Ends] = defaultdict(dict)
        for number, own in found.items():
            by_points[number >> below][number & ones] = own
        yield from by_points.items()

    def made(self, number: int) -> Made:
        """Return the points by seat."""
        ones = (1 << self.digits) - 1
        return tuple([number >> shift & ones for shift in self.above])

    def way(self, codes: int, place: int) -> Way:
        """Return how the matches of a pair ended."""
        return self.pairs[place].ways[codes >> self.shifts[place] & self.ones[place]]

    def gain(self, codes: int, place: int, player: PlayerId) -> int:
        """Return the points that a player of a pair took from their matches."""
        side = self.pairs[place].players.index(player)
        return sum([self.worth[result] for result in self.way(codes, place).ended[side]])

    def mask(self, places: Iterable[int]) -> int:
        """Return ones where the codes of some pairs stand."""
        mask = 0
        for place in places:
            mask |= self.ones[place] << self.shifts[place]
        return mask

    def _half(self, places: Iterable[int], start: int) -> Half:
        half = [(start, 0)]
        for place in places:
            ways = [self._packed(place, code) for code in range(len(self.pairs[place].ways))]
            half = [(one + other, own | also) for one, own in half for other, also in ways]
        return half

    def _packed(self, place: int, code: int) -> tuple[int, int]:
        """Return a way for a pair's matches to end as a number, and the own results with it."""
        pair = self.pairs[place]
        way, number = pair.ways[code], code << self.shifts[place]
        for player, results in zip(pair.players, way.ended, strict=True):
            points = sum(self.worth[result] for result in results)
            number += self._at(self.seats[player], points)
        return number, pair.next_bits(way, self.seats)

    def _at(self, seat: int, points: int) -> int:
        return points << self.below + seat * self.digits
