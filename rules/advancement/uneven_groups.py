"""Comparison of players from groups of different sizes, over equal numbers of matches.

A larger group is then counted without its last player: their matches are ignored, also in
opponents' points. Withdrawn players rank behind all others; struck players count as absent.

Source: tournament rules, Standings order (players of different groups).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from rules.history.group_history import History
from rules.history.of_any_size import GroupHistory
from rules.plans.plan import StagePlan
from rules.results import PlayerId
from rules.stages.base import StageState
from rules.standings.table import Standings
from rules.ties.decisions import classes_of

Level = tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparableHistories:
    """The histories to compare.

    ``open`` are the level players among whom the last of a larger group is undecided; there is no
    comparison until it is decided.
    """

    histories: Mapping[str, GroupHistory]
    open: tuple[Level, ...] = ()


def seats_in(plan: StagePlan) -> dict[str, int]:
    """Return the size of each group with all seats taken."""
    return {group.name: len(group.seats) for group in plan.groups}


def players_in(state: StageState) -> dict[str, int]:
    """Return the number of players of each group that count: seated and not struck."""
    return {
        name: sum(player is not None and player not in state.struck for player in seats)
        for name, seats in state.seats.items()
    }


def uneven_sizes(sizes: Mapping[str, int], groups: Iterable[str]) -> tuple[int, int] | None:
    """Return the smallest and largest size of the groups compared; None if all are equal."""
    found = [sizes[group] for group in groups if group in sizes]
    return (min(found), max(found)) if found and min(found) < max(found) else None


def comparable_histories(
    histories: Mapping[str, GroupHistory],
    standings: Mapping[str, Standings],
    groups: Sequence[str],
    state: StageState,
) -> ComparableHistories:
    """Return the histories of the groups compared, the larger ones without their last player."""
    sizes = players_in(state)
    size = min((sizes[group] for group in groups), default=0)
    found: dict[str, GroupHistory] = {}
    unknown: list[Level] = []
    for group in groups:
        kept: list[PlayerId] = []
        for level, tied in _best_first(standings[group], state):
            room = size - len(kept)
            if 0 < room < len(level):
                unknown.append(tied)
            kept += level[: max(room, 0)]
        history = cast(History, histories[group])  # tables are of one group, compared with no other
        found[group] = history.among_players(frozenset(kept))
    return ComparableHistories(histories=found, open=tuple(unknown))


def _best_first(standings: Standings, state: StageState) -> Iterator[tuple[Level, Level]]:
    """Yield level players, withdrawn ones last, each with the level they are part of."""
    classes = classes_of(standings)
    there = [player for player in state.players if player not in state.struck]
    for gone in (False, True):
        counting = frozenset(player for player in there if (player in state.withdrawn) is gone)
        for tied in classes:
            if level := tuple(player for player in tied if player in counting):
                yield level, tied
