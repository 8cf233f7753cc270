"""What players call the matches of a bracket: by their round, each by a name of its own."""

import pytest
from django.utils.translation import override

from rules.formulas import FORMULAS
from rules.plans import StagePlan, WinnerPlace
from rules.stages.base import bracket_matches
from tournaments.core.labels import place_phrase
from tournaments.core.names import match_name, positions_in_rounds


def bracket(formula: str, players: int, **options: int | bool) -> StagePlan:
    stages = FORMULAS.get(formula).plan(players, options).stages
    return next(plan for plan in stages if bracket_matches(plan))


def names(plan: StagePlan, language: str = "en") -> list[str]:
    """Return the names of all matches but byes."""
    numbers = positions_in_rounds(plan)
    played = [each for each in bracket_matches(plan) if each.number in numbers or each.third_place]
    with override(language):
        return [match_name(plan, each, numbers) for each in played]


def test_a_knock_out_is_named_from_its_final_back() -> None:
    found = names(bracket("single-elimination", 7, third_place=True))
    assert found[:3] == ["Quarter-final 1", "Quarter-final 2", "Quarter-final 3"], "one is a bye"
    assert found[3:5] == ["Semi-final 1", "Semi-final 2"]
    assert {*found[5:]} == {"Final", "Third place"}
    of_all = names(bracket("single-elimination", 64), "it")
    assert (of_all[0], of_all[32], of_all[50]) == (
        "Trentaduesimi di finale, incontro 1",
        "Sedicesimi di finale, incontro 1",
        "Ottavi di finale, incontro 3",
    )


def test_a_preliminary_counts_its_matches_and_not_those_of_the_bracket() -> None:
    plan = bracket("mutant-chronicles", 14, preliminary=0)
    assert names(plan) == ["Preliminary 1", "Preliminary 2"]
    assert names(plan, "it") == ["Preliminare 1", "Preliminare 2"]
    winners = (each for each in plan.places if isinstance(each, WinnerPlace))
    place = next(each for each in winners if each.match in positions_in_rounds(plan))
    with override("en"):
        assert place_phrase(plan, place.name) == "winner of “Preliminary 1”"


@pytest.mark.parametrize("players", [5, 8, 40, 128])
@pytest.mark.parametrize("formula", ["single-elimination", "double-elimination"])
def test_no_two_matches_have_one_name(formula: str, players: int) -> None:
    for language in ("en", "it"):
        found = names(bracket(formula, players), language)
        assert len({*found}) == len(found) >= players - 1
