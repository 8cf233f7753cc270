"""Who begins at a table, and in which order the others follow.

Source: tables, 5 (seats).
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import lcm

from rules.tables.chance import lot_of
from rules.tables.field import Entrant

Seats = Sequence[tuple[int, int]]
"""Seat and size of each table of a player."""


def in_seats(company: Sequence[Entrant], seed: str) -> tuple[Entrant, ...]:
    """Return the players of a table in the best order of seats, by their seats so far.

    Whoever has begun least begins; then who sat late sits early; then nobody gets the same seat
    number again; then the seed.
    """
    players = sorted(company, key=lambda one: lot_of(seed, one.player))
    begun = [sum(seat == 1 for seat, _size in one.seats) for one in players]
    late = _as_whole_numbers([_lateness(one.seats) for one in players])
    had = [
        [sum(was == seat for was, _size in one.seats) for seat in range(1, len(players) + 1)]
        for one in players
    ]

    def cost(order: Sequence[int]) -> tuple[int, int, int]:
        early = sum((len(order) - seat) * late[one] for seat, one in enumerate(order))
        return begun[order[0]], -early, sum(had[one][seat] for seat, one in enumerate(order))

    return tuple(players[one] for one in min(permutations(range(len(players))), key=cost))


def _lateness(seats: Seats) -> Fraction:
    """Return how late a player sat so far: 0 always first, 1 always last; 1/2 without a table."""
    if not seats:
        return Fraction(1, 2)
    return sum((Fraction(seat - 1, size - 1) for seat, size in seats), Fraction()) / len(seats)


def _as_whole_numbers(numbers: Sequence[Fraction]) -> list[int]:
    unit = lcm(*(number.denominator for number in numbers))
    return [int(number * unit) for number in numbers]
