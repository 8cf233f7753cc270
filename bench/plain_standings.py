"""Standings with plain lists and sort keys: the baseline of the rules' standings.

Players are 0 … n-1 and matches are tuples ``(a, b, own, theirs)``: the games or points of a and
of b. The functions return the players in order, ties broken by number.
"""

from collections.abc import Callable
from itertools import groupby

Match = tuple[int, int, int, int]
FLOOR = 1 / 3


def league(players: int, matches: list[Match]) -> list[int]:
    """Order by points, opponents' points, head-to-head, score made and difference."""
    points, made, conceded = [0] * players, [0] * players, [0] * players
    met: list[list[tuple[int, int]]] = [[] for _ in range(players)]
    for a, b, own, theirs in matches:
        gained, given = (3, 0) if own > theirs else (0, 3) if own < theirs else (1, 1)
        points[a] += gained
        points[b] += given
        made[a] += own
        conceded[a] += theirs
        made[b] += theirs
        conceded[b] += own
        met[a].append((b, gained))
        met[b].append((a, given))
    opponents = [sum([points[other] for other, _gained in against]) for against in met]
    first = [(-one, -other) for one, other in zip(points, opponents, strict=True)]
    last = [(-one, other - one) for one, other in zip(made, conceded, strict=True)]
    order: list[int] = []
    for level in _classes(list(range(players)), first.__getitem__):
        for equal in _mini_tables(level, met):
            order += sorted(equal, key=last.__getitem__) if len(equal) > 1 else equal
    return order


def magic(players: int, matches: list[Match]) -> list[int]:
    """Order by points, OMW, GW and OGW in floating numbers of nine digits."""
    points, played = [0] * players, [0] * players
    won, games = [0] * players, [0] * players
    met: list[list[int]] = [[] for _ in range(players)]
    for a, b, own, theirs in matches:
        if own > theirs:
            points[a] += 3
        elif own < theirs:
            points[b] += 3
        else:
            points[a] += 1
            points[b] += 1
        played[a] += 1
        played[b] += 1
        won[a] += own
        won[b] += theirs
        games[a] += own + theirs
        games[b] += own + theirs
        met[a].append(b)
        met[b].append(a)
    share = [max(FLOOR, p / (3 * n)) if n else FLOOR for p, n in zip(points, played, strict=True)]
    game = [max(FLOOR, w / n) if n else FLOOR for w, n in zip(won, games, strict=True)]
    omw = [sum([share[one] for one in against]) / len(against) for against in met]
    ogw = [sum([game[one] for one in against]) / len(against) for against in met]
    keys = [
        (-points[one], -round(omw[one], 9), -round(game[one], 9), -round(ogw[one], 9))
        for one in range(players)
    ]
    return sorted(range(players), key=keys.__getitem__)


def _mini_tables(level: list[int], met: list[list[tuple[int, int]]]) -> list[list[int]]:
    """Split tied players by their matches, while all have met and the order changes."""
    if len(level) == 1:
        return [level]
    among = set(level)
    inside = [[gained for other, gained in met[one] if other in among] for one in level]
    if any(len(gains) < len(level) - 1 for gains in inside):
        return [level]
    totals = {one: -sum(gains) for one, gains in zip(level, inside, strict=True)}
    split = _classes(level, totals.__getitem__)
    return split if len(split) == 1 else [c for part in split for c in _mini_tables(part, met)]


def _classes(level: list[int], key: Callable[[int], object]) -> list[list[int]]:
    return [list(same) for _key, same in groupby(sorted(level, key=key), key=key)]
