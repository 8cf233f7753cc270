"""What keeps a formula of one's own from being played is found, and named."""

from collections.abc import Callable
from copy import deepcopy

import pytest
from hypothesis import HealthCheck, assume, given, settings

from tests.effort import examples
from tests.rules.formulas import definitions as make
from tests.rules.formulas.definitions import Data, told


def changed(change: Callable[[Data], object], data: Data | None = None) -> list[str]:
    """Return the faults of the Mutant Chronicles formula, or another, after a change."""
    copy = deepcopy(data or make.mutant_chronicles())
    change(copy)
    return told(copy)


def stages(data: Data, stage: int, group: int = 0) -> list[Data]:
    """Return the entrants of a group, counted from 0."""
    found: list[Data] = data["stages"][stage]["groups"][group]["entrants"]
    return found


def put(stage: int, group: int, seat: int, place: Data) -> Callable[[Data], object]:
    return lambda data: stages(data, stage, group).__setitem__(seat, place)


def setting(stage: int, **values: object) -> Callable[[Data], object]:
    return lambda data: data["stages"][stage].update(values)


FAULTS: list[tuple[Callable[[Data], object], str]] = [
    (
        put(1, 0, 1, make.rank(1, "A", 1)),
        "Stage 2, Second groups, group I: rank 1 of group A in stage 1 is taken more than once.",
    ),
    (
        put(1, 0, 1, make.rank(1, "D", 1)),
        "Stage 2, Second groups, group I: rank 1 of group D in stage 1: there is no such group.",
    ),
    (
        put(1, 0, 1, make.rank(1, "B", 5)),
        "Stage 2, Second groups, group I: With 12 players nobody is rank 5 of group B in stage 1.",
    ),
    (
        put(1, 0, 1, make.rank(1, "B", 3)),
        "Stage 1, Groups: rank 3 of group B in stage 1 and no. 1 of those on rank 3 in stage 1 "
        "may be the same player; both go on.",
    ),
    (
        put(1, 0, 3, make.best(1, 3, 4)),
        "Stage 2, Second groups, group I: "
        "With 12 players nobody is no. 4 of those on rank 3 in stage 1.",
    ),
    (
        put(1, 0, 0, make.rank(2, "I", 1)),
        "Stage 2, Second groups, group I: rank 1 of group I in stage 2: "
        "players come from an earlier stage.",
    ),
    (
        put(1, 0, 0, make.winner(1, 1)),
        "Stage 2, Second groups, group I: the winner of match 1 in stage 1: that stage has ranks.",
    ),
    (
        setting(3, kind="knockout"),
        "Stage 5, Final, group F: rank 1 of group T in stage 4: that stage has winners and losers "
        "of matches.",
    ),
    (
        put(1, 0, 0, {"start": 13}),
        "Stage 2, Second groups, group I: With 12 players nobody is no. 13 of the start.",
    ),
    (lambda data: stages(data, 2).clear(), "Stage 3, Repechage, group R: It has no players."),
    (
        lambda data: data["stages"][2]["groups"].clear(),
        "Stage 3, Repechage: It has no group.",
    ),
    (
        lambda data: data["stages"][2]["groups"][0].update(entrants="start"),
        "Stage 3, Repechage, group R: Only the first stage spreads the players of the start.",
    ),
    (
        lambda data: data["stages"][1]["groups"][1].update(name="i"),
        "Stage 2, Second groups, group i: Another group of the stage has this name.",
    ),
    (setting(2, name="Final"), "Stage 3, Final: Another stage has this name."),
    (lambda data: data["stages"].clear(), "The formula has no stage."),
    (setting(0, kind="swiss"), "Stage 1, Groups: A stage of this kind has one group."),
    (setting(4, legs=2), "Stage 5, Final: A stage of this kind has no second leg."),
    (setting(0, apart=True), "Stage 1, Groups: A stage of this kind has no players of a group"),
    (setting(0, legs=5), "Stage 1, Groups: Each pair meets one to 4 times."),
    (
        setting(4, best_of=[2]),
        "Stage 5, Final: A match is best of 1, 3, 5 … 9 games, or 0: as the game plays.",
    ),
    (setting(4, best_of=[11]), "Stage 5, Final: A match is best of 1, 3, 5 … 9 games"),
    (setting(0, best_of=[3, 1]), "Stage 1, Groups: Say once how many games a match has"),
    (setting(0, best_of=[]), "Stage 1, Groups: Say once how many games a match has"),
    (setting(0, kind="swiss", rounds=21), "Stage 1, Groups: There can be at most 20 rounds."),
    (setting(4, survivors=2), "Stage 5, Final: The last stage decides who wins"),
    (
        setting(4, survivors=2, third_place=True),
        "Stage 5, Final: There is no match for third place where several are left.",
    ),
    (setting(4, survivors=0), "Stage 5, Final: At least one player must be left."),
    (
        setting(4, third_place=True),
        "Stage 5, Final, group F: With 12 players it has 2; a match for third place needs at "
        "least 4.",
    ),
    (
        lambda data: stages(data, 4).pop(),
        "Stage 5, Final, group F: With 12 players it has 1; it needs at least 2.",
    ),
    (
        put(4, 0, 1, make.rank(4, "T", 3)),
        "Stage 4, Last three: rank 3 of group T in stage 4 can get further than rank 2 of group T",
    ),
]


@pytest.mark.parametrize(("change", "words"), FAULTS)
def test_each_fault_names_stage_group_and_place(
    change: Callable[[Data], object], words: str
) -> None:
    assert any(fault.startswith(words) for fault in changed(change)), changed(change)


def test_players_of_the_start_without_a_place_are_named() -> None:
    field = [{"start": number} for number in (1, 2, 4)]
    data = make.formula(make.stage("All", "round_robin", make.group("A", *field)), lowest=4)
    assert told(data) == ["With 4 players no. 3 of the start plays nowhere."]
    data["players"]["highest"] = 5
    assert "With 5 players no. 5 of the start plays nowhere." in told(data)


def _swap_ranks(data: Data) -> bool:
    """Let a later place of the same group go on in the place of a better one, if it can."""
    for stage in data["stages"][1:]:
        for group in stage["groups"]:
            for source in group["entrants"]:
                if source.get("rank") == 1:
                    source["rank"] = 40
                    return True
    return False


def _double(data: Data) -> bool:
    """Take a place twice."""
    if len(data["stages"]) < 2:
        return False
    entrants = data["stages"][-1]["groups"][0]["entrants"]
    entrants.append(dict(entrants[0]))
    return True


def _from_nowhere(data: Data) -> bool:
    """Take players from the stage itself."""
    if len(data["stages"]) < 2:
        return False
    data["stages"][-1]["groups"][0]["entrants"].append(make.rank(len(data["stages"]), "A", 1))
    return True


def _empty(data: Data) -> bool:
    """Leave a group without players."""
    data["stages"][-1]["groups"][0]["entrants"] = []
    return True


def _twin(data: Data) -> bool:
    """Give two groups one name."""
    groups = data["stages"][0]["groups"]
    groups.append(dict(groups[0]))
    return True


def _even(data: Data) -> bool:
    data["stages"][0]["best_of"] = [2]
    return True


def _several_left(data: Data) -> bool:
    data["stages"][-1]["survivors"] = 2
    return True


def _nobody_spread(data: Data) -> bool:
    """Name the first player of the start, and no other."""
    for group in data["stages"][0]["groups"]:
        group["entrants"] = [{"start": 1}]
    return True


MUTATIONS = (
    *(_swap_ranks, _double, _from_nowhere, _empty, _twin, _even, _several_left, _nobody_spread),
)


@pytest.mark.parametrize("mutate", MUTATIONS)
@given(data=make.playable())
@settings(
    examples(0.6),
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
def test_what_breaks_a_formula_is_a_fault(mutate: Callable[[Data], bool], data: Data) -> None:
    assume(not told(data))
    broken = deepcopy(data)
    assume(mutate(broken))
    assert told(broken)
