"""Consecutive positions of a ranking: their holders, and ties that affect them."""

from collections.abc import Collection, Hashable, Mapping

from rules.plans.plan import StagePlan
from rules.results import PlayerId
from rules.standings.table import Standings
from rules.ties.decisions import Classes, classes_of

Uses = frozenset[Hashable]
"""What a position leads to; players on positions with equal uses are interchangeable."""


def place_identity(plan: StagePlan, name: str) -> Hashable:
    """Return the identity of a place: its name, or the set of names it is interchangeable with."""
    return next((names for names in plan.interchangeable if name in names), name)


def classes_without(standings: Standings, withdrawn: Collection[PlayerId]) -> Classes:
    """Return the classes of standings without withdrawn players."""
    kept = [
        tuple(player for player in level if player not in withdrawn)
        for level in classes_of(standings)
    ]
    return tuple(level for level in kept if level)


def undecided_ties(
    standings: Standings,
    uses: Mapping[int, Uses],
    withdrawn: Collection[PlayerId],
    first: int = 1,
) -> Classes:
    """Return the tied sets whose order affects who goes where, withdrawn players included.

    ``first`` is the position of the first remaining player.
    """
    found = []
    position = first
    for tied in classes_of(standings):
        count = sum(player not in withdrawn for player in tied)
        if count > 1 and _order_matters(uses, position, count):
            found.append(tied)
        position += count
    return tuple(found)


def holder_of_position(
    classes: Classes, position: int, uses: Mapping[int, Uses]
) -> PlayerId | None:
    """Return the player on a position, from 1; None for nobody, or if a tie leaves it open."""
    level, index = class_at(classes, position)
    if len(level) == 1 or (level and not _order_matters(uses, position - index, len(level))):
        return level[index]
    return None


def class_at(classes: Classes, position: int) -> tuple[tuple[PlayerId, ...], int]:
    """Return the class that covers a position, from 1, and the index in it."""
    before = 0
    for level in classes:
        if position <= before + len(level):
            return level, position - before - 1
        before += len(level)
    return (), 0


def _order_matters(uses: Mapping[int, Uses], position: int, count: int) -> bool:
    """Return whether the order of players on consecutive positions affects who goes where."""
    return len({uses.get(position + step, frozenset()) for step in range(count)}) > 1
