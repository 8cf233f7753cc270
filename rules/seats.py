"""Seats: the place of each player of a group, from 0 on; nobody sits on the one after the last."""

from collections.abc import Sequence
from typing import Any

from rules.results import PlayerId, Result

Seats = list[int]
_STRANGER = -1
_SPARSE = 8
"""A list of seats by number has at most so many places for each player."""


def seated(results: Sequence[Result], players: Sequence[PlayerId]) -> tuple[Seats, Seats]:
    """Return the seats of all a and of all b.

    Raises ValueError where a result names somebody who is none of the players.
    """
    return _by_number(results, players) or _by_name(results, players)


def _by_number(results: Sequence[Any], players: Sequence[Any]) -> tuple[Seats, Seats] | None:
    """Look seats up in a list, which takes less time; None unless all are small numbers."""
    small = range(_SPARSE * len(players))
    if {*map(type, players)} != {int} or min(players) < 0 or max(players) not in small:
        return None
    seats = [_STRANGER] * (max(players) + 1)
    for seat, number in enumerate(players):
        seats[number] = seat
    try:
        # A list answers to negative numbers too, so they are left out and missed.
        a = [seats[number] for result in results if (number := result.a) >= 0]
        b = [seats[number] for result in results if (number := result.b) >= 0]
    except (IndexError, TypeError):
        return None
    known = len(a) == len(b) == len(results)
    if len(seats) > len(players):
        known = known and _STRANGER not in a and _STRANGER not in b
    return (a, b) if known else None


def _by_name(results: Sequence[Result], players: Sequence[PlayerId]) -> tuple[Seats, Seats]:
    seats: dict[PlayerId | None, int] = {name: seat for seat, name in enumerate(players)}
    seats[None] = len(players)
    try:
        return [seats[result.a] for result in results], [seats[result.b] for result in results]
    except KeyError as unknown:
        name = unknown.args[0]
        raise ValueError(f"A result names {name!r}, who is not among the players.") from None
