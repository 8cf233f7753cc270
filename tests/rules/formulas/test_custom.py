"""Formulas of one's own: what is read, and every fault that is found."""

from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from time import process_time
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.formulas.custom import FormulaDefinition, formula_faults, read_definition
from rules.formulas.custom.checks import (
    advancement_faults,
    duplicate_player_faults,
    group_size_faults,
    unfilled_place_faults,
)
from rules.formulas.custom.definition import GroupRank, MatchWinner, StartPlace
from tests.effort import examples
from tests.rules.formulas import definitions as make
from tests.rules.formulas.definitions import Data, told

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=10,
)


def with_value(path: tuple[Any, ...], value: Any) -> Any:
    """Return a good formula with another value at a path; a key "-" is left out."""
    data = deepcopy(make.mutant_chronicles())
    at: Any = data
    for step in path[:-1]:
        at = at[step]
    if value is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return data


FIRST = ("stages", 0)
GROUP = (*FIRST, "groups", 0)
ENTRANT = ("stages", 1, "groups", 0, "entrants", 0)


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (("girone_formula",), 2, "girone_formula"),
        ((*FIRST, "kind"), "table_swiss", "stages[0].kind"),
        (("girone_formula",), True, "girone_formula"),
        (("girone_formula",), ..., "girone_formula"),
        (("name",), "", "name"),
        (("name",), "–", "name"),
        (("name",), "x" * 81, "name"),
        (("about",), 3, "about"),
        (("about",), "x" * 1001, "about"),
        (("players",), [], "players"),
        (("players", "lowest"), 1, "players.lowest"),
        (("players", "highest"), 11, "players.highest"),
        (("players", "highest"), 1025, "players.highest"),
        (("players", "highest"), True, "players.highest"),
        (("stages",), {}, "stages"),
        (("stages",), [{}] * 21, "stages"),
        (("extra",), 1, "extra"),
        ((*FIRST, "kind"), "ladder", "stages[0].kind"),
        ((*FIRST, "kind"), [], "stages[0].kind"),
        ((*FIRST, "name"), ..., "stages[0].name"),
        ((*FIRST, "leg"), 1, "stages[0].leg"),
        ((*FIRST, "legs"), "1", "stages[0].legs"),
        ((*FIRST, "timed"), 1, "stages[0].timed"),
        ((*FIRST, "best_of"), 3, "stages[0].best_of"),
        ((*FIRST, "best_of"), [1, None], "stages[0].best_of[1]"),
        ((*FIRST, "best_of"), [1] * 13, "stages[0].best_of"),
        ((*FIRST, "groups"), None, "stages[0].groups"),
        ((*FIRST, "groups"), [{}] * 129, "stages[0].groups"),
        ((*GROUP, "name"), "x" * 21, "stages[0].groups[0].name"),
        ((*GROUP, "entrants"), "all", "stages[0].groups[0].entrants"),
        ((*GROUP, "entrants"), ..., "stages[0].groups[0].entrants"),
        (ENTRANT, {"stage": 1}, "stages[1].groups[0].entrants[0]"),
        (ENTRANT, {"stage": 1, "winner": 1, "loser": 1}, "stages[1].groups[0].entrants[0]"),
        (ENTRANT, "A1", "stages[1].groups[0].entrants[0]"),
        (ENTRANT, {"start": 0}, "stages[1].groups[0].entrants[0].start"),
        (ENTRANT, {"stage": 1, "group": 1, "rank": 1}, "stages[1].groups[0].entrants[0].group"),
        (ENTRANT, make.rank(1, "A", -1), "stages[1].groups[0].entrants[0].rank"),
    ],
)
def test_what_is_wrong_is_named_by_its_path(path: Any, value: Any, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_definition(with_value(path, value))
    assert refused.value.code == "bad_formula"
    assert refused.value.sentence.values["field"] == field
    assert str(refused.value.sentence).startswith(f"{field}: ")


@given(JSON)
def test_anything_else_is_refused(data: Any) -> None:
    with pytest.raises(BadInput):
        read_definition(data)


@given(st.sampled_from(["name", "players", "stages", "about"]), JSON)
def test_anything_within_is_read_or_refused(key: str, value: Any) -> None:
    with suppress(BadInput):
        assert isinstance(read_definition(make.swiss_cut() | {key: value}), FormulaDefinition)


def test_names_are_tidied_and_what_is_left_out_is_as_usual() -> None:
    data = make.formula(
        make.stage(" Tutti \n insieme", "round_robin", make.group("A")), lowest=3, name="\tUno  due"
    )
    definition = read_definition(data)
    (stage,) = definition.stages
    assert (definition.name, definition.about, stage.name) == ("Uno due", "", "Tutti insieme")
    assert (stage.legs, stage.best_of, stage.timed, stage.survivors) == (1, (0,), True, 1)
    assert stage.groups[0].entrants is None


def test_entrants_are_distinguished_by_their_fields() -> None:
    data = make.formula(
        make.stage("One", "round_robin", make.group("A")),
        make.stage(
            *("Two", "knockout"),
            make.group("B", {"start": 1}, make.rank(1, "A", 2), make.winner(1, 3)),
        ),
        lowest=3,
    )
    assert read_definition(data).stages[1].groups[0].entrants == (
        StartPlace(start=1),
        GroupRank(stage=1, group="A", rank=2),
        MatchWinner(stage=1, winner=3),
    )


@pytest.mark.parametrize("kind", ["table_swiss", "table_cut"])
def test_stages_of_tables_are_refused_with_the_formula_that_has_them(kind: str) -> None:
    given = with_value((*FIRST, "kind"), kind)
    given["stages"][0]["sizes"] = 4
    with pytest.raises(BadInput, match="Use one of"):
        read_definition(given)


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
        "Stage 2, Second groups, group I: “Stage 1, A, rank 1” is used more than once.",
    ),
    (
        put(1, 0, 1, make.rank(1, "D", 1)),
        "Stage 2, Second groups, group I: “Stage 1, D, rank 1” is not in an earlier stage.",
    ),
    (
        put(1, 0, 1, make.rank(1, "B", 5)),
        "Stage 2, Second groups, group I: With 12 players, “Stage 1, B, rank 5” is empty.",
    ),
    (
        put(1, 0, 1, make.rank(1, "B", 3)),
        "Stage 1, Groups: “Stage 1, B, rank 3” and “Stage 1: place 1 among the players "
        "ranked 3 in their groups” "
        "may be the same player.",
    ),
    (
        put(1, 0, 3, make.best(1, 3, 4)),
        "Stage 2, Second groups, group I: With 12 players, "
        "“Stage 1: place 4 among the players ranked 3 in their groups” is empty.",
    ),
    (
        put(1, 0, 0, make.rank(2, "I", 1)),
        "Stage 2, Second groups, group I: “Stage 2, I, rank 1” is not in an earlier stage.",
    ),
    (
        put(1, 0, 0, make.winner(1, 1)),
        "Stage 2, Second groups, group I: “Stage 1, winner of match 1” is not in an earlier stage.",
    ),
    (
        setting(3, kind="knockout"),
        "Stage 5, Final, group F: “Stage 4, T, rank 1” is not in an earlier stage.",
    ),
    (
        put(1, 0, 0, {"start": 13}),
        "Stage 2, Second groups, group I: With 12 players, “Start no. 13” is empty.",
    ),
    (lambda data: stages(data, 2).clear(), "Stage 3, Repechage, group R: Enter at least one."),
    (
        lambda data: data["stages"][2]["groups"].clear(),
        "Stage 3, Repechage: Enter at least one.",
    ),
    (
        lambda data: data["stages"][2]["groups"][0].update(entrants="start"),
        "Stage 3, Repechage, group R: Only the first stage can include everybody.",
    ),
    (
        lambda data: data["stages"][1]["groups"][1].update(name="i"),
        "Stage 2, Second groups, group i: Use each value only once.",
    ),
    (setting(2, name="Final"), "Stage 3, Final: Use each value only once."),
    (lambda data: data["stages"].clear(), "Enter at least one."),
    (setting(0, kind="swiss"), "Stage 1, Groups: Not possible here: Groups."),
    (setting(4, legs=2), "Stage 5, Final: Not possible here: Matches per pair."),
    (setting(0, apart=True), "Stage 1, Groups: Not possible here: Players from the same group"),
    (setting(0, legs=5), "Stage 1, Groups: Matches per pair must be from 1 to 4."),
    (
        setting(4, best_of=[2]),
        "Stage 5, Final: Best of 1, 3, 5 … 9, or 0 for the game’s default.",
    ),
    (setting(4, best_of=[11]), "Stage 5, Final: Best of 1, 3, 5 … 9"),
    (setting(0, best_of=[3, 1]), "Stage 1, Groups: Not possible here: Games in a match."),
    (setting(0, best_of=[]), "Stage 1, Groups: Not possible here: Games in a match."),
    (
        setting(0, kind="swiss", rounds=21),
        "Stage 1, Groups: Number of rounds must be from 0 to 20.",
    ),
    (setting(4, survivors=2), "Stage 5, Final: The last stage must have one group"),
    (
        setting(4, survivors=2, third_place=True),
        "Stage 5, Final: Not possible here: Match for third place.",
    ),
    (setting(4, survivors=0), "Stage 5, Final: Players left at the end must be from 1 to"),
    (
        setting(4, third_place=True),
        "Stage 5, Final, group F: With 12 players, this group needs at least 4 seats; it has 2.",
    ),
    (
        lambda data: stages(data, 4).pop(),
        "Stage 5, Final, group F: With 12 players, this group needs at least 2 seats; it has 1.",
    ),
    (
        put(4, 0, 1, make.rank(4, "T", 3)),
        "Stage 4, Last three: “Stage 4, T, rank 3” can advance further than “Stage 4, T, rank 2”",
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
    assert told(data) == ["With 4 players, “Start no. 3” is not used."]
    data["players"]["highest"] = 5
    assert "With 5 players, “Start no. 5” is not used." in told(data)


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


SLOW = settings(
    examples(1.5),
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


@given(make.playable())
@SLOW
def test_what_holds_for_the_telling_numbers_holds_for_all(data: Data) -> None:
    definition = read_definition(data)
    assume(not formula_faults(definition))
    for players in range(definition.lowest, definition.highest + 1):
        assert list(by_number(definition, players)) == []


def by_number(definition: FormulaDefinition, players: int) -> list[str]:
    checks = (group_size_faults, unfilled_place_faults, duplicate_player_faults, advancement_faults)
    return [str(fault) for check in checks for fault in check(definition, players)]


@given(make.playable(), st.data())
@SLOW
def test_a_fault_with_any_number_of_players_is_found(data: Data, more: st.DataObject) -> None:
    """Places that only some numbers have: the widest range shows what one number lacks."""
    data["players"] = {"lowest": 2, "highest": 24}
    definition = read_definition(data)
    players = more.draw(st.integers(2, 24))
    existing = [
        *group_size_faults(definition, players),
        *unfilled_place_faults(definition, players),
    ]
    if existing:
        assert formula_faults(definition)


def test_a_group_of_one_is_found_between_an_empty_one_and_a_full_one() -> None:
    """Numbers 1 and 2 play elsewhere: with three players one sits alone in the first stage."""
    both = [{"start": 1}, {"start": 2}]
    data = make.formula(
        make.stage("First", "double_elimination", {"name": "A", "entrants": "start"}),
        make.stage("Then", "swiss", {"name": "A", "entrants": both}),
        lowest=2,
        highest=24,
    )
    assert any(
        "With 3 players, this group needs at least 2 seats; it has 1." in words
        for words in told(data)
    )


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


def test_a_play_in_names_its_winners() -> None:
    def play_in(*matches: int, lowest: int = 9) -> list[str]:
        winners = [make.winner(1, match) for match in matches]
        return told(
            make.formula(
                make.stage("Play-in", "knockout", make.group("P"), survivors=8),
                make.stage("Knock-out", "knockout", make.group("KO", *winners)),
                lowest=lowest,
                highest=16,
            )
        )

    assert play_in(*range(1, 9)) == []
    assert play_in(*range(1, 10)) == [
        "Stage 2, Knock-out, group KO: With 9 players, “Stage 1, winner of match 9” is empty."
    ]
    assert play_in(*range(1, 9), lowest=8) == [
        "Stage 1, Play-in, group P: With 8 players, this group needs at least 9 seats; it has 8.",
        *(
            "Stage 2, Knock-out, group KO: With 8 players, "
            f"“Stage 1, winner of match {match}” is empty."
            for match in range(1, 9)
        ),
    ]


def test_a_match_that_is_a_bye_has_no_loser() -> None:
    def losers(lowest: int) -> list[str]:
        entrants = [make.winner(1, 7), make.loser(1, 7), make.loser(1, 1)]
        return told(
            make.formula(
                make.stage("First", "knockout", make.group("P")),
                make.stage("Then", "round_robin", make.group("A", *entrants)),
                lowest=lowest,
                highest=8,
            )
        )

    assert losers(8) == []
    assert losers(7) == [
        "Stage 2, Then, group A: With 7 players, “Stage 1, loser of match 1” is empty."
    ]


def test_one_way_through_a_bracket_is_taken_once() -> None:
    entrants = [make.winner(1, 5), make.winner(1, 7), make.loser(1, 6)]
    data = make.formula(
        make.stage("First", "knockout", make.group("P")),
        make.stage("Then", "round_robin", make.group("A", *entrants)),
        lowest=8,
    )
    assert told(data) == [
        "Stage 1, First: “Stage 1, winner of match 5” "
        "and “Stage 1, winner of match 7” may be the same player."
    ]


def test_two_ways_from_one_match_to_another_are_one_player() -> None:
    """Who wins match 1 reaches the grand final, match 6, by the upper or by the lower bracket."""
    entrants = [make.winner(1, 1), make.winner(1, 6), make.loser(1, 5)]
    data = make.formula(
        make.stage("First", "double_elimination", make.group("P")),
        make.stage("Then", "round_robin", make.group("A", *entrants)),
        lowest=4,
    )
    assert told(data) == [
        "Stage 1, First: “Stage 1, winner of match 1” "
        "and “Stage 1, loser of match 5” may be the same player.",
        "Stage 1, First: “Stage 1, winner of match 1” "
        "and “Stage 1, winner of match 6” may be the same player.",
    ]


def test_the_loser_of_a_match_gets_no_further_than_its_winner() -> None:
    first = [make.winner(1, 3), {"start": 1}]
    second = [{"start": 2}, {"start": 3}]
    data = make.formula(
        make.stage("First", "knockout", make.group("P")),
        make.stage("Then", "round_robin", make.group("A", *first), make.group("B", *second)),
        make.stage("Last", "knockout", make.group("F", make.loser(1, 3), make.rank(2, "B", 1))),
        lowest=7,
    )
    assert told(data) == [
        "Stage 1, First: “Stage 1, loser of match 3” can advance further than "
        "“Stage 1, winner of match 3”."
    ]


def test_a_round_more_gives_matches_other_numbers() -> None:
    """Nine players have a bracket of sixteen, whose match 7 is one of the first round."""
    data = make.formula(
        make.stage("First", "knockout", make.group("P")),
        make.stage("Then", "knockout", make.group("F", make.winner(1, 7), make.loser(1, 7))),
        lowest=5,
        highest=9,
    )
    assert told(data) == [
        "Stage 2, Then, group F: With 9 players, “Stage 1, loser of match 7” is empty."
    ]
