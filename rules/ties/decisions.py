"""Level players: a drawing of lots or an extra match decides, else they share their rank.

Tournament rules, Standings order, drawing of lots.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Protocol

from rules.criteria import Split
from rules.history.group_history import History
from rules.results import PlayerId, Points
from rules.stages.base import ExtraRound, StageState
from rules.standings.table import Proof, Standing, Standings, Step, rank_across, rank_history
from rules.ties.extra_matches import EXTRA_MATCH, series_of

Classes = tuple[tuple[PlayerId, ...], ...]
Lots = Sequence[Sequence[PlayerId]]
Penalties = Mapping[PlayerId, int]
LOTS = "lots"


class Decision(Protocol):
    """Something that decides between level players: a draw, or a series of extra matches."""

    @property
    def key(self) -> str:
        """Return what it is called as the reason of a place."""

    def split(self, level: Sequence[PlayerId]) -> Split | None:
        """Return how it splits level players, None where it says nothing of them."""


Decisions = tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class DrawnOrder:
    """An order of players as it was drawn."""

    order: tuple[PlayerId, ...]

    @property
    def key(self) -> str:
        """Return what it is called as the reason of a place."""
        return LOTS

    def split(self, level: Sequence[PlayerId]) -> Split | None:
        """Return the players in the order drawn, None unless all of them were drawn."""
        if not set(level) <= set(self.order):
            return None
        drawn = [player for player in self.order if player in set(level)]
        return Split(
            classes=tuple((player,) for player in drawn),
            figures={player: (position,) for position, player in enumerate(drawn, start=1)},
        )


def decisions(lots: Lots, extra: Sequence[ExtraRound] = ()) -> Decisions:
    """Return what decides between level players, oldest first.

    ``lots`` are the draws of the event in their order; those that say nothing of the stage may
    be empty, but are counted: an extra round knows how many were drawn before it.
    """
    found: list[tuple[int, int, Decision]] = [
        (number, 0, DrawnOrder(tuple(order))) for number, order in enumerate(lots, start=1)
    ]
    found += [(series.after, 1, series) for series in series_of(extra)]
    found.sort(key=lambda each: each[:2])
    return tuple(decision for _after, _kind, decision in found)


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
    return (*(key for key in criteria if key != LOTS), LOTS)


def classes_of(standings: Standings) -> Classes:
    """Return the players rank by rank; those who share one stand together."""
    by_rank: dict[int, list[PlayerId]] = {}
    for row in standings.rows:
        by_rank.setdefault(row.rank, []).append(row.player)
    return tuple(tuple(players) for players in by_rank.values())


def asked_last(standings: Standings) -> Classes:
    """Return the players of whom lots or an extra match decide, each set that was asked about."""
    return tuple(
        step.level for step in standings.steps if step.criterion in (LOTS, EXTRA_MATCH.key)
    )


def ranked(history: History, criteria: Sequence[str], decided: Decisions) -> Standings:
    """Return the standings of one group; what was decided counts where nothing else does."""
    undecided = [key for key in criteria if key != LOTS]
    return _refined(rank_history(history, criteria=undecided), decided)


def ranked_across(
    candidates: Sequence[tuple[PlayerId, History]], criteria: Sequence[str], decided: Decisions
) -> Standings:
    """Return the standings of players of different groups, decided in the same way."""
    undecided = [key for key in criteria if key != LOTS]
    return _refined(rank_across(candidates=candidates, criteria=undecided), decided)


def _refined(standings: Standings, decided: Decisions) -> Standings:
    """Return standings with the order that was decided inside each tied set."""
    if not standings.tied:
        return standings
    rows: list[Standing] = []
    tied: list[tuple[PlayerId, ...]] = []
    steps: list[Step] = []
    waiting = iter(standings.rows)
    for level in classes_of(standings):
        level_rows = {row.player: row for row in islice(waiting, len(level))}
        if len(level) == 1:
            rows += level_rows.values()
            continue
        for players, proof in _parts(level, level_rows[level[0]].proof, decided, steps):
            rank, shared = len(rows) + 1, len(players) > 1
            proof = proof._replace(shared=shared) if proof else None
            rows += [_placed(level_rows[player], rank, proof) for player in players]
            tied += [players] if shared else []
    return Standings(rows=tuple(rows), tied=tuple(tied), asked=(*standings.asked, steps))


def _placed(row: Standing, rank: int, proof: Proof | None) -> Standing:
    """Return a player's row on another rank, with what put them there."""
    placed_by = proof.criterion if proof else None
    return row._replace(rank=rank, placed_by=placed_by, proof=proof)


def _parts(
    level: tuple[PlayerId, ...], proof: Proof | None, decided: Decisions, steps: list[Step]
) -> list[tuple[tuple[PlayerId, ...], Proof | None]]:
    """Return the classes of level players, each with what put it behind the one before.

    Those whom a decision leaves level are asked about again; every split is kept in ``steps``.
    """
    if len(level) == 1:
        return [(level, proof)]
    key, split = _latest(decided, level)
    steps.append(Step(key, level, split))
    if len(split.classes) == 1:
        return [(level, proof)]
    behind = Proof(
        criterion=key,
        level=level,
        values={player: Fraction(found[0]) for player, found in split.figures.items()},
        shared=False,
    )
    first, *others = split.classes
    parts = _parts(first, proof, decided, steps)
    for other in others:
        parts += _parts(other, behind, decided, steps)
    return parts


def _latest(decided: Decisions, level: tuple[PlayerId, ...]) -> tuple[str, Split]:
    """Return the latest decision on the whole set that separates somebody, with its reason.

    Where none does, the latest that was about all of them; else lots that have not been drawn.
    """
    undecided: tuple[str, Split] | None = None
    for decision in reversed(decided):
        split = decision.split(level)
        if split is not None and len(split.classes) > 1:
            return decision.key, split
        if split is not None and undecided is None:
            undecided = decision.key, split
    return undecided or (LOTS, Split(classes=(level,)))
