"""Check pairings of random events against slower ways: Swiss rounds of two, and of tables.

``make check-pairings``; the arguments are the number of events of each and the first seed. Late
Swiss rounds of small fields are optimal, and the same for any hash seed. Of up to 16 players no
set of tables costs less than the one made. From 32 players on as good as nobody meets again, where
the greedy way lets hundreds; hardly a round costs more than the greedy one of its players.
"""

import random
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from bench.tables import greedy_tables
from rules.formulas.tables_cut import default_table_rounds
from rules.tables.field import SeatingField, build_field
from rules.tables.rounds import TableRound, table_sizes
from tests.rules.swiss.events import RandomEvent
from tests.rules.swiss.late_rounds import LATE, differ, is_optimal
from tests.rules.tables.events import TableEvent

SWISS_EVENTS, SEEDS = 5_000, 100
TABLE_EVENTS = 1_000
SIZES = ((4, 3), (4, 3), (4, 3), (3, 4), (4, 5, 3), (4,))
RANGES = ((8, 16), (8, 16), (17, 64), (32, 128), (65, 256))
"""How many players events have, by turns."""
MOST, LARGE = 16, 32
"""Up to how many players every set is looked at, and from how many on repeats are counted."""
FEWER = 200
"""The greedy way has at least so many times the repeats."""
RARE = 50
"""At most one round in so many costs more than the greedy one of its players: where anybody may sit
at small tables, as exchanges of two leave the sizes of tables where they are."""


def check_swiss(events: int = SWISS_EVENTS, first: int = 0) -> None:
    """Play the events and the late rounds; raises AssertionError if a rule is broken."""
    for number in range(first, first + events):
        event = RandomEvent(number).play()
        if len(event.players) <= 64:
            event.check_standings()
        if (number + 1) % 500 == 0:
            _write(f"{number + 1} events")
    for players, rounds in LATE:
        chances = [random.Random(seed) for seed in range(SEEDS)]  # noqa: S311 - invented results
        optimal = sum(is_optimal(players, rounds, chance) for chance in chances)
        _write(f"{players} players after {rounds} rounds: {optimal}/{SEEDS} optimal")
        _hold(optimal == SEEDS, "optimal")
    _hold(not differ(SEEDS), "another hash seed")


def check_tables(events: int = TABLE_EVENTS, first: int = 0) -> None:
    """Play the events; raises AssertionError where a round breaks a bound."""
    found: Counter[str] = Counter()
    for number in range(first, first + events):
        source = random.Random(number)  # noqa: S311 - invented events
        players = source.randint(*RANGES[number % len(RANGES)])
        sizes, rounds = source.choice(SIZES), default_table_rounds(players)
        own = TableEvent(number, players, sizes)
        for _round in range(rounds):
            made = own.make()
            found += _compare(own, made)
            own.play(made)
        found["begun, ours"] += _unequal(own)
        found += _of_greedy_event(TableEvent(number, players, sizes), rounds)
        if (number + 1) % 100 == 0:
            _write(f"{number + 1} events")
    for name in sorted({*found, "repeats, ours", "repeats, greedy"}):
        _write(f"{name}: {found[name]:,}")
    _hold(
        found["repeats, ours"] * FEWER <= found["repeats, greedy"] or events < TABLE_EVENTS,
        "repeats",
    )
    dearer = found["rounds dearer than the greedy one"]
    _hold(dearer * RARE <= found["rounds"], f"{dearer} rounds dearer than the greedy one")
    _hold(found["begun, ours"] <= found["begun, greedy"], "who begins")


def _compare(event: TableEvent, made: TableRound) -> Counter[str]:
    """Return the counts of a round; raises AssertionError if other tables would be better."""
    found = Counter({"rounds": 1})
    field = _field(event, made.byes)
    greedy = field.cost(greedy_tables(field))
    found["rounds dearer than the greedy one"] = made.cost > greedy
    if len(field.points) <= MOST:
        index = {one.player: at for at, one in enumerate(field.entrants)}
        own = sum(field.cost_of([index[one] for one in table]) for table in made.tables)
        _hold(not is_cheaper(field, own), f"{event.name}: {made.cost} is not least")
        found["rounds of up to 16, none cheaper"] = 1
    if len(event.players) >= LARGE:
        found["repeats, ours"] = made.cost.repeats
        found["spread, ours"] = made.cost.spread
    return found


def is_cheaper(field: SeatingField, known: int) -> bool:
    """Return whether any set of tables costs less than ``known``; every one is looked at.

    One that costs as much before its last table is not followed.
    """
    sizes = Counter(field.sizes)

    def any_below(free: Sequence[int], cost: int) -> bool:
        if not free:
            return True
        first, *others = free
        for size in [each for each, left in sizes.items() if left]:
            sizes[size] -= 1
            for company in combinations(others, size - 1):
                whole = cost + field.cost_of((first, *company))
                if whole < known and any_below(
                    [one for one in others if one not in company], whole
                ):
                    return True
            sizes[size] += 1
        return False

    return any_below(range(len(field.points)), 0)


def _of_greedy_event(event: TableEvent, rounds: int) -> Counter[str]:
    """Return the counts of an event whose every round is made the greedy way."""
    found: Counter[str] = Counter()
    for _round in range(rounds):
        made = _greedy_round(event)
        if len(event.players) >= LARGE:
            found["repeats, greedy"] += made.cost.repeats
            found["spread, greedy"] += made.cost.spread
        event.play(made)
    found["begun, greedy"] += _unequal(event)
    return found


def _greedy_round(event: TableEvent) -> TableRound:
    """Return the next round of an event made the greedy way; who sits where goes by points."""
    count = len(event.players) - sum(table_sizes(len(event.players), event.sizes))
    order = sorted(event.players, key=lambda one: (event.byes[one], event.points[one], one))
    field = _field(event, order[:count])
    tables = greedy_tables(field)
    return TableRound(
        tables=tuple(tuple(field.entrants[at].player for at in table) for table in tables),
        byes=tuple(order[:count]),
        cost=field.cost(tables),
        proven=False,
    )


def _field(event: TableEvent, byes: Sequence[object]) -> SeatingField:
    """Return the field of the players who sit at tables in the next round."""
    playing = [one for one in event.entrants() if one.player not in byes]
    sizes = table_sizes(len(playing), event.sizes)
    return build_field(playing, sizes, usual=event.usual, small=event.small, seed=event.seed)


def _unequal(event: TableEvent) -> int:
    """Return by how many tables the players of an event differ in how often they began."""
    begun = [sum(seat == 1 for seat, _size in event.seats[one]) for one in event.players]
    return max(begun) - min(begun)


def _hold(is_so: bool, words: str) -> None:
    assert is_so, words  # noqa: S101 - a script that checks


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    check_swiss(*numbers)
    check_tables(*numbers)
