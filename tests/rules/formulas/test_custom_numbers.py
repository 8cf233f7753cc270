"""Faults of custom formulas that depend on the number of players."""

from time import process_time

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rules.formulas.custom import Definition, faults, read_definition
from rules.formulas.custom.checks import double_faults, missing_faults, reach_faults, size_faults
from tests.effort import examples
from tests.rules.formulas import definitions as make
from tests.rules.formulas.definitions import Data, told

SLOW = settings(
    examples(1.5),
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


@given(make.playable())
@SLOW
def test_what_holds_for_the_telling_numbers_holds_for_all(data: Data) -> None:
    definition = read_definition(data)
    assume(not faults(definition))
    for players in range(definition.lowest, definition.highest + 1):
        assert list(by_number(definition, players)) == []


def by_number(definition: Definition, players: int) -> list[str]:
    checks = (size_faults, missing_faults, double_faults, reach_faults)
    return [str(fault) for check in checks for fault in check(definition, players)]


@given(make.playable(), st.data())
@SLOW
def test_a_fault_with_any_number_of_players_is_found(data: Data, more: st.DataObject) -> None:
    """Places that only some numbers have: the widest range shows what one number lacks."""
    data["players"] = {"lowest": 2, "highest": 24}
    definition = read_definition(data)
    players = more.draw(st.integers(2, 24))
    existing = [*size_faults(definition, players), *missing_faults(definition, players)]
    if existing:
        assert faults(definition)


def test_a_group_of_one_is_found_between_an_empty_one_and_a_full_one() -> None:
    """Numbers 1 and 2 play elsewhere: with three players one sits alone in the first stage."""
    both = [{"start": 1}, {"start": 2}]
    data = make.formula(
        make.stage("First", "double_elimination", {"name": "A", "entrants": "start"}),
        make.stage("Then", "swiss", {"name": "A", "entrants": both}),
        lowest=2,
        highest=24,
    )
    assert any("With 3 players it has 1" in words for words in told(data))


@pytest.mark.parametrize("kind", ["round_robin", "swiss", "knockout", "double_elimination"])
def test_the_largest_formulas_are_checked_in_good_time(kind: str) -> None:
    several = 128 if kind == "round_robin" else 1
    groups = [make.group(f"G{at}") for at in range(several)]
    going_on = {
        "round_robin": [make.rank(1, f"G{at}", 1) for at in range(several)],
        "swiss": [make.rank(1, "G0", rank) for rank in range(1, 257)],
        "knockout": [make.winner(1, match) for match in range(1, 257)],
        "double_elimination": [make.winner(1, 1)],
    }
    data = make.formula(
        make.stage("First", kind, *groups),
        make.stage("Then", "knockout", make.group("KO", *going_on[kind])),
        lowest=2,
        highest=1024,
    )
    began = process_time()
    assert told(data)
    assert process_time() - began < 10
