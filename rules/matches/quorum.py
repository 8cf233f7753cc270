"""What the reports of the players at a table decide together.

Source: tables, 7: more than half of the seats have to say the same, and nobody the contrary.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules.matches.agreement import agree
from rules.results import Outcome


class Told(StrEnum):
    """What the reports come to."""

    REPORTED = "reported"
    DISPUTED = "disputed"
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What one seat said last: an outcome, or (``denies``) that this one is wrong."""

    seat: int
    outcome: Outcome
    denies: bool = False


def needed(size: int, gone: Collection[int] = ()) -> int:
    """Return how many seats have to agree; those ``gone`` are not counted: 3 of 4, 2 of 3."""
    return (size - len({*gone})) // 2 + 1


def decided_by(statements: Sequence[Statement], *, size: int, gone: Collection[int] = ()) -> Told:
    """Return what the statements, one of each seat that made any, come to.

    A different report or a denial is a dispute, whatever the others say; it ends when those seats
    come to agree.
    """
    present = [told for told in statements if told.seat not in gone]
    if any(told.denies for told in present):
        return Told.DISPUTED
    if not all(agree(present[0].outcome, told.outcome, gone) for told in present[1:]):
        return Told.DISPUTED
    return Told.FINAL if len(present) >= needed(size, gone) else Told.REPORTED
