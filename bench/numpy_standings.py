"""The standings of ``plain_standings`` with numpy: about the fastest possible implementation."""

import numpy
from numpy.typing import NDArray

from bench.plain_standings import FLOOR, Match

Numbers = NDArray[numpy.int64]


def league(players: int, matches: list[Match]) -> list[int]:
    """Order by points, opponents' points, head-to-head, score made and difference."""
    a, b, own, theirs = numpy.array(matches).T
    gained, given = _gains(own, theirs), _gains(theirs, own)

    def summed(of_a: Numbers, of_b: Numbers) -> Numbers:
        return numpy.bincount(a, of_a, players) + numpy.bincount(b, of_b, players)

    points = summed(gained, given)
    opponents = summed(points[b], points[a])
    made, conceded = summed(own, theirs), summed(theirs, own)
    level = _mini_tables(_level([-points, -opponents]), a, b, gained, given)
    return numpy.lexsort((conceded - made, -made, level)).tolist()


def magic(players: int, matches: list[Match]) -> list[int]:
    """Order by points, OMW, GW and OGW in floating numbers of nine digits."""
    a, b, own, theirs = numpy.array(matches).T

    def summed(of_a: NDArray, of_b: NDArray) -> NDArray:
        return numpy.bincount(a, of_a, players) + numpy.bincount(b, of_b, players)

    points = summed(_gains(own, theirs), _gains(theirs, own))
    met = summed(numpy.ones_like(a), numpy.ones_like(b))
    share = numpy.maximum(FLOOR, points / (3 * met))
    game = numpy.maximum(FLOOR, summed(own, theirs) / summed(own + theirs, own + theirs))
    omw, ogw = summed(share[b], share[a]) / met, summed(game[b], game[a]) / met
    return numpy.lexsort((*(-numpy.round(one, 9) for one in (ogw, game, omw)), -points)).tolist()


def _gains(own: Numbers, theirs: Numbers) -> Numbers:
    return numpy.where(own > theirs, 3, numpy.where(own == theirs, 1, 0))


def _level(keys: list[Numbers]) -> Numbers:
    """Return the number of each player's class by the keys, the most significant first."""
    order = numpy.lexsort(keys[::-1])
    begins = numpy.zeros(len(order), bool)
    for key in keys:
        begins[1:] |= numpy.diff(key[order]) != 0
    classes = numpy.empty(len(order), numpy.int64)
    classes[order] = numpy.cumsum(begins)
    return classes


def _mini_tables(
    level: Numbers, a: Numbers, b: Numbers, gained: Numbers, given: Numbers
) -> Numbers:
    """Split classes whose players have all met by their matches, until nothing changes."""
    inside = level[a] == level[b]
    while inside.any():
        a, b, gained, given = a[inside], b[inside], gained[inside], given[inside]
        players = len(level)
        met = numpy.bincount(a, minlength=players) + numpy.bincount(b, minlength=players)
        size = numpy.bincount(level)
        all_met = numpy.bincount(level, met) == size * (size - 1)
        points = numpy.bincount(a, gained, players) + numpy.bincount(b, given, players)
        finer = _level([level, -points * all_met[level]])
        if finer.max() == level.max():
            break
        level = finer
        inside = level[a] == level[b]
    return level
