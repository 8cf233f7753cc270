"""Level players: recorded draws of lots decide, else they share their rank.

Tournament rules, Standings order, drawing of lots.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from rules.history import History
from rules.results import PlayerId, Points
from rules.stages.base import StageState
from rules.standings import Standings, rank_across, rank_history

Classes = tuple[tuple[PlayerId, ...], ...]
Lots = Sequence[Sequence[PlayerId]]
Penalties = Mapping[PlayerId, int]


def histories_of(state: StageState, points: Points, penalties: Penalties) -> dict[str, History]:
    """Return the history of each group of a stage; a knock-out is one group."""
    return {
        group.name: History(
            players=tuple(player for player in state.seats[group.name] if player is not None),
            results=state.results_of(group.name),
            points=points,
            penalties=penalties,
        )
        for group in state.plan.groups
    }


def lots_last(criteria: Sequence[str]) -> tuple[str, ...]:
    """Return criteria with the drawing of lots as the last: advancement needs a decision."""
    return (*(key for key in criteria if key != "lots"), "lots")


def classes_of(standings: Standings) -> Classes:
    """Return the players rank by rank; those who share one stand together."""
    by_rank: dict[int, list[PlayerId]] = {}
    for row in standings.rows:
        by_rank.setdefault(row.rank, []).append(row.player)
    return tuple(tuple(players) for players in by_rank.values())


def ranked(history: History, criteria: Sequence[str], lots: Lots) -> Standings:
    """Return the standings of one group; recorded draws decide where nothing else does."""

    def rank_drawn(drawn: Sequence[PlayerId]) -> Standings:
        return rank_history(replace(history, lots=tuple(drawn)), criteria=criteria)

    return _with_lots(rank_drawn, lots)


def ranked_across(
    candidates: Sequence[tuple[PlayerId, History]], criteria: Sequence[str], lots: Lots
) -> Standings:
    """Return the standings of players of different groups, decided by draws in the same way."""

    def rank_drawn(drawn: Sequence[PlayerId]) -> Standings:
        return rank_across(candidates=candidates, criteria=criteria, lots=drawn)

    return _with_lots(rank_drawn, lots)


def _with_lots(rank_drawn: Callable[[Sequence[PlayerId]], Standings], lots: Lots) -> Standings:
    before = rank_drawn(())
    order = [player for tied in before.tied for player in _latest(lots, tied)]
    return rank_drawn(order) if order else before


def _latest(lots: Lots, tied: Sequence[PlayerId]) -> tuple[PlayerId, ...]:
    for draw in reversed(lots):
        if set(tied) <= set(draw):
            return tuple(player for player in draw if player in set(tied))
    return ()
