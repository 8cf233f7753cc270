"""Standings against a plain dictionary computation of the same criteria, and against numpy."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from random import Random

import numpy

from bench.timing import Ratio, compare
from rules.results import Result, Winner
from rules.standings import rank


def measure() -> Iterator[Ratio]:
    """Yield the ratios for 128 and 1,024 players after ten rounds."""
    for players in (128, 1024):
        results = season(players, rounds=10)
        numbers = list(range(1, players + 1))
        yield compare(
            f"standings, {players:,} players, 10 rounds / plain dicts",
            lambda numbers=numbers, results=results: rank(players=numbers, results=results),
            lambda numbers=numbers, results=results: plain(numbers, results),
        )

    results = season(8192, rounds=15)
    numbers = list(range(1, 8193))
    tuples = [(result.a - 1, result.b - 1, *result.score) for result in results]
    yield compare(
        "standings, 8,192 players, 15 rounds / numpy from tuples",
        lambda: rank(players=numbers, results=results),
        lambda: with_numpy(8192, tuples),
    )


def season(players: int, rounds: int) -> list[Result]:
    """Return rounds of shuffled pairs with Doomtrooper scores, the same for the same numbers."""
    random = Random(players * 1000 + rounds)  # noqa: S311 - invented results
    results = []
    for number in range(1, rounds + 1):
        order = random.sample(range(1, players + 1), players)
        for a, b in zip(order[::2], order[1::2], strict=True):
            score = (random.randrange(10, 50), random.randrange(10, 50))
            winner = Winner.DRAW if score[0] == score[1] else Winner.A
            if score[0] < score[1]:
                winner = Winner.B
            results.append(Result(a=a, b=b, round=number, winner=winner, score=score))
    return results


def plain(players: list[int], results: list[Result]) -> list[list[int]]:
    """Return classes of level players by the six criteria, with dictionaries and sort keys only."""
    points: defaultdict[int, int] = defaultdict(int)
    made: defaultdict[int, int] = defaultdict(int)
    conceded: defaultdict[int, int] = defaultdict(int)
    met: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for result in results:
        a, b = result.a, result.b
        for player, other, own, theirs in (
            (a, b, *result.score),
            (b, a, result.score[1], result.score[0]),
        ):
            gained = 3 if own > theirs else 1 if own == theirs else 0
            points[player] += gained
            made[player] += own
            conceded[player] += theirs
            met[player].append((other, gained))
    opponents = {player: sum(points[other] for other, _ in met[player]) for player in players}

    def first(player: int) -> tuple[int, int]:
        return (-points[player], -opponents[player])

    def last(player: int) -> tuple[int, int]:
        return (-made[player], conceded[player] - made[player])

    classes = []
    for _key, level in groupby(sorted(players, key=first), key=first):
        for equal in _mini_tables(list(level), met):
            classes += [list(same) for _key, same in groupby(sorted(equal, key=last), key=last)]
    return classes


def with_numpy(players: int, tuples: list[tuple[int, int, int, int]]) -> list[int]:
    """Return players in order by the criteria, head-to-head only between two who are level."""
    a, b, own, theirs = numpy.array(tuples).T
    gained = numpy.where(own > theirs, 3, numpy.where(own == theirs, 1, 0))
    conceded = numpy.where(own < theirs, 3, numpy.where(own == theirs, 1, 0))
    points = numpy.bincount(a, gained, players) + numpy.bincount(b, conceded, players)
    opponents = numpy.bincount(a, points[b], players) + numpy.bincount(b, points[a], players)
    made = numpy.bincount(a, own, players) + numpy.bincount(b, theirs, players)
    against = numpy.bincount(a, theirs, players) + numpy.bincount(b, own, players)
    order = numpy.lexsort((against - made, -made, -opponents, -points))
    met = {(one, other): won for one, other, won in zip(a, b, gained, strict=True)}
    for at in numpy.nonzero(numpy.diff(points[order]) == 0)[0]:
        one, other = order[at], order[at + 1]
        if opponents[one] == opponents[other] and met.get((other, one)) == 3:
            order[at], order[at + 1] = other, one
    return [int(player) + 1 for player in order]


def _mini_tables(level: list[int], met: dict[int, list[tuple[int, int]]]) -> list[list[int]]:
    """Split level players by their matches, as long as all have met and something separates."""
    if len(level) < 2:
        return [level]
    among = set(level)
    own = {p: [gained for other, gained in met[p] if other in among] for p in level}
    if any(len(games) < len(level) - 1 for games in own.values()):
        return [level]
    totals = {player: -sum(games) for player, games in own.items()}
    split = [list(s) for _k, s in groupby(sorted(level, key=totals.get), key=totals.get)]
    return [level] if len(split) == 1 else [c for part in split for c in _mini_tables(part, met)]
