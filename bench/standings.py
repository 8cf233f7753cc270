"""Standings against plain lists.

There players are 0 … n-1 and matches are tuples ``(a, b, own, theirs)``: the games or points of a
and of b. ``plain_league`` and ``plain_magic`` return the players in order, ties broken by number.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from math import log
from random import Random

from bench.timing import Figure, Ratio, compare
from rules.criteria.presets import PRESETS
from rules.history.group_history import ResultColumns, Results, transpose, values_at
from rules.results import PlayerId, Result, Winner, two_player_result
from rules.standings.table import rank

Match = tuple[int, int, int, int]
FLOOR = 1 / 3
SIZES = (
    *((12, 3), (12, 5), (128, 3), (128, 7), (128, 15)),
    *((1024, 3), (1024, 10), (1024, 15), (8192, 3), (8192, 10), (8192, 15)),
)
A, B, DRAW = Winner.A, Winner.B, Winner.DRAW
GOAL = 2.0
GOALS = {"league": 0.7, "magic": 1.6}  # for 8,192 players after 15 rounds
ORDERS = {"league": PRESETS.get("doomtrooper").criteria, "magic": PRESETS.get("magic").criteria}


def measure() -> Iterator[Ratio | Figure]:
    """Yield the ratios of both orders of criteria at all sizes, and the growth of the time."""
    for name, criteria in ORDERS.items():
        taken = {}
        for players, rounds in SIZES:
            for ratio in against(name, criteria, players, rounds):
                taken.setdefault((players, rounds), ratio.ours)
                yield ratio
        more_matches = (8192 * 15) / (1024 * 10)
        grown = log(taken[8192, 15] / taken[1024, 10]) / log(more_matches)
        yield Figure(f"standings, {name}, growth exponent 1,024 x 10 to 8,192 x 15", grown, 1.25)


def against(name: str, criteria: Sequence[str], players: int, rounds: int) -> Iterator[Ratio]:
    """Yield the ratio to plain lists, which begin with the same tuples.

    Of tables of 128 players also that of the rules beginning with results, as the site maps them.
    """
    games = name == "magic"
    matches = season(players, rounds, games=games)
    numbers = range(players)
    results = [as_result(match) for match in matches]

    def order(found: Results) -> list[PlayerId]:
        return [r.player for r in rank(players=numbers, results=found, criteria=criteria).rows]

    def ours() -> list[PlayerId]:
        return order(as_columns(players, matches, games=games))

    theirs = partial(PLAIN[name], players, matches)
    if not ours() == order(results) == theirs():
        raise AssertionError("Both make the same table.")
    goal = GOALS[name] if (players, rounds) == (8192, 15) else GOAL
    title = f"standings, {name}, {players:,} x {rounds}"
    yield compare(f"{title} / plain lists", ours, theirs, goal=goal)
    if players == 128:
        yield compare(f"{title}, results / plain lists", partial(order, results), theirs)


def season(players: int, rounds: int, *, games: bool) -> list[Match]:
    """Return rounds of shuffled pairs; deterministic by its arguments.

    With ``games`` best of three, else Doomtrooper's promotion points.
    """
    random = Random(players * 1000 + rounds)  # noqa: S311 - invented results
    matches = []
    for _round in range(rounds):
        order = random.sample(range(players), players)
        for a, b in zip(order[::2], order[1::2], strict=True):
            if games:
                score = random.choice(((2, 0), (2, 1), (1, 2), (0, 2), (1, 1)))
            else:
                score = (random.randrange(10, 50), random.randrange(10, 50))
            matches.append((a, b, *score))
    return matches


def as_columns(players: int, matches: list[Match], *, games: bool) -> ResultColumns:
    """Return the matches as the rules' columns."""
    a, b, own, theirs = transpose(matches, width=4)
    nothing = (None,) * len(matches)
    seats = [*range(players)]  # one object for each seat: loops over them are twice as fast
    return ResultColumns(
        a=values_at(seats, a),
        b=values_at(seats, b),
        winner=tuple(
            [A if x > y else B if x < y else DRAW for x, y in zip(own, theirs, strict=True)]
        ),
        score_a=own,
        score_b=theirs,
        games_a=own if games else nothing,
        games_b=theirs if games else nothing,
        games_drawn=(0,) * len(matches),
    )


def as_result(match: Match) -> Result:
    """Return the match as the rules' ``Result``."""
    a, b, own, theirs = match
    winner = A if own > theirs else B if own < theirs else DRAW
    return two_player_result(a=a, b=b, winner=winner, score=(own, theirs), games=(own, theirs, 0))


def plain_league(players: int, matches: list[Match]) -> list[int]:
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


def plain_magic(players: int, matches: list[Match]) -> list[int]:
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


PLAIN = {"league": plain_league, "magic": plain_magic}
