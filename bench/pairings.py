"""Check pairings of random Swiss events and small late rounds against slower algorithms.

``make check-pairings``; the arguments are the number of events and the first seed.
"""

import random
import sys

from tests.rules.swiss.events import RandomEvent
from tests.rules.swiss.late_rounds import LATE, is_optimal

EVENTS, SEEDS = 5_000, 100


def check(events: int, first: int = 0) -> None:
    """Play the events and the late rounds; raises AssertionError if a rule is broken."""
    for number in range(first, first + events):
        event = RandomEvent(number).play()
        if len(event.players) <= 64:
            event.check_standings()
        if (number + 1) % 500 == 0:
            sys.stdout.write(f"{number + 1} events\n")
            sys.stdout.flush()
    for players, rounds in LATE:
        chances = [random.Random(seed) for seed in range(SEEDS)]  # noqa: S311 - invented results
        optimal = sum(is_optimal(players, rounds, chance) for chance in chances)
        sys.stdout.write(f"{players} players after {rounds} rounds: {optimal}/{SEEDS} optimal\n")
        assert optimal == SEEDS  # noqa: S101 - a script that checks


if __name__ == "__main__":
    check(*([int(word) for word in sys.argv[1:]] or [EVENTS]))
