"""The formula: sizes, places, words, plans stored before, and formulas of one’s own."""

import pytest

from rules.errors import BadInput
from rules.formulas import FORMULAS, describe
from rules.formulas.adviser import advise
from rules.formulas.base import DefaultGames
from rules.formulas.custom import custom_formula, faults, read_definition
from rules.plans import FormulaPlan
from tests.rules.play import PlayedEvent, lower_wins

FORMULA = FORMULAS.get("double-elimination")


@pytest.mark.parametrize(
    ("players", "names"),
    [
        (2, ["W2", "L2"]),
        (3, ["W6", "L6", "L5"]),
        (8, ["W14", "L14", "L13", "L12"]),
        (13, ["W30", "L30", "L29", "L28"]),
    ],
)
def test_places_are_called_by_the_matches_of_the_full_bracket(
    players: int, names: list[str]
) -> None:
    (stage,) = FORMULA.plan(players).stages
    assert [place.name for place in stage.places] == names


def test_it_takes_256_players() -> None:
    assert FORMULA.plan(256).players == 256
    with pytest.raises(BadInput) as refused:
        FORMULA.plan(257)
    assert refused.value.code == "too_many_players"


def test_the_games_are_those_of_the_game_unless_chosen() -> None:
    (stage,) = FORMULA.plan(8, {"best_of": [0, 5, 0, 1]}, DefaultGames(match=3, final=7)).stages
    assert stage.best_of == (7, 5, 3, 1)


def test_it_is_said_in_words() -> None:
    assert list(map(str, describe(FORMULA.plan(8)))) == [
        "Double elimination: a player who loses twice is out. Players: 8. Rounds: 6.",
        "Grand final: one game.",
        "The player from the lower bracket must win the grand final twice; the second match is "
        "one more round.",
    ]
    assert len(describe(FORMULA.plan(8, {"second_final": False}))) == 2


def test_the_adviser_counts_the_second_final() -> None:
    (advice,) = [
        one for one in advise(8, minutes=50).rows if one.formula is FORMULA and not one.options
    ]
    assert (advice.rounds, advice.matches) == (7, 15)


def test_plans_stored_before_there_was_a_second_final_are_read() -> None:
    stored = FORMULAS.get("single-elimination").plan(8).to_json()
    for stage in stored["stages"]:
        del stage["second_final"]
    assert FormulaPlan.from_json(stored) == FORMULAS.get("single-elimination").plan(8)


def test_a_custom_formula_leads_into_and_out_of_it() -> None:
    best_three = [
        {"stage": 1, "group": group, "rank": rank} for rank in (1, 2, 3) for group in ("A", "B")
    ]
    top_four = [{"stage": 2, "winner": 14}, *({"stage": 2, "loser": n} for n in (14, 13, 12))]
    groups = [{"name": name, "entrants": "start"} for name in ("A", "B")]
    definition = read_definition(
        {
            "girone_formula": 1,
            "name": "Groups, double elimination, knock-out",
            "about": "",
            "players": {"lowest": 8, "highest": 12},
            "stages": [
                {"name": "Groups", "kind": "round_robin", "groups": groups},
                {
                    "name": "Double",
                    "kind": "double_elimination",
                    "groups": [{"name": "D", "entrants": best_three}],
                },
                {
                    "name": "End",
                    "kind": "knockout",
                    "third_place": True,
                    "groups": [{"name": "K", "entrants": top_four}],
                },
            ],
        }
    )
    assert faults(definition) == ()
    event = PlayedEvent(custom_formula("own", definition).plan(9), list(range(1, 10)))
    event.play(lower_wins)
    assert event.states[2].seats == {"K": (1, 2, 3, 4)}
    assert sorted(player for level in event.ranking() for player in level) == [*range(1, 10)]
    assert event.ranking()[:4] == ((1,), (2,), (3,), (4,))
