"""A knock-out by tables: the winner of each table goes on, the best seeds rest.

Source: tables, 6 (table_cut).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rules.plans import StagePlan
from rules.results import PlayerId, Result
from rules.stages.base import (
    SIZES,
    STAGE_KINDS,
    Pairing,
    StageKind,
    StageState,
    forfeit_outcome,
    require_results,
)
from rules.stages.tables import seated_pairing
from rules.tables.results import places_without_winner, to_table_result
from rules.tables.rounds import USUAL_SIZES, cut_tables, first_cut_round
from rules.wording import Sentence

Seed = int
"""A seat of the stage, from 0: the best seed is first."""


class PodCutRound(NamedTuple):
    """A round of a top cut in pods: seeds with a bye, and pods of seeds in seat order.

    Seeds are indexes, from 0 for the best.
    """

    byes: tuple[Seed, ...]
    tables: tuple[tuple[Seed, ...], ...]


class TableCut(StageKind):
    """The kind of stage that is a top cut in pods; one full table is the final."""

    key = "table_cut"
    label = Sentence("Cut by tables")
    sizes = USUAL_SIZES
    settings = (SIZES,)
    names_rounds = True
    needs_winners = True

    def next_round(self, state: StageState) -> tuple[Pairing, ...]:
        """Return the tables of the next step and the byes, () after the final.

        Raises RuleError ``results_missing``: who goes on depends on all results.
        """
        if self.is_over(state):
            return ()
        require_results(state)
        made = sum(len(played) for played in state.rounds)
        step = [*cut_rounds(state)][-1]
        seeds = players_by_seed(state)
        found: list[Pairing] = []
        for table in (*step.tables, *((seed,) for seed in step.byes)):
            players = [seeds[seed] for seed in table]
            seated = [player for player in players if player is not None]
            if seated:
                found.append(_pairing(state, made + len(found) + 1, seated))
        return tuple(found)

    def total_rounds(self, state: StageState) -> int:
        """Return the number of steps from the players of the plan to the final."""
        return len(planned_sizes(state.plan))

    def describe_round(self, state: StageState, number: int) -> Sentence:
        """Return a step's label: the final, or how many play for it."""
        left = planned_sizes(state.plan)
        if number >= len(left):
            return Sentence("Final")
        return Sentence("Best %(players)s", {"players": left[number - 1]})

    def with_round_to_come(self, state: StageState) -> frozenset[PlayerId]:
        """Return the players with a table to play: to come, or made and not decided."""
        number = len(state.rounds)
        if not number:
            return frozenset(state.players)
        step, seeds = [*cut_rounds(state)][number - 1], players_by_seed(state)
        undecided = {
            player
            for _pairing, result in state.rounds[-1]
            if not result.is_played
            for player in result.seats
        }
        on = set() if self.is_over(state) else _going_on(state, number, step)
        return frozenset(undecided | {player for seed in on if (player := seeds[seed]) is not None})

    def own_order(self, state: StageState) -> tuple[PlayerId, ...] | None:
        """Return the players, best first."""
        return cut_order(state)

    def matches_by_round(self, state: StageState) -> list[int]:
        """Return the number of tables in each step, with all seats taken."""
        usual = full_table_size(state.plan)
        return [first_cut_round(players, usual).tables for players in planned_sizes(state.plan)]


def full_table_size(plan: StagePlan) -> int:
    """Return the number of players of a full table of a stage."""
    return STAGE_KINDS.get(plan.kind).sizes_of(plan)[0]


def planned_sizes(plan: StagePlan) -> tuple[int, ...]:
    """Return the planned number of players in each round of a top cut in pods."""
    usual, left = full_table_size(plan), plan.size
    found = [left]
    while left > usual:
        step = first_cut_round(left, usual)
        left = step.byes + step.tables
        found.append(left)
    return tuple(found)


def players_by_seed(state: StageState) -> tuple[PlayerId | None, ...]:
    """Return the players of a top cut, best seed first; None for a vacant seat."""
    (seats,) = state.seats.values()
    return seats


def cut_rounds(state: StageState) -> Iterator[PodCutRound]:
    """Yield the rounds of a top cut made so far and, unless the final is among them, the next.

    In a pod without a result the best seed counts as advancing.
    """
    left: Sequence[Seed] = range(len(players_by_seed(state)))
    usual = full_table_size(state.plan)
    for number in range(1, len(planned_sizes(state.plan)) + 1):
        byes, tables = cut_tables(left, usual)
        step = PodCutRound(tuple(map(int, byes)), tuple(tuple(map(int, one)) for one in tables))
        yield step
        if number > len(state.rounds):
            return
        left = sorted(_going_on(state, number, step))


def _going_on(state: StageState, number: int, step: PodCutRound) -> set[Seed]:
    return {*step.byes, *(_goes_on(state, number, table) for table in step.tables)}


def _goes_on(state: StageState, number: int, table: Sequence[Seed]) -> Seed:
    """Return the seed that goes on from a table: its winner, of several level ones the best.

    Once the next step is made it is who sits there: that stays where a result was corrected and
    what was made from it kept.
    """
    if number < len(state.rounds):
        seeds = players_by_seed(state)
        sat = {player for pairing, _result in state.rounds[number] for player in pairing.seats}
        on = [seed for seed in table if seeds[seed] in sat]
        if len(on) == 1:
            return on[0]
    places = places_by_seed(state, number, table)
    return min(table, key=lambda seed: (places.get(seed, 9), seed))


def places_by_seed(state: StageState, number: int, table: Sequence[Seed]) -> dict[Seed, int]:
    """Return the places of a pod's seeds in a round (``number``, from 1), by seed.

    ``table`` are its seeds. Absent players are left out; without a result all have place 2, and {}
    if the pod was not made.
    """
    seeds = players_by_seed(state)
    at = {player: seed for seed in table if (player := seeds[seed]) is not None}
    for _pairing, result in state.rounds[number - 1]:
        if at.keys() & {*result.seats}:
            return {at[player]: place for player, place in _places(result) if player in at}
    return {}


def _places(result: Result) -> Iterator[tuple[PlayerId, int]]:
    """Yield the players of a table with their places; without a result all have the same."""
    table = to_table_result(result)
    places = table.places or places_without_winner(len(table.seats))
    for player, place in zip(table.seats, places, strict=True):
        if place is not None:
            yield player, place


def cut_order(state: StageState) -> tuple[PlayerId, ...]:
    """Return the players of a top cut in pods, best first.

    Those still in come first, after the final by place and seed; then the eliminated ones, latest
    first, those of one round by seed.
    """
    seeds = players_by_seed(state)
    made, last = [*cut_rounds(state)], len(planned_sizes(state.plan))
    out: list[list[Seed]] = []
    for number, step in enumerate(made[: len(state.rounds)], start=1):
        if number < last:
            stays = _going_on(state, number, step)
            seated = {seed for table in step.tables for seed in table}
            out.append(sorted(seated - stays) if _is_played(state, number) else [])
    gone = {seed for level in out for seed in level}
    left = [seed for seed in range(len(seeds)) if seed not in gone]
    if len(state.rounds) == last and _is_played(state, last):
        (table,) = made[-1].tables
        places = places_by_seed(state, last, table)
        winner = _goes_on(state, last, table)
        left.sort(key=lambda seed: (seed != winner, places.get(seed, 9), seed))
    ordered = [*left, *(seed for level in reversed(out) for seed in level)]
    return tuple(player for seed in ordered if (player := seeds[seed]) is not None)


def _is_played(state: StageState, number: int) -> bool:
    return all(result.is_played for _pairing, result in state.rounds[number - 1])


def _pairing(state: StageState, number: int, seats: Sequence[PlayerId]) -> Pairing:
    """Return a table, settled if all but one of its players have left."""
    pairing = seated_pairing(state, number, seats)
    if len(pairing.seats) < 3:
        return pairing
    return replace(pairing, outcome=forfeit_outcome(pairing.seats, state.withdrawn))


TABLE_CUT = STAGE_KINDS.add(TableCut())
