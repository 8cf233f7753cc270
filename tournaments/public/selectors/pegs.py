"""Players of a group as pegs in a box: two columns, or the number where there are many."""

from dataclasses import dataclass

MOST_PEGS = 8
SIDE, STEP = 8, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Pegs:
    """A box with its pegs as (x, y), or with a ``number``, in units of a drawing."""

    wide: int
    high: int
    pegs: tuple[tuple[int, int], ...]
    number: int = 0


def pegs_of(players: int) -> Pegs:
    """Return the box of a group."""
    if players > MOST_PEGS:
        return Pegs(wide=2 * SIDE + 2 * STEP, high=2 * SIDE + STEP, pegs=(), number=players)
    columns = (players + 1) // 2
    pegs = tuple(
        (SIDE + STEP * (at // 2), SIDE + STEP * (at % 2))
        if players > 2
        else (SIDE + STEP * at, SIDE + STEP // 2)
        for at in range(players)
    )
    across = players if players <= 2 else columns
    return Pegs(wide=2 * SIDE + STEP * (across - 1), high=2 * SIDE + STEP, pegs=pegs)
