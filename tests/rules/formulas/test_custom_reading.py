"""Whatever is given as a formula is read, or refused with the path of what is wrong."""

from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.formulas.custom import Definition, read_definition
from rules.formulas.custom.definition import GroupRank, MatchWinner, StartPlace
from tests.rules.formulas import definitions as make

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
        assert isinstance(read_definition(make.swiss_cut() | {key: value}), Definition)


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
    with pytest.raises(BadInput, match="choose the formula “Tables and cut”"):
        read_definition(given)
