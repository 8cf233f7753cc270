"""Result buttons: exactly the legal results of a match."""

import pytest

from rules.matches.match_rules import presets
from rules.matches.settling import settle
from tests.rules.matches.test_settling import DOOM_FINAL, FINAL, GROUP, KNOCKOUT, ONE_GAME, SWISS


@pytest.mark.parametrize(
    ("rules", "keys"),
    [
        (
            SWISS,
            "2-0 2-1 1-0 0-2 1-2 0-1 1-1 0-0-3",
        ),
        (KNOCKOUT, "2-0 2-1 1-0 0-2 1-2 0-1"),
        (FINAL, "2-0 2-1 0-2 1-2"),
        (ONE_GAME, "1-0 0-1 0-0-1"),
        (DOOM_FINAL, "2-0 2-1 0-2 1-2"),
        (GROUP, ""),
    ],
)
def test_presets_are_the_legal_results(rules, keys):
    assert [preset.key for preset in presets(rules)] == keys.split()


@pytest.mark.parametrize("rules", [SWISS, KNOCKOUT, FINAL, ONE_GAME, DOOM_FINAL])
def test_every_preset_can_be_settled(rules):
    for preset in presets(rules):
        settle(rules, preset.claim)
