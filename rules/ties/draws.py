"""Verifiable random draws.

The seed is a text. Before the draw only its fingerprint is published, afterwards the seed. To
verify a draw by hand: ``printf '%s' SEED | sha256sum`` gives the fingerprint, and ``printf '%s'
SEED:7 | sha256sum`` the ticket of player number 7. The lowest ticket, compared as text, is drawn
first.

Source: tournament rules, Standings order 6.
"""

from collections.abc import Sequence
from hashlib import sha256

from rules.errors import BadInput


def seed_fingerprint(seed: str) -> str:
    """Return the SHA-256 of a random seed in hexadecimal, published before the draw."""
    return sha256(seed.encode()).hexdigest()


def draw_ticket(seed: str, number: int) -> str:
    """Return the SHA-256, in hexadecimal, by which a player is sorted in a random draw.

    ``number`` is the player's; the lowest ticket is drawn first.
    """
    return sha256(f"{seed}:{number}".encode()).hexdigest()


def drawn_order(seed: str, entrants: Sequence[int]) -> tuple[int, ...]:
    """Return the players' numbers in the order in which a random seed draws them."""
    return tuple(sorted(entrants, key=lambda number: draw_ticket(seed, number)))


def seeded_order(seed: str, entrants: Sequence[tuple[int, int | None]]) -> tuple[int, ...]:
    """Return the players' numbers: those with a seed position in order, then the others drawn.

    ``entrants`` are (player's number, seed position or None), ``seed`` is the random seed of the
    draw, which also orders equal positions.
    """
    seeded = sorted(
        (place, draw_ticket(seed, number), number)
        for number, place in entrants
        if place is not None
    )
    rest = [number for number, place in entrants if place is None]
    return (*(number for _place, _ticket, number in seeded), *drawn_order(seed, rest))


def check_order(entrants: Sequence[int], order: Sequence[int]) -> None:
    """Raise BadInput ``bad_order`` unless ``order`` names each of these players once."""
    if sorted(entrants) != sorted(order) or len(set(order)) != len(order):
        raise BadInput(
            "bad_order",
            "List each of these players exactly once: %(players)s.",
            players=tuple(str(number) for number in sorted(entrants)),
        )
