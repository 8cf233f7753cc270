"""Rounds of tables of three to five players, by points; and which table each pairing has.

Pairings get tables best first, except for players with a fixed table. ``TableRanges`` are the
numbers of the tables in the hall: ``"1-20, 31-40"`` are all there are; ``"21"`` alone begins at
table 21; nothing begins at 1.

Source: tables, 2, 4, 5 and 6 (table_swiss).
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, count, groupby, islice, pairwise

from rules.errors import BadInput, RuleError
from rules.plans import StagePlan
from rules.results import BYE, PlayerId
from rules.stages.base import (
    ROUNDS,
    SEEDED,
    SIZES,
    SMALL,
    STAGE_KINDS,
    Pairing,
    StageKind,
    StageState,
    awarded_byes,
    bracket_matches,
    has_multiplayer_tables,
    require_results,
    stage_kind,
)
from rules.stages.swiss import entrants
from rules.tables.field import SeatingCost, SmallTableRule, TableEntrant, build_field
from rules.tables.results import UNITS, to_table_result
from rules.tables.rounds import USUAL_SIZES, pair_table_round, table_sizes
from rules.wording import Sentence

GROUP = "tables"


class TableSwiss(StageKind):
    """The kind of stage with Swiss rounds at multiplayer tables; one group."""

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
        found = pair_table_round(
            [one for one in table_entrants(state) if one.player not in awarded],
            sizes=self.sizes_of(state.plan),
            small=small_table_rule(state.plan),
            seed=round_seed(state),
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

    def describe_round(self, state: StageState, number: int) -> Sentence:
        """Return a round's label."""
        return Sentence("Round %(number)s", {"number": number})

    def openings(self, state: StageState) -> tuple[Pairing, ...]:
        """Return the tables of the last round without a result that have a seat left.

        Those with the fewest players come first, and of these the last ones.
        """
        if not state.rounds or state.tiebreaker_rounds:
            return ()
        most = max(self.sizes_of(state.plan))
        found = (
            pairing
            for pairing, result in state.rounds[-1]
            if result.outcome is None and 1 < len(pairing.seats) < most
        )
        return tuple(sorted(found, key=lambda one: (len(one.seats), -one.number)))

    def matches_by_round(self, state: StageState) -> list[int]:
        """Return the number of tables in each round, with all seats taken."""
        tables = table_sizes(state.plan.size, self.sizes_of(state.plan))
        return [len(tables)] * self.total_rounds(state)


def seated_pairing(state: StageState, number: int, seats: Sequence[PlayerId]) -> Pairing:
    """Return the pairing of a multiplayer table, or of a bye for a single player.

    ``number`` is the match's in the stage; ``seats`` are the players in seat order.
    """
    (group,) = state.plan.groups
    return Pairing(
        group=group.name,
        number=number,
        seats=tuple(seats),
        outcome=BYE if len(seats) == 1 else None,
    )


def round_seed(state: StageState) -> str:
    """Return the random seed of a stage's next round."""
    return f"{state.seed}:{len(state.rounds) + 1}"


def small_table_rule(plan: StagePlan) -> SmallTableRule:
    """Return the rule for who sits at the small tables of a stage."""
    return SmallTableRule(str(SWISS_TABLES.value_of(plan, SMALL.key)))


def table_entrants(state: StageState) -> tuple[TableEntrant, ...]:
    """Return the players to seat in the next round of multiplayer tables.

    Each with points, meetings, byes and seats so far.
    """
    points: Counter[PlayerId] = Counter()
    byes: Counter[PlayerId] = Counter()
    small: Counter[PlayerId] = Counter()
    met: dict[PlayerId, Counter[PlayerId]] = defaultdict(Counter)
    seats: dict[PlayerId, list[tuple[int, int]]] = defaultdict(list)
    usual = STAGE_KINDS.get(state.plan.kind).sizes_of(state.plan)[0]
    for played in state.rounds:
        for _pairing, result in played:
            table = to_table_result(result)
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
        TableEntrant(
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


def seating_cost(state: StageState, tables: Iterable[Sequence[PlayerId]]) -> SeatingCost:
    """Return the cost of multiplayer tables in the next round; byes cost nothing.

    ``state`` is the stage before that round. Players who have left since are included.
    """
    seated = [tuple(table) for table in tables if len(table) > 1]
    playing = {player for table in seated for player in table}
    known = table_entrants(replace(state, withdrawn=frozenset(state.players) - playing))
    sizes = STAGE_KINDS.get(state.plan.kind).sizes_of(state.plan)
    field = build_field(
        known,
        tuple(map(len, seated)),
        usual=sizes[0],
        small=small_table_rule(state.plan),
        seed=round_seed(state),
    )
    index = {one.player: at for at, one in enumerate(field.entrants)}
    return field.cost([index[player] for player in table] for table in seated)


SWISS_TABLES = STAGE_KINDS.add(TableSwiss())


HIGHEST = 9_999
MOST_RANGES = 20
_PART = re.compile(r"([0-9]{1,4}) ?(?:[-–—] ?([0-9]{1,4}))?")


@dataclass(frozen=True, slots=True)
class TableRanges:
    """The numbers of an event's tables, as ranges (first, last) in ascending order.

    ``last`` None: unlimited.
    """

    ranges: tuple[tuple[int, int | None], ...] = ((1, None),)

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(
            count(first) if last is None else range(first, last + 1) for first, last in self.ranges
        )

    def __contains__(self, table: int) -> bool:
        """Return whether this is one of the tables."""
        return any(
            first <= table and (last is None or table <= last) for first, last in self.ranges
        )

    def first(self, tables: int) -> tuple[int, ...]:
        """Return the ``tables`` lowest numbers, fewer if the ranges hold no more."""
        return tuple(islice(self, tables))

    @property
    def size(self) -> int | None:
        """Return how many tables there are, None without an end."""
        sizes = [None if last is None else last - first + 1 for first, last in self.ranges]
        return None if None in sizes else sum(size or 0 for size in sizes)

    @property
    def in_words(self) -> str:
        """Return the numbers as people read them: "9", "9–12, 14"; "21–" without an end."""
        return ", ".join(
            f"{first}" if first == last else f"{first}–{'' if last is None else last}"
            for first, last in self.ranges
        )

    def __str__(self) -> str:
        """Return the text that ``parse_table_ranges`` reads as these."""
        alone = len(self.ranges) == 1  # a single number would be read without an end
        return ", ".join(
            str(first) if last is None or (last == first and not alone) else f"{first}-{last}"
            for first, last in self.ranges
        )


ANY_TABLE = TableRanges()


def table_ranges_from_numbers(tables: Collection[int]) -> TableRanges:
    """Return the ranges that contain exactly these table numbers."""
    runs = groupby(enumerate(sorted(tables)), lambda pair: pair[1] - pair[0])
    parts = [[table for _at, table in run] for _key, run in runs]
    return TableRanges(tuple((part[0], part[-1]) for part in parts))


def parse_table_ranges(text: str) -> TableRanges:
    """Return the table numbers in a text such as "1-20, 31-40".

    A single number is where an unlimited range begins; nothing is all numbers. Raises BadInput
    ``invalid_tables``.
    """
    parts = [part.strip() for part in re.split(r"[,;\n]", text) if part.strip()]
    if not parts:
        return ANY_TABLE
    if len(parts) > MOST_RANGES:
        raise BadInput(
            "invalid_tables",
            "At most %(most)s are allowed.",
            most=MOST_RANGES,
        )
    ranges = sorted(_parse_range(part) for part in parts)
    if len(ranges) == 1 and "-" not in re.sub("[–—]", "-", parts[0]):
        return TableRanges(((ranges[0][0], None),))
    for (_first, last), (following, _end) in pairwise(ranges):
        if following <= last:
            raise BadInput(
                "invalid_tables",
                "%(name)s is listed twice.",
                table=following,
                name=str(following),
            )
    return TableRanges(tuple(ranges))


def _parse_range(part: str) -> tuple[int, int]:
    found = _PART.fullmatch(part)
    first = int(found[1]) if found else 0
    last = int(found[2]) if found and found[2] else first
    if not 1 <= first <= last:
        raise BadInput(
            "invalid_tables",
            "Write tables like this: 1-20, 31-40.",
            part=part,
        )
    return first, last


def too_few_tables_error(there: int, needed: int) -> RuleError:
    """Return the RuleError ``too_few_tables``: a round needs more tables than there are.

    ``there`` and ``needed`` are numbers of tables.
    """
    return RuleError(
        "too_few_tables",
        "%(needed)s tables are needed; the event has %(tables)s. Add tables in the settings.",
        tables=there,
        needed=needed,
        missing=needed - there,
    )


def move_fixed_tables(
    fixed: Mapping[PlayerId, int], before: TableRanges, after: TableRanges
) -> dict[PlayerId, int]:
    """Return new fixed tables for players whose table the event does not have any more.

    ``fixed`` maps players to tables; ``before`` and ``after`` are the event's tables. They move by
    as much as the first table does, if that is one of the new tables.
    """
    distance = after.first(1)[0] - before.first(1)[0]
    return {
        player: table + distance
        for player, table in fixed.items()
        if table in before and table not in after and table + distance in after
    }


def free_tables(needed: int, taken: Collection[int]) -> TableRanges:
    """Return the first range of ``needed`` consecutive table numbers that are not taken."""
    start = 1
    for table in sorted(taken):
        if table - start >= needed:
            break
        start = max(start, table + 1)
    return TableRanges(((start, start + max(needed, 1) - 1),))


def order_by_table(state: StageState, pairings: Sequence[Pairing]) -> tuple[Pairing, ...]:
    """Return the pairings of a stage's next round in the order in which they get tables.

    With pairing by points they are sorted by the higher points of the two players, then by their
    sum; in the last round of a bracket the final comes before the match for third place.
    """
    if has_multiplayer_tables(state.plan):
        return tuple(pairings)  # made in this order
    if stage_kind(state.plan).pairs_by_points:
        points = {entrant.player: entrant.points for entrant in entrants(state)}

        def worth(pairing: Pairing) -> tuple[int, int]:
            held = [points.get(player, 0) for player in pairing.seats]
            return -max(held), -sum(held) - (held[0] if len(held) == 1 else 0)  # a bye counts twice

        return tuple(sorted(pairings, key=worth))
    if stage_kind(state.plan).has_bracket:
        third = {match.number for match in bracket_matches(state.plan) if match.third_place}
        return tuple(sorted(pairings, key=lambda pairing: pairing.number in third))
    return tuple(pairings)


def assign_tables(
    pairs: Sequence[Sequence[PlayerId]],
    fixed: Mapping[PlayerId, int],
    hall: TableRanges = ANY_TABLE,
) -> tuple[int, ...]:
    """Return the table number of each pair of players.

    ``fixed`` maps players to fixed tables. A pair gets such a table: the lower free one if both
    players have one. If these are taken, and for all other pairs, it is the next free table of the
    ``hall``. Raises RuleError ``too_few_tables``.
    """
    taken: set[int] = set()
    at: dict[int, int] = {}
    for index, pair in enumerate(pairs):
        wanted = sorted(fixed[player] for player in pair if player in fixed)
        table = next((table for table in wanted if table not in taken), None)
        if table is not None:
            taken.add(table)
            at[index] = table
    others = [index for index in range(len(pairs)) if index not in at]
    free = (table for table in hall if table not in taken)
    at.update(zip(others, free, strict=False))
    if len(at) < len(pairs):
        raise too_few_tables_error(len(at), len(pairs))
    return tuple(at[index] for index in range(len(pairs)))


def assign_additional_tables(
    pairs: Sequence[Sequence[PlayerId]],
    fixed: Mapping[PlayerId, int],
    taken: Mapping[int, Collection[PlayerId]],
    hall: TableRanges = ANY_TABLE,
) -> tuple[int, ...]:
    """Return the table number of each pair that plays in addition to the matches of a round.

    ``fixed`` maps players to fixed tables, ``taken`` the tables of the round to their players. A
    pair gets a fixed table of its players unless others have it, else the next free table of the
    ``hall``. In a full hall it plays after the round, at a table of one of its players or else at
    any.
    """
    given: set[int] = set()
    found = []
    for pair in pairs:
        own = sorted(table for table, players in taken.items() if {*players} & {*pair})
        wanted = sorted({fixed[player] for player in pair if player in fixed})
        ways = chain(
            (table for table in wanted if table in own or table not in taken),
            (table for table in hall if table not in taken),
            own,
            sorted(taken),
        )
        found.append(next((table for table in ways if table not in given), own[0] if own else 1))
        given.add(found[-1])
    return tuple(found)
