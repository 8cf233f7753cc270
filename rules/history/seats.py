"""Results by seat: a seat is a player's index in the group, the one after the last means nobody.

Columns are read one after the other: a loop over objects would cost more than what is computed.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from rules.history.columns import (
    ResultColumns,
    Results,
    results_at,
    transposed,
    values_at,
    winners_of,
)
from rules.results import PlayerId, Winner, of_two

Seats = Sequence[int]
Sides = Sequence[Sequence[Any]]
_STRANGER = -1
_SPARSE = 8
"""Most places of a list of seats by number, as a multiple of the players."""
_A, _B, _DRAW, _NONE = Winner.A, Winner.B, Winner.DRAW, Winner.NONE


class Outcomes(NamedTuple):
    """Matches won, drawn and lost, by seat."""

    won: list[int]
    drawn: list[int]
    lost: list[int]


class SeatedResults(NamedTuple):
    """Counted matches: seats of players a and b, the results, and the outcomes by seat."""

    a: Seats
    b: Seats
    results: Results
    outcomes: Outcomes


def seated(results: Results, players: Sequence[PlayerId]) -> SeatedResults:
    """Return the counted matches by seat, with their outcomes.

    Raises ValueError if a result names somebody who is not one of the players.
    """
    if isinstance(results, ResultColumns):
        a, b = results.a, results.b
    else:
        sides = transposed([of_two(one.seats, None) for one in results], width=2)
        a, b = _by_number(sides, players) or _by_name(sides, players)
    winners = winners_of(results)
    outcomes, all_count = _outcomes(a, b, winners, len(players) + 1)
    if all_count:
        return SeatedResults(a, b, results, outcomes)
    counted = [at for at, winner in enumerate(winners) if winner not in (None, Winner.VOID)]
    return SeatedResults(
        values_at(a, counted), values_at(b, counted), results_at(results, counted), outcomes
    )


def _by_number(sides: Sides, players: Sequence[Any]) -> tuple[Seats, Seats] | None:
    """Look seats up in a list, which is faster; None unless all player ids are small integers."""
    small = range(_SPARSE * len(players))
    if {*map(type, players)} != {int} or min(players) < 0 or max(players) not in small:
        return None
    seats = [_STRANGER] * (max(players) + 1)
    for seat, number in enumerate(players):
        seats[number] = seat
    try:
        found = (
            _seats_of_side(sides[0], seats),
            _seats_of_side(sides[1], seats, nobody=len(players)),
        )
    except (IndexError, TypeError):
        return None
    known = len(seats) == len(players) or not any(_STRANGER in side for side in found)
    return found if known else None


def _seats_of_side(side: Sequence[Any], seats: Seats, nobody: int | None = None) -> Seats:
    """Return the seats of one side; raises IndexError or TypeError for an id that has no seat."""
    try:
        found = tuple([seats[one] for one in side if one >= 0])
    except TypeError:
        if nobody is None:
            raise
        found = tuple(
            [nobody if one is None else seats[one] for one in side if one is None or one >= 0]
        )
    if len(found) < len(side):  # a list would count negative numbers from its end
        raise IndexError
    return found


def _by_name(sides: Sides, players: Sequence[Any]) -> tuple[Seats, Seats]:
    seats: dict[Any, int] = {name: seat for seat, name in enumerate(players)}
    try:
        a = values_at(seats, sides[0])
        seats[None] = len(players)
        return a, values_at(seats, sides[1])
    except KeyError as unknown:
        name = unknown.args[0]
        raise ValueError(f"A result names {name!r}, who is not among the players.") from None


def _outcomes(
    all_a: Seats, all_b: Seats, winners: Sequence[Winner | None], size: int
) -> tuple[Outcomes, bool]:
    """Return wins, draws and losses by seat, and whether every match counts."""
    won, drawn, lost = [0] * size, [0] * size, [0] * size
    all_count = True
    for a, b, winner in zip(all_a, all_b, winners, strict=True):
        if winner is _A:
            won[a] += 1
            lost[b] += 1
        elif winner is _B:
            won[b] += 1
            lost[a] += 1
        elif winner is _DRAW:
            drawn[a] += 1
            drawn[b] += 1
        elif winner is _NONE:
            lost[a] += 1
            lost[b] += 1
        else:
            all_count = False
    return Outcomes(won, drawn, lost), all_count
