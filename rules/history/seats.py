"""Results by seat: a seat is a player's index in the group, the one after the last means nobody.

Everything that the standings need of a result is collected in one loop: iterating over many
results again would cost more than the computation itself.
"""

from collections.abc import Sequence
from itertools import compress
from typing import Any, NamedTuple

from rules.results import PlayerId, Result, Winner

Seats = list[int]
_STRANGER = -1
_SPARSE = 8
"""A list of seats by number has at most so many places for each player."""
_A, _B, _DRAW, _NONE = Winner.A, Winner.B, Winner.DRAW, Winner.NONE


class Outcomes(NamedTuple):
    """Matches won, drawn and lost, by seat."""

    won: list[int]
    drawn: list[int]
    lost: list[int]


class Seated(NamedTuple):
    """Counted matches: seats of players a and b, the results, and the outcomes by seat."""

    a: Seats
    b: Seats
    results: Sequence[Result]
    outcomes: Outcomes


_Found = tuple[Seats, Seats, Outcomes, bool]
"""The seats of all a and of all b, how what counts has ended, and whether everything counts."""


class _Named(NamedTuple):
    """The fields of a result needed to seat it, with numbers instead of names."""

    a: int
    b: int | None
    winner: Winner | None


def seated(results: Sequence[Result], players: Sequence[PlayerId]) -> Seated:
    """Return the counted matches by seat, with their outcomes.

    Raises ValueError if a result names somebody who is not one of the players.
    """
    a, b, outcomes, all_count = _by_number(results, players) or _by_name(results, players)
    if all_count:
        return Seated(a, b, results, outcomes)
    counted = [result.counts for result in results]
    return Seated(
        [*compress(a, counted)], [*compress(b, counted)], [*compress(results, counted)], outcomes
    )


def _by_number(results: Sequence[Any], players: Sequence[Any]) -> _Found | None:
    """Look seats up in a list, which is faster; None unless all player ids are small integers."""
    small = range(_SPARSE * len(players))
    if {*map(type, players)} != {int} or min(players) < 0 or max(players) not in small:
        return None
    seats = [_STRANGER] * (max(players) + 1)
    for seat, number in enumerate(players):
        seats[number] = seat
    try:
        found = _read(results, seats, len(players))
    except (IndexError, TypeError):
        return None
    known = len(seats) == len(players) or not any(_STRANGER in side for side in found[:2])
    return found if known else None


def _by_name(results: Sequence[Result], players: Sequence[PlayerId]) -> _Found:
    seats: dict[Any, Any] = {name: seat for seat, name in enumerate(players)}
    seats[None] = None
    try:
        named = [_Named(seats[one.a], seats[one.b], one.winner) for one in results]
    except KeyError as unknown:
        name = unknown.args[0]
        raise ValueError(f"A result names {name!r}, who is not among the players.") from None
    return _read(named, [*range(len(players))], len(players))


def _read(results: Sequence[Any], seats: Sequence[int], nobody: int) -> _Found:
    """Collect the results; raises IndexError or TypeError for an id that has no seat."""
    all_a, all_b, all_count = [], [], True
    won, drawn, lost = [0] * (nobody + 1), [0] * (nobody + 1), [0] * (nobody + 1)
    for result in results:
        a, b, winner = result.a, result.b, result.winner
        if a < 0 or (b is not None and b < 0):  # which a list would count from its end
            raise IndexError
        a, b = seats[a], nobody if b is None else seats[b]
        all_a.append(a)
        all_b.append(b)
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
    return all_a, all_b, Outcomes(won, drawn, lost), all_count
