"""The levels of a group in every way it can end, where each way has to be ranked by itself."""

from collections.abc import Iterator, Sequence

from rules.history.group_history import History
from rules.results import PlayerId, Points, Result
from rules.scenarios.remaining import Remaining
from rules.scenarios.table import Level, Reached, Values, leading
from rules.standings.table import rank_history


def ranked_levels(
    players: Sequence[PlayerId],
    remaining: Remaining,
    criteria: Sequence[str],
    points: Points,
    staying: frozenset[PlayerId],
) -> Iterator[Reached]:
    """Yield the levels of each end of the group."""
    seats = {player: seat for seat, player in enumerate(players)}
    for ways in remaining.endings():
        own, results = 0, list(remaining.settled)
        for pair, way in zip(remaining.pairs, ways, strict=True):
            own |= pair.next_bits(way, seats)
            results += pair.results(way)
        for level in levels_of(players, results, criteria, points, staying):
            yield level, own


def levels_of(
    players: Sequence[PlayerId],
    results: Sequence[Result],
    criteria: Sequence[str],
    points: Points,
    staying: frozenset[PlayerId],
) -> tuple[Level, ...]:
    """Return the levels of a finished group, the best first; who has left is in none."""
    history = History(players=tuple(players), results=tuple(results), points=points)
    keys = leading(criteria)
    standings = rank_history(history, criteria=keys)
    numeric = [key for key in keys if key != "head_to_head"]
    by_rank: dict[int, list[PlayerId]] = {}
    values: dict[int, Values] = {}
    for row in standings.rows:
        if row.player in staying:
            by_rank.setdefault(row.rank, []).append(row.player)
            values[row.rank] = tuple(row.values[key] for key in numeric)
    found, above = [], 0
    for rank, level in by_rank.items():
        found.append(Level(tuple(level), above, values[rank]))
        above += len(level)
    return tuple(found)
