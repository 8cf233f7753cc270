"""A knock-out by tables: how many go through a step, and who meets whom.

Source: tables, 6 (table_cut).
"""

from collections.abc import Sequence
from typing import NamedTuple

from rules.errors import BadInput
from rules.results import PlayerId

STEPS = (3, 2, 1)
"""A step ends with as many players as tables of the usual size have, to one of these powers."""


class CutStep(NamedTuple):
    """One step of a cut: so many tables of the usual size, and byes to the best seeds."""

    tables: int
    byes: int


def cut_step(players: int, usual: int) -> CutStep:
    """Return the step from so many players to the next; a table of the usual size is the final.

    Raises BadInput ``invalid_cut`` with the nearest possible numbers.
    """
    found = _step(players, usual)
    if found is None:
        raise BadInput(
            "invalid_cut",
            "A cut to %(players)s players makes no full tables of %(usual)s. Nothing was stored: "
            "possible are %(nearest)s.",
            players=players,
            usual=usual,
            nearest=nearest_cuts(players, usual),
        )
    return found


def is_cut(players: int, usual: int) -> bool:
    """Return whether a cut can begin with so many players."""
    return _step(players, usual) is not None


def _step(players: int, usual: int) -> CutStep | None:
    if players == usual:
        return CutStep(tables=1, byes=0)
    left = next((usual**power for power in STEPS if usual**power < players), None)
    if left is None or players > left * usual or (players - left) % (usual - 1):
        return None
    tables = (players - left) // (usual - 1)
    return CutStep(tables=tables, byes=left - tables)


def nearest_cuts(players: int, usual: int) -> tuple[int, ...]:
    """Return the possible numbers of players next below and above, those that there are."""
    most = usual ** (STEPS[0] + 1)
    below = next((one for one in range(min(players, most), 1, -1) if _step(one, usual)), None)
    above = next((one for one in range(players + 1, most + 1) if _step(one, usual)), None)
    return tuple(one for one in (below, above) if one is not None)


def cut_tables(
    seeded: Sequence[PlayerId], usual: int
) -> tuple[tuple[PlayerId, ...], tuple[tuple[PlayerId, ...], ...]]:
    """Return the players with a bye and the tables of a step, in the order of seeds.

    After the byes, seeds go to tables 1 … t, t … 1, and so on.
    """
    step = cut_step(len(seeded), usual)
    tables: tuple[list[PlayerId], ...] = tuple([] for _table in range(step.tables))
    for turn, start in enumerate(range(step.byes, len(seeded), step.tables)):
        row = seeded[start : start + step.tables]
        for table, player in zip(tables, row[::-1] if turn % 2 else row, strict=True):
            table.append(player)
    return tuple(seeded[: step.byes]), tuple(map(tuple, tables))
