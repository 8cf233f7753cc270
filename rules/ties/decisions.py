"""Decisions between level players: lots or tiebreaker matches; without one they share a rank.

``undecided_ties`` are those that affect positions of a ranking. ``trace_standings`` has the
criteria applied to each set of level players; it is read from the splits that produced the
standings, so that explanation and ranking cannot differ.

Source: tournament rules, Standings order, random draw.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Protocol

from rules.criteria import TiebreakerSplit
from rules.criteria.base import Number
from rules.history.group_history import GroupHistory, History
from rules.history.table_history import TableHistory
from rules.plans import StagePlan
from rules.results import PlayerId, Points
from rules.stages.base import StageState, TiebreakerRound, has_multiplayer_tables, stage_kind
from rules.standings.table import (
    CriterionStep,
    RankProof,
    Standing,
    Standings,
    rank_across_groups,
    rank_history,
)
from rules.tables.results import to_table_result
from rules.ties.extra_matches import (
    EXTRA_MATCH,
    CriterionNamed,
    group_rounds_into_series,
    tiebreaker_by_key,
)
from rules.wording import Sentence

Classes = tuple[tuple[PlayerId, ...], ...]
Lots = Sequence[Sequence[PlayerId]]
Penalties = Mapping[PlayerId, int]
LOTS = "lots"


class TieDecision(Protocol):
    """What decided between tied players: a random draw, or a series of tiebreaker matches."""

    @property
    def key(self) -> str:
        """Return the key used as the reason of a rank."""

    def split(self, level: Sequence[PlayerId]) -> TiebreakerSplit | None:
        """Return level players split by this decision, None if it does not apply."""


Decisions = tuple[TieDecision, ...]


@dataclass(frozen=True, slots=True)
class DrawnOrder:
    """The order of players in a random draw, best first."""

    order: tuple[PlayerId, ...]

    @property
    def key(self) -> str:
        """Return the key used as the reason of a rank."""
        return LOTS

    def split(self, level: Sequence[PlayerId]) -> TiebreakerSplit | None:
        """Return the players in the order drawn, None unless all of them were drawn."""
        if not set(level) <= set(self.order):
            return None
        drawn = [player for player in self.order if player in set(level)]
        return TiebreakerSplit(
            classes=tuple((player,) for player in drawn),
            figures={player: (position,) for position, player in enumerate(drawn, start=1)},
        )


def recorded_decisions(lots: Lots, extra: Sequence[TiebreakerRound] = ()) -> Decisions:
    """Return all random draws and series of tiebreaker matches of a stage, oldest first.

    ``lots`` are the orders drawn in the event; those of other stages may be empty but are counted,
    because a tiebreaker round (``extra``) records the number of draws before it. A series of
    tiebreaker matches is later than the last of these draws.
    """
    found: list[tuple[int, int, TieDecision]] = [
        (number, 0, DrawnOrder(tuple(order))) for number, order in enumerate(lots, start=1)
    ]
    found += [(series.after, 1, series) for series in group_rounds_into_series(extra)]
    found.sort(key=lambda each: each[:2])
    return tuple(decision for _after, _kind, decision in found)


def group_histories(
    state: StageState, points: Points, penalties: Penalties
) -> dict[str, GroupHistory]:
    """Return the history of each group of a stage, by group name; a knock-out is one group.

    Stages of multiplayer tables use the ``table_points`` of their state instead of ``points``.
    """
    if has_multiplayer_tables(state.plan):
        return {
            group.name: TableHistory(
                players=state.seated(group.name),
                results=tuple(map(to_table_result, state.results_of(group.name))),
                points=state.table_points,
                usual=stage_kind(state.plan).sizes_of(state.plan)[0],
                penalties=penalties,
            )
            for group in state.plan.groups
        }
    return {
        group.name: History(
            players=state.seated(group.name),
            results=state.results_of(group.name),
            points=points,
            penalties=penalties,
            dropped=players_who_dropped(state),
        )
        for group in state.plan.groups
    }


def players_who_dropped(state: StageState) -> frozenset[PlayerId]:
    """Return the players who dropped from a Swiss stage before its last round so far.

    Derived from the pairings, so dropping later or coming back changes no earlier standings. Empty
    for stages not paired by points.
    """
    if not state.rounds or not stage_kind(state.plan).pairs_by_points:
        return frozenset()
    there = {player for pairing, _result in state.rounds[-1] for player in pairing.seats}
    return frozenset(state.players) - there


def add_random_draw(criteria: Sequence[str]) -> tuple[str, ...]:
    """Return the tiebreaker keys with the random draw last, whether it was among them or not."""
    return (*(key for key in criteria if key != LOTS), LOTS)


def tied_classes(standings: Standings) -> Classes:
    """Return the players of standings in classes, best first; tied players share one."""
    by_rank: dict[int, list[PlayerId]] = {}
    for row in standings.rows:
        by_rank.setdefault(row.rank, []).append(row.player)
    return tuple(tuple(players) for players in by_rank.values())


def sets_decided_by_draw(standings: Standings) -> Classes:
    """Return the tied sets to which a random draw or tiebreaker matches were applied."""
    return tuple(
        step.level for step in standings.steps if step.criterion in (LOTS, EXTRA_MATCH.key)
    )


def rank_with_decisions(
    history: GroupHistory, criteria: Sequence[str], decided: Decisions
) -> Standings:
    """Return the standings of one group, with random draws and tiebreaker matches applied.

    ``criteria`` are tiebreaker keys.
    """
    undecided = [key for key in criteria if key != LOTS]
    return _apply_decisions(rank_history(history, criteria=undecided), decided)


def rank_across_groups_with_decisions(
    candidates: Sequence[tuple[PlayerId, GroupHistory]], criteria: Sequence[str], decided: Decisions
) -> Standings:
    """Return the standings of players of different groups, with decisions applied.

    ``candidates`` are (player, history of the group), ``criteria`` tiebreaker keys. Decisions are
    random draws and tiebreaker matches.
    """
    undecided = [key for key in criteria if key != LOTS]
    return _apply_decisions(rank_across_groups(candidates=candidates, criteria=undecided), decided)


def _apply_decisions(standings: Standings, decided: Decisions) -> Standings:
    """Return standings with decisions applied inside each tied set."""
    if not standings.tied:
        return standings
    rows: list[Standing] = []
    tied: list[tuple[PlayerId, ...]] = []
    steps: list[CriterionStep] = []
    waiting = iter(standings.rows)
    for level in tied_classes(standings):
        level_rows = {row.player: row for row in islice(waiting, len(level))}
        if len(level) == 1:
            rows += level_rows.values()
            continue
        for players, proof in _classes_with_proofs(
            level, level_rows[level[0]].proof, decided, steps
        ):
            rank, shared = len(rows) + 1, len(players) > 1
            proof = proof._replace(shared=shared) if proof else None
            rows += [_with_rank(level_rows[player], rank, proof) for player in players]
            tied += [players] if shared else []
    return Standings(rows=tuple(rows), tied=tuple(tied), applied=(*standings.applied, steps))


def _with_rank(row: Standing, rank: int, proof: RankProof | None) -> Standing:
    placed_by = proof.criterion if proof else None
    return row._replace(rank=rank, placed_by=placed_by, proof=proof)


def _classes_with_proofs(
    level: tuple[PlayerId, ...],
    proof: RankProof | None,
    decided: Decisions,
    steps: list[CriterionStep],
) -> list[tuple[tuple[PlayerId, ...], RankProof | None]]:
    """Return the classes of level players, each with the proof that puts it behind the one before.

    Players whom a decision leaves level are split again; every split is appended to ``steps``.
    """
    if len(level) == 1:
        return [(level, proof)]
    key, split = _latest(decided, level)
    steps.append(CriterionStep(key, level, split))
    if len(split.classes) == 1:
        return [(level, proof)]
    behind = RankProof(
        criterion=key,
        level=level,
        values={player: Fraction(found[0]) for player, found in split.figures.items()},
        shared=False,
    )
    first, *others = split.classes
    parts = _classes_with_proofs(first, proof, decided, steps)
    for other in others:
        parts += _classes_with_proofs(other, behind, decided, steps)
    return parts


def _latest(decided: Decisions, level: tuple[PlayerId, ...]) -> tuple[str, TiebreakerSplit]:
    """Return the key and split of the latest decision on the whole set that separates somebody.

    If there is none, the latest that covers the whole set; else lots that have not been drawn.
    """
    undecided: tuple[str, TiebreakerSplit] | None = None
    for decision in reversed(decided):
        split = decision.split(level)
        if split is not None and len(split.classes) > 1:
            return decision.key, split
        if split is not None and undecided is None:
            undecided = decision.key, split
    return undecided or (LOTS, TiebreakerSplit(classes=(level,)))


Uses = frozenset[Hashable]
"""What a position leads to; players on positions with equal uses are interchangeable."""


def place_identity(plan: StagePlan, name: str) -> Hashable:
    """Return what identifies a place of a plan for ties: equal for interchangeable places.

    The name, or the set of names that it is interchangeable with.
    """
    return next((names for names in plan.interchangeable if name in names), name)


def classes_of_present_players(standings: Standings, withdrawn: Collection[PlayerId]) -> Classes:
    """Return the classes of tied players of standings, best first, without withdrawn ones."""
    kept = [
        tuple(player for player in level if player not in withdrawn)
        for level in tied_classes(standings)
    ]
    return tuple(level for level in kept if level)


def undecided_ties(
    standings: Standings,
    uses: Mapping[int, Uses],
    withdrawn: Collection[PlayerId],
    first: int = 1,
) -> Classes:
    """Return the tied sets whose order affects who advances where.

    They include withdrawn players. ``uses`` maps positions to the places they lead to; ``first`` is
    the position (from 1) of the first player who has not withdrawn.
    """
    found = []
    position = first
    for tied in tied_classes(standings):
        count = sum(player not in withdrawn for player in tied)
        if count > 1 and _order_matters(uses, position, count):
            found.append(tied)
        position += count
    return tuple(found)


def holder_of_position(
    classes: Classes, position: int, uses: Mapping[int, Uses]
) -> PlayerId | None:
    """Return the player on a position, from 1; None for nobody, or if a tie leaves it open.

    ``classes`` are tied players, best first; ``uses`` maps positions to the places they lead to.
    """
    level, index = class_at_position(classes, position)
    if len(level) == 1 or (level and not _order_matters(uses, position - index, len(level))):
        return level[index]
    return None


def class_at_position(classes: Classes, position: int) -> tuple[tuple[PlayerId, ...], int]:
    """Return (class of tied players that covers a position, the index in it).

    Positions count from 1; ((), 0) if there is none.
    """
    before = 0
    for level in classes:
        if position <= before + len(level):
            return level, position - before - 1
        before += len(level)
    return (), 0


def _order_matters(uses: Mapping[int, Uses], position: int, count: int) -> bool:
    """Return whether the order of players on consecutive positions affects who goes where."""
    return len({uses.get(position + step, frozenset()) for step in range(count)}) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TiebreakerTrace:
    """A tiebreaker applied to tied players (``level``), for display.

    ``values`` is the value of each, empty for a random draw that is still to be made; ``order`` the
    resulting classes, best first: one class if nobody is separated.
    """

    criterion: str
    level: tuple[PlayerId, ...]
    values: Mapping[PlayerId, tuple[Number, ...]]
    order: tuple[tuple[PlayerId, ...], ...]

    @property
    def separates(self) -> bool:
        """Return whether it separated any players."""
        return len(self.order) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TiedSet:
    """Players tied under the first tiebreaker, their values, and the steps that followed."""

    criterion: str
    values: tuple[Number, ...]
    players: tuple[PlayerId, ...]
    steps: tuple[TiebreakerTrace, ...]


def trace_standings(standings: Standings) -> tuple[TiedSet, ...]:
    """Return the sets that the first tiebreaker leaves tied, best first, each with its steps."""
    if not standings.steps:
        return ()
    first, *rest = standings.steps
    class_of = {one: at for at, level in enumerate(first.split.classes) for one in level}
    asked: dict[int, list[CriterionStep]] = defaultdict(list)
    for step in rest:
        asked[class_of[step.level[0]]].append(step)
    return tuple(
        TiedSet(
            criterion=first.criterion,
            values=first.split.figures.get(players[0], ()),
            players=players,
            steps=tuple(map(_traced_step, asked[at])),
        )
        for at, players in enumerate(first.split.classes)
        if len(players) > 1
    )


def _traced_step(step: CriterionStep) -> TiebreakerTrace:
    separates = len(step.split.classes) > 1
    unknown = step.criterion == LOTS and not separates
    return TiebreakerTrace(
        criterion=step.criterion,
        level=step.level,
        values={} if unknown else {one: step.split.figures[one] for one in step.level},
        order=step.split.classes,
    )


def explain_rank(
    standing: Standing,
    names: Mapping[PlayerId, str],
    named: CriterionNamed = tiebreaker_by_key,
) -> Sentence | None:
    """Return the message that explains the rank of a row; None for the first row.

    It names the tiebreaker that separated the player from the previous one and the values of all
    players tied at that point, best first. ``names`` are those of players; ``named`` finds a
    tiebreaker of these standings by key.
    """
    proof = standing.proof
    if proof is None:
        return None
    criterion = named(proof.criterion)
    best_first = sorted(
        proof.level, key=partial(_values_of, proof), reverse=not criterion.lowest_first
    )
    return Sentence(
        "Behind the player above on %(criterion)s: %(figures)s.",
        {
            "criterion": criterion.label,
            "figures": tuple(_values_in_words(proof, player, names) for player in best_first),
        },
    )


def _values_of(proof: RankProof, player: PlayerId) -> tuple[Fraction, ...]:
    return proof.figures.get(player) or (proof.values[player],)


def _values_in_words(proof: RankProof, player: PlayerId, names: Mapping[PlayerId, str]) -> str:
    numbers = " / ".join(str(number) for number in _values_of(proof, player))
    return f"{names[player]} {numbers}"
