"""Random events, byes, drops, late entries and pairs kept apart: no rule is ever broken.

``make check-pairings`` plays five thousand, and a hundred of each kind of late round.
"""

import random

import pytest

from tests.rules.swiss.events import RandomEvent
from tests.rules.swiss.late_rounds import LATE, differ, is_optimal


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_no_rule_is_broken(start: int) -> None:
    for number in range(start, start + 20):
        event = RandomEvent(number).play()
        if len(event.players) <= 64:
            event.check_standings()


@pytest.mark.parametrize("size", [65, 512])
def test_no_rule_is_broken_in_a_large_event(size: int) -> None:
    RandomEvent(size, size).play()


@pytest.mark.parametrize(("players", "rounds"), LATE)
def test_small_late_rounds_are_the_cheapest_there_are(players: int, rounds: int) -> None:
    for seed in range(20 if players < 64 else 2):
        assert is_optimal(players, rounds, random.Random(seed))


def test_another_hash_seed_makes_the_same_late_rounds() -> None:
    assert not differ(3)
