"""Players compared whose groups differ in size: over as many matches, where the plan says so.

A larger group is then counted as if its last had not been there: no match against them, and no
points from them among the opponents' points. Who has left the event stands behind all others.
Tournament rules, Standings order (players of different groups).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.history import History
from rules.plan import StagePlan
from rules.results import PlayerId
from rules.standings import Standings
from rules.ties import classes_of

Level = tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What counts of each group in a comparison.

    ``open`` are the level players of whom nobody knows yet who is the last of a larger group;
    while there are any, there is no comparison.
    """

    histories: Mapping[str, History]
    open: tuple[Level, ...] = ()


def differ(plan: StagePlan, groups: Sequence[str]) -> tuple[int, int] | None:
    """Return the smallest and the largest of the groups compared; None where they are equal."""
    sizes = [len(group.seats) for group in plan.groups if group.name in groups]
    return (min(sizes), max(sizes)) if sizes and min(sizes) < max(sizes) else None


def counted(
    histories: Mapping[str, History],
    standings: Mapping[str, Standings],
    groups: Sequence[str],
    withdrawn: Collection[PlayerId],
) -> Counted:
    """Return the histories of the groups compared, the larger ones without their last."""
    size = min((len(histories[group].players) for group in groups), default=0)
    found: dict[str, History] = {}
    unknown: list[Level] = []
    for group in groups:
        kept: list[PlayerId] = []
        for level, tied in _best_first(standings[group], withdrawn):
            room = size - len(kept)
            if 0 < room < len(level):
                unknown.append(tied)
            kept += level[: max(room, 0)]
        found[group] = _among(histories[group], frozenset(kept))
    return Counted(histories=found, open=tuple(unknown))


def _best_first(
    standings: Standings, withdrawn: Collection[PlayerId]
) -> Iterator[tuple[Level, Level]]:
    """Yield level players, those who have left behind all others, and whom they are level with."""
    classes = classes_of(standings)
    for gone in (False, True):
        for tied in classes:
            if level := tuple(player for player in tied if (player in withdrawn) is gone):
                yield level, tied


def _among(history: History, kept: frozenset[PlayerId]) -> History:
    """Return a group's history with the matches among some of its players only."""
    if len(kept) == len(history.players):
        return history
    return replace(
        history,
        players=tuple(player for player in history.players if player in kept),
        results=tuple(
            result
            for result in history.results
            if result.a in kept and (result.b is None or result.b in kept)
        ),
    )
