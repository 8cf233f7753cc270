"""A slow second reading of the standings order, to check the fast one against.

Written from the tournament rules alone; shares no code with ``rules.standings.table``.
"""

from collections.abc import Sequence
from itertools import groupby

from rules.results import PlayerId, Result, Winner, two_seats

Classes = list[list[PlayerId]]


def points_in(player: PlayerId, results: Sequence[Result]) -> int:
    total = 0
    for result in results:
        if result.winner is Winner.DRAW and player in two_seats(result.seats, None):
            total += 1
        if (result.winner is Winner.A and player == result.seats[0]) or (
            result.winner is Winner.B and player == result.seats[-1]
        ):
            total += 3
    return total


def counted(results: Sequence[Result]) -> list[Result]:
    return [result for result in results if result.winner not in (None, Winner.VOID)]


def opponents_points(player: PlayerId, results: Sequence[Result]) -> int:
    total = 0
    for result in results:
        if len(result.seats) == 2 and player in two_seats(result.seats, None):
            other = result.seats[-1] if player == result.seats[0] else result.seats[0]
            total += points_in(other, results)
    return total


def made(player: PlayerId, results: Sequence[Result]) -> int:
    return sum(
        result.score[0 if player == result.seats[0] else 1]
        for result in results
        if result.score and len(result.seats) == 2 and player in two_seats(result.seats, None)
    )


def conceded(player: PlayerId, results: Sequence[Result]) -> int:
    return sum(
        result.score[1 if player == result.seats[0] else 0]
        for result in results
        if result.score and len(result.seats) == 2 and player in two_seats(result.seats, None)
    )


def mini_tables(level: list[PlayerId], results: Sequence[Result]) -> Classes:
    if len(level) == 1:
        return [level]
    among = [result for result in results if len(result.seats) == 2 and {*result.seats} <= {*level}]
    met = {frozenset(two_seats(result.seats, None)) for result in among}
    points = {player: points_in(player, among) for player in level}
    missing = {
        player: sum(frozenset((player, other)) not in met for other in level if other != player)
        for player in level
    }
    if any(missing.values()):
        for player in level:
            others = [other for other in level if other != player]
            if all(points[player] > points[other] + 3 * missing[other] for other in others):
                return [[player], *mini_tables(others, results)]
        return [level]
    if len(set(points.values())) == 1:
        return [level]
    return [part for parts in by(level, points.__getitem__) for part in mini_tables(parts, results)]


def by(level: list[PlayerId], value) -> Classes:
    ordered = sorted(level, key=value, reverse=True)
    return [list(part) for _value, part in groupby(ordered, key=value)]


def expected(players: Sequence[PlayerId], results: Sequence[Result]) -> list[set[PlayerId]]:
    """Return the classes of level players by the six criteria, without lots."""
    results = counted(results)
    classes = [list(players)]
    for split in (
        lambda level: by(level, lambda player: points_in(player, results)),
        lambda level: by(level, lambda player: opponents_points(player, results)),
        lambda level: mini_tables(level, results),
        lambda level: by(level, lambda player: made(player, results)),
        lambda level: by(level, lambda player: made(player, results) - conceded(player, results)),
    ):
        classes = [part for level in classes for part in split(level)]
    return [set(level) for level in classes]
