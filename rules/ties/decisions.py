"""Decisions between level players: lots or tiebreaker matches; without one they share a rank.

``undecided_ties`` are those that affect positions of a ranking. In tiebreaker matches level players
play each other again, only to decide their order: two play one match; three or more a single round
robin. None ends drawn.

Source: tournament rules, Standings order, random draw; for the order after tiebreaker matches see
docs/rules-sources.md.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Protocol

from rules.criteria import Criterion, TiebreakerSplit
from rules.criteria.of_tables import find_criterion
from rules.errors import RuleError
from rules.history.group_history import GroupHistory, History
from rules.history.table_history import TableHistory
from rules.plans import StagePlan
from rules.results import MISSED, PlayerId, Points, Result
from rules.stages.base import (
    Pairing,
    StageState,
    TiebreakerRound,
    has_multiplayer_tables,
    scheduled_pairing,
    stage_kind,
)
from rules.stages.knockout import match_winner
from rules.stages.round_robin import round_robin_schedule
from rules.standings.table import (
    CriterionStep,
    RankProof,
    Standing,
    Standings,
    rank_across_groups,
    rank_history,
)
from rules.tables.results import to_table_result
from rules.wording import Sentence

EXTRA_MATCH = Criterion(
    key="extra_match",
    label=Sentence("Tiebreaker match"),
    short=Sentence("Extra"),
    explains=Sentence("Matches between tied players, instead of a random draw."),
    split=lambda _history, level: TiebreakerSplit(classes=(tuple(level),)),  # nobody
)
"""For labels in tables and proofs; it cannot be chosen, so it is not in the catalogue."""


def tiebreaker_by_key(key: str) -> Criterion:
    """Return a tiebreaker of an event by key, including that of tiebreaker matches.

    Raises BadInput ``unknown_criterion``.
    """
    return EXTRA_MATCH if key == EXTRA_MATCH.key else find_criterion(key)


@dataclass(frozen=True, slots=True)
class TiebreakerSeries:
    """The rounds of tiebreaker matches in which a set of tied players (``level``) meets."""

    level: tuple[PlayerId, ...]
    rounds: tuple[TiebreakerRound, ...] = ()

    @property
    def key(self) -> str:
        """Return the key used as the reason of a rank."""
        return EXTRA_MATCH.key

    @property
    def after(self) -> int:
        """Return the number of lots drawn in the event before its last round was made."""
        return self.rounds[-1].after if self.rounds else 0

    @property
    def away(self) -> tuple[PlayerId, ...]:
        """Return the players who had left before the first round, and play no match."""
        first = self.rounds[0].played if self.rounds else ()
        return tuple(
            player for pairing, _result in first if pairing.missed for player in pairing.seats
        )

    @property
    def total(self) -> int:
        """Return the number of rounds."""
        return len(round_robin_schedule(len(self.level) - len(self.away)))

    @property
    def all_made(self) -> bool:
        return len(self.rounds) >= self.total

    @property
    def results(self) -> Iterator[Result]:
        """Yield the results of all its matches."""
        for item in self.rounds:
            for pairing, result in item.played:
                if not pairing.missed:
                    yield result

    @property
    def over(self) -> bool:
        """Return whether all rounds have been made and played."""
        return self.all_made and all(result.is_played for result in self.results)

    def split(self, level: Sequence[PlayerId]) -> TiebreakerSplit | None:
        """Return level players split by matches won against each other.

        Absent players come last. None if it is not over, or if it does not cover all of these
        players.
        """
        inside = set(level)
        if not self.over or not inside <= set(self.level):
            return None
        won = dict.fromkeys(level, 0)
        for result in self.results:
            winner = match_winner(result)
            if winner is not None and inside.issuperset(result.seats):
                won[winner] += 1
        away = tuple(player for player in level if player in self.away)
        there = [player for player in level if player not in away]
        classes = tuple(
            tuple(player for player in there if won[player] == most)
            for most in sorted({won[player] for player in there}, reverse=True)
        )
        figures = {player: (number,) for player, number in won.items()}
        return TiebreakerSplit(classes=(*classes, away) if away else classes, figures=figures)

    def pairs(self, index: int) -> tuple[tuple[PlayerId, PlayerId], ...]:
        """Return the pairs of the round with this index (from 0); () after the last."""
        players = [player for player in self.level if player not in self.away]
        rounds = round_robin_schedule(len(players))
        if index >= len(rounds):
            return ()
        return tuple((players[a - 1], players[b - 1]) for a, b in rounds[index])


def group_rounds_into_series(rounds: Iterable[TiebreakerRound]) -> tuple[TiebreakerSeries, ...]:
    """Return the series that rounds of tiebreaker matches form, ordered by their last rounds.

    Rounds of the same players continue a series until it is complete; the next one starts another.
    """
    found: list[TiebreakerSeries] = []
    for item in rounds:
        same = _incomplete_series(found, item.level)
        if same is not None:
            found.remove(same)
        found.append(TiebreakerSeries(item.level, (*(same.rounds if same else ()), item)))
    return tuple(found)


def _incomplete_series(
    found: Iterable[TiebreakerSeries], level: Sequence[PlayerId]
) -> TiebreakerSeries | None:
    same = (series for series in found if set(series.level) == set(level))
    return next((series for series in same if not series.all_made), None)


def current_tiebreaker_series(state: StageState, level: Sequence[PlayerId]) -> TiebreakerSeries:
    """Return the series that the next tiebreaker round of these players will belong to.

    It has the rounds made so far. A new series includes the players who are present.
    """
    running = _incomplete_series(group_rounds_into_series(state.tiebreaker_rounds), level)
    return running or TiebreakerSeries(
        tuple(player for player in level if player not in state.withdrawn)
    )


def next_tiebreaker_round(
    state: StageState, sets: Sequence[Sequence[PlayerId]]
) -> tuple[Pairing, ...]:
    """Return the pairings of the next tiebreaker round for one or more sets of tied players.

    Each set plays its own next round. Raises RuleError ``sets_overlap`` if a player is in two sets,
    ``nobody_to_play`` if fewer than two of a set are present.
    """
    players = [player for level in sets for player in level]
    if len(set(players)) != len(players):
        raise RuleError(
            "sets_overlap",
            "A player is in two of these tied groups. Let one group play first.",
        )
    count = sum(
        len(played)
        for played in (*state.rounds, *(item.played for item in state.tiebreaker_rounds))
    )
    made: list[Pairing] = []
    for level in sets:
        made += _next_matches(state, level, count + len(made))
    return tuple(made)


def _next_matches(state: StageState, level: Sequence[PlayerId], count: int) -> list[Pairing]:
    """Return the matches of the next round of one set, numbered from ``count`` + 1.

    Players who have left before a series begins play no match; later on their matches are
    forfeits. Raises RuleError ``nobody_to_play`` if fewer than two are present.
    """
    series = current_tiebreaker_series(state, level)
    away = tuple(player for player in level if player not in series.level)
    if series.total == 0:
        raise RuleError(
            "nobody_to_play",
            "Fewer than two of the tied players can still play. Make a random draw.",
        )
    home = {player: group for group, seats in state.seats.items() for player in seats}
    made = [
        scheduled_pairing(state, home[a], count + number, a, b, draws=False)
        for number, (a, b) in enumerate(series.pairs(len(series.rounds)), start=1)
    ]
    made += [
        Pairing(
            group=home[player],
            number=count + len(made) + number,
            seats=(player,),
            outcome=MISSED,
            missed=True,
        )
        for number, player in enumerate(away, start=1)
    ]
    return made


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
