"""Results as columns: one sequence for each number, without an object for each match.

Making the results of a large event one by one takes longer than ranking its players.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from rules.results import Outcome, Result, Winner

Numbers = Sequence[Any]
"""Integers, or None where there is none."""
_NO_SCORE: tuple[int | None, int | None] = (None, None)
_NOTHING = Outcome(places=())
_NO_GAMES: tuple[int | None, int | None, int | None] = (None, None, None)


class ResultColumns(NamedTuple):
    """The results of a group in columns of equal length.

    ``a`` and ``b`` are seats: indexes of the group's players; the one after the last stands for a
    missing opponent. ``score_a`` None means no score, ``games_a`` None that the games are not
    known; the other columns of either are not read there.
    """

    a: Sequence[int]
    b: Sequence[int]
    winner: Sequence[Winner | None]
    score_a: Numbers
    score_b: Numbers
    games_a: Numbers
    games_b: Numbers
    games_drawn: Numbers


Results = Sequence[Result] | ResultColumns
"""The results of a group, one by one or in columns."""


def winners_of(results: Results) -> Sequence[Winner | None]:
    """Return the winner of each match, in the order of the results."""
    if isinstance(results, ResultColumns):
        return results.winner
    return [one.outcome.winner if one.outcome else None for one in results]


def scores_of(results: Results) -> Sequence[Numbers]:
    """Return the scores of all a and of all b."""
    if isinstance(results, ResultColumns):
        return results[3:5]
    return transposed([one.score or _NO_SCORE for one in _outcomes(results)], width=2)


def games_of(results: Results) -> Sequence[Numbers]:
    """Return three columns with a value for each result: games won by a, won by b, drawn."""
    if isinstance(results, ResultColumns):
        return results[5:]
    return transposed([one.games_won or _NO_GAMES for one in _outcomes(results)], width=3)


def _outcomes(results: Sequence[Result]) -> list[Outcome]:
    return [one.outcome or _NOTHING for one in results]


def results_at(results: Results, places: Sequence[int]) -> Results:
    """Return the results at some places."""
    if isinstance(results, ResultColumns):
        return ResultColumns._make([values_at(column, places) for column in results])
    return values_at(results, places)


def transposed(rows: Sequence[Sequence[Any]], *, width: int) -> list[tuple[Any, ...]]:
    """Return the columns of rows of equal width; ``zip(*rows)`` makes an object for each row."""
    return [tuple(map(itemgetter(column), rows)) for column in range(width)]


def values_at(values: Any, keys: Sequence[Any]) -> tuple[Any, ...]:
    """Return the values under many keys, or at many places; six times as fast as a loop."""
    if len(keys) < 2:  # of one key alone, itemgetter returns the bare value
        return tuple([values[key] for key in keys])
    found: tuple[Any, ...] = itemgetter(*keys)(values)
    return found
