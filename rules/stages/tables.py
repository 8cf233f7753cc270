"""Rounds of tables of three to five players, by points.

Source: tables, 2, 4, 5 and 6 (table_swiss).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from rules.plans.plan import StagePlan
from rules.results import BYE, PlayerId
from rules.stages.base import Pairing, StageState, require_results
from rules.stages.byes import awarded_byes
from rules.stages.kind import STAGE_KINDS, StageKind
from rules.stages.settings import ROUNDS, SEEDED, SIZES, SMALL
from rules.tables.field import Cost, Entrant, Small, field_of
from rules.tables.results import UNITS, as_table
from rules.tables.rounds import make_round
from rules.tables.sizes import USUAL_SIZES, tables_of
from rules.wording import Sentence

GROUP = "tables"


class TableSwiss(StageKind):
    """One group of all players at tables; withdrawn players are no longer seated."""

    key = "table_swiss"
    label = Sentence("Rounds at tables")
    sizes = USUAL_SIZES
    settings = (ROUNDS, SIZES, SMALL, SEEDED)
    pairs_by_points = True
    needs_seed = True
    admits_late = True

    def next_round(self, state: StageState) -> tuple[Pairing, ...]:
        """Return the tables of the next round, those with the most points first, and the byes.

        In the first round those who are at table 1, 2 and so on follow from seed positions where
        players have some. Who was awarded a bye rests, whatever the others need. () after the last.
        Raises RuleError ``results_missing``: tables depend on all results.
        """
        if self.is_over(state):
            return ()
        require_results(state)
        made = sum(not pairing.missed for played in state.rounds for pairing, _result in played)
        awarded = awarded_byes(state)
        by_position = not state.rounds and bool(self.value_of(state.plan, SEEDED.key))
        found = make_round(
            [one for one in table_entrants(state) if one.player not in awarded],
            sizes=self.sizes_of(state.plan),
            small=small_of(state.plan),
            seed=seed_of(state),
            dealt=state.players if by_position else (),
        )
        seated = (*found.tables, *((player,) for player in (*awarded, *found.byes)))
        return tuple(
            seated_pairing(state, number, seats)
            for number, seats in enumerate(seated, start=made + 1)
        )

    def total_rounds(self, state: StageState) -> int:
        """Return the plan's number of rounds; those made once no table can be filled."""
        present = sum(player not in state.withdrawn for player in state.players)
        enough = present >= min(self.sizes_of(state.plan))
        return state.plan.rounds if enough else len(state.rounds)

    def is_over(self, state: StageState) -> bool:
        """Return whether all rounds are made."""
        return len(state.rounds) >= self.total_rounds(state)

    def describe_round(self, state: StageState, number: int) -> Sentence:
        """Return a round's label."""
        return Sentence("Round %(round)s", {"round": number})

    def matches_by_round(self, state: StageState) -> list[int]:
        """Return the number of tables in each round, with all seats taken."""
        tables = tables_of(state.plan.size, self.sizes_of(state.plan))
        return [len(tables)] * self.total_rounds(state)


def seated_pairing(state: StageState, number: int, seats: Sequence[PlayerId]) -> Pairing:
    """Return the pairing of a table, of two, or a bye."""
    (group,) = state.plan.groups
    return Pairing(
        group=group.name,
        number=number,
        seats=tuple(seats),
        outcome=BYE if len(seats) == 1 else None,
    )


def seed_of(state: StageState) -> str:
    """Return the seed of the next round."""
    return f"{state.seed}:{len(state.rounds) + 1}"


def small_of(plan: StagePlan) -> Small:
    """Return who sits at the small tables of a stage."""
    return Small(str(SWISS_TABLES.value_of(plan, SMALL.key)))


def table_entrants(state: StageState) -> tuple[Entrant, ...]:
    """Return the players to seat next, with points, meetings, byes and seats so far."""
    points: Counter[PlayerId] = Counter()
    byes: Counter[PlayerId] = Counter()
    small: Counter[PlayerId] = Counter()
    met: dict[PlayerId, Counter[PlayerId]] = defaultdict(Counter)
    seats: dict[PlayerId, list[tuple[int, int]]] = defaultdict(list)
    usual = STAGE_KINDS.get(state.plan.kind).sizes_of(state.plan)[0]
    for played in state.rounds:
        for _pairing, result in played:
            table = as_table(result)
            size = len(table.seats)
            worth = zip(table.seats, state.table_points.of(table), strict=True)
            for seat, (player, made) in enumerate(worth, start=1):
                points[player] += made
                byes[player] += table.is_bye
                if size > 1:
                    met[player].update(other for other in table.seats if other != player)
                    seats[player].append((seat, size))
                    small[player] += size < usual
    apart: dict[PlayerId, set[PlayerId]] = defaultdict(set)
    for pair in state.apart:
        for player in pair:
            apart[player] |= pair - {player}
    return tuple(
        Entrant(
            player=player,
            points=Fraction(points[player], UNITS),
            met=met[player],
            byes=byes[player],
            small=small[player],
            seats=tuple(seats[player]),
            apart=frozenset(apart[player]),
        )
        for player in state.players
        if player not in state.withdrawn
    )


def cost_of(state: StageState, tables: Iterable[Sequence[PlayerId]]) -> Cost:
    """Return what tables of the next round cost; byes cost nothing, whoever has left counts.

    ``state`` is the stage before that round.
    """
    seated = [tuple(table) for table in tables if len(table) > 1]
    playing = {player for table in seated for player in table}
    known = table_entrants(replace(state, withdrawn=frozenset(state.players) - playing))
    sizes = STAGE_KINDS.get(state.plan.kind).sizes_of(state.plan)
    field = field_of(
        known,
        tuple(map(len, seated)),
        usual=sizes[0],
        small=small_of(state.plan),
        seed=seed_of(state),
    )
    index = {one.player: at for at, one in enumerate(field.entrants)}
    return field.cost([index[player] for player in table] for table in seated)


SWISS_TABLES = STAGE_KINDS.add(TableSwiss())
