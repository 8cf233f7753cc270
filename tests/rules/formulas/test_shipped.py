"""The plans of shipped formulas.

Source of tables-cut: tables, 6.
"""

import pytest

from rules.errors import BadInput
from rules.formulas import FORMULAS, describe_plan, shipped_formula
from rules.formulas.adviser import suggest_formats
from rules.formulas.base import DefaultGames
from rules.formulas.custom import custom_formula, formula_faults, read_definition
from rules.formulas.mutant_chronicles import GROUPS, PLAY_IN, SWISS_ROUNDS
from rules.formulas.single_group import fully_advancing_groups
from rules.formulas.swiss_cut import recommended_rounds
from rules.formulas.tables_cut import (
    TABLES_CUT,
    default_knockout_size,
    default_table_cut_size,
    default_table_rounds,
)
from rules.plans import ComparedRankPlace, FormulaPlan, StagePlan, group_plans, rank_places
from rules.results import MatchEnding, Result, Winner, two_player_result
from rules.stages.base import Pairing
from rules.wording import Sentence
from tests.rules.play import PlayedEvent, lower_wins

DOUBLE_ELIMINATION_FORMULA = FORMULAS.get("double-elimination")


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
    (stage,) = DOUBLE_ELIMINATION_FORMULA.plan(players).stages
    assert [place.name for place in stage.places] == names


def test_it_takes_256_players() -> None:
    assert DOUBLE_ELIMINATION_FORMULA.plan(256).players == 256
    with pytest.raises(BadInput) as refused:
        DOUBLE_ELIMINATION_FORMULA.plan(257)
    assert refused.value.code == "too_many_players"


def test_the_games_are_those_of_the_game_unless_chosen() -> None:
    (stage,) = DOUBLE_ELIMINATION_FORMULA.plan(
        8, {"best_of": [0, 5, 0, 1]}, DefaultGames(match=3, final=7)
    ).stages
    assert stage.best_of == (7, 5, 3, 1)


def test_it_is_said_in_words() -> None:
    assert list(map(str, describe_plan(DOUBLE_ELIMINATION_FORMULA.plan(8)))) == [
        "Double elimination · Players: 8 · Rounds: 6",
        "Grand final: One game",
        "The winner of the lower bracket must win the grand final twice",
    ]
    assert len(describe_plan(DOUBLE_ELIMINATION_FORMULA.plan(8, {"second_final": False}))) == 2


def test_the_adviser_counts_the_second_final() -> None:
    (advice,) = [
        one
        for one in suggest_formats(8, minutes=50).rows
        if one.formula is DOUBLE_ELIMINATION_FORMULA and not one.options
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
    assert formula_faults(definition) == ()
    event = PlayedEvent(custom_formula("own", definition).plan(9), list(range(1, 10)))
    event.play(lower_wins)
    assert event.states[2].seats == {"K": (1, 2, 3, 4)}
    assert sorted(player for level in event.ranking() for player in level) == [*range(1, 10)]
    assert event.ranking()[:4] == ((1,), (2,), (3,), (4,))


GROUPS_KNOCKOUT = FORMULAS.get("groups-knockout")


def sizes(players: int, **options: int) -> list[int]:
    return [len(group.seats) for group in GROUPS_KNOCKOUT.plan(players, options).stages[0].groups]


@pytest.mark.parametrize(
    ("players", "expected"),
    [(3, [3]), (5, [5]), (6, [3, 3]), (8, [4, 4]), (10, [3, 3, 4]), (13, [3, 3, 3, 4])],
)
def test_groups_by_number_of_players(players: int, expected: list[int]) -> None:
    assert sizes(players) == expected


def test_ten_fill_the_quarter_finals_with_two_thirds() -> None:
    plan = GROUPS_KNOCKOUT.plan(10)
    assert plan.stages[1].size == 8
    thirds = [p for p in plan.stages[0].places if isinstance(p, ComparedRankPlace) and p.rank == 3]
    assert [place.nth for place in thirds] == [1, 2]


def test_without_filling_the_top_seeds_have_byes() -> None:
    plan = GROUPS_KNOCKOUT.plan(10, {"fill": False})
    assert plan.stages[1].size == 6


def test_byes_where_too_few_could_fill() -> None:
    assert GROUPS_KNOCKOUT.plan(20).stages[1].size == 10, "five thirds are fewer than six places"


def test_winners_are_seeded_before_seconds() -> None:
    event = PlayedEvent(GROUPS_KNOCKOUT.plan(8), list(range(1, 9)))
    event.play(lower_wins)
    assert set(event.states[1].seats["knockout"][:2]) == {1, 2}
    assert event.ranking()[:2] == ((1,), (2,))


def test_places_have_the_names_of_groups_and_ranks_too() -> None:
    event = PlayedEvent(GROUPS_KNOCKOUT.plan(8), list(range(1, 9)))
    event.play(lower_wins)
    assert {name: event.places[name] for name in ("A1", "A2", "B1", "B2")} == {
        "A1": 1,
        "A2": 4,
        "B1": 2,
        "B2": 3,
    }


def test_games_rise_by_round_or_follow_the_game() -> None:
    games = DefaultGames(match=3, final=5)
    assert GROUPS_KNOCKOUT.plan(8, {"best_of": [0, 0, 1]}, games).stages[1].best_of == (5, 3, 1)
    assert GROUPS_KNOCKOUT.plan(8, {}, games).stages[0].best_of == (3,)


def test_a_third_place_match_needs_semi_finals() -> None:
    assert not GROUPS_KNOCKOUT.plan(5, {"third_place": True}).stages[1].third_place
    assert GROUPS_KNOCKOUT.plan(8, {"third_place": True}).stages[1].third_place


@pytest.mark.parametrize("formula", ["groups-knockout", "swiss-cut", "single-elimination"])
def test_nobody_plays_for_third_place_unless_it_is_chosen(formula) -> None:
    assert not FORMULAS.get(formula).plan(12).stages[-1].third_place


@pytest.mark.parametrize(
    ("players", "options", "code"),
    [
        (2, {}, "too_few_players"),
        (10, {"groups": 1}, "bad_group_sizes"),
        (10, {"groups": 4}, "bad_group_sizes"),
        (10, {"advance": 4}, "too_many_advance"),
        (5, {"advance": 1}, "too_few_advance"),
        (1030, {}, "too_many_groups"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(
    players: int, options: dict[str, int], code: str
) -> None:
    with pytest.raises(BadInput) as refusal:
        GROUPS_KNOCKOUT.plan(players, options)
    assert refusal.value.code == code
    assert str(refusal.value).endswith(".")


def test_a_thousand_players_have_groups_beyond_z():
    plan = FORMULAS.get("groups-knockout").plan(1000)
    names = [group.name for group in plan.stages[0].groups]
    assert (len(names), names[25], names[26]) == (250, "Z", "AA")
    assert len(plan.stages[1].groups[0].seats) == 512


MUTANT_CHRONICLES = FORMULAS.get("mutant-chronicles")


def keys(plan: FormulaPlan) -> list[str]:
    return [stage.key for stage in plan.stages]


@pytest.mark.parametrize(
    ("players", "stages"),
    [
        (3, ["group", "final"]),
        (4, ["group", "final"]),
        (5, ["group", "last_three", "final"]),
        (7, ["group", "last_three", "final"]),
        (8, ["second_groups", "repechage", "last_three", "final"]),
        (9, ["preliminary", "second_groups", "repechage", "last_three", "final"]),
        (11, ["preliminary", "second_groups", "repechage", "last_three", "final"]),
        (12, ["groups", "second_groups", "repechage", "last_three", "final"]),
        (13, ["preliminary", "groups", "second_groups", "repechage", "last_three", "final"]),
        (40, ["preliminary", "groups", "second_groups", "repechage", "last_three", "final"]),
    ],
)
def test_stages_by_number_of_players(players: int, stages: list[str]) -> None:
    assert keys(MUTANT_CHRONICLES.plan(players)) == stages


def test_seats_of_the_second_groups() -> None:
    second = MUTANT_CHRONICLES.plan(12).stages[1]
    assert [group.seats for group in second.groups] == [
        ("A1", "B2", "C1", "R2"),
        ("A2", "B1", "C2", "R1"),
    ]


def test_eight_enter_at_the_second_groups() -> None:
    second = MUTANT_CHRONICLES.plan(8).stages[0]
    assert [group.seats for group in second.groups] == [
        ("S1", "S4", "S5", "S8"),
        ("S2", "S3", "S6", "S7"),
    ]


def test_after_a_play_in_the_slots_are_dealt_by_snake() -> None:
    groups = MUTANT_CHRONICLES.plan(16).stages[1]
    assert groups.groups[0].seats == ("W1", "W6", "W7", "W12")
    event = PlayedEvent(MUTANT_CHRONICLES.plan(16), list(range(1, 17)))
    event.play(lower_wins)
    assert event.states[1].seats["A"] == (1, 6, 7, 12)


def test_legs_by_stage_and_the_last_three_have_one() -> None:
    plan = MUTANT_CHRONICLES.plan(12, {"legs": [2, 1, 2]})
    assert [stage.legs for stage in plan.stages] == [2, 1, 2, 1, 1]
    assert plan.stages[3].one_leg_only


def test_the_final_is_best_of_three_without_time_limit() -> None:
    final = MUTANT_CHRONICLES.plan(12).stages[-1]
    assert (final.best_of, final.timed) == ((3,), False)


def test_two_are_too_few() -> None:
    with pytest.raises(BadInput) as refusal:
        MUTANT_CHRONICLES.plan(2)
    assert refusal.value.code == "too_few_players"


def test_in_words() -> None:
    assert [str(sentence) for sentence in describe_plan(MUTANT_CHRONICLES.plan(6))] == [
        "Group (Round robin) · Players: 6 · Rounds: 5",
        "Advancing: 3",
        "Last three (Round robin) · Players: 3 · Rounds: 3",
        "Advancing: 2",
        "Final: Best of 3",
        "No time limit",
    ]


SIZES = ((4, 3), (4, 5, 3), (3, 4), (4,), (4, 3, 2), (3,), (5, 4))


def test_rounds_and_cut_fit_the_players():
    wanted = {5: (2, 4), 16: (2, 4), 17: (3, 4), 34: (3, 4), 35: (4, 10), 64: (4, 10)}
    wanted |= {65: (5, 16), 128: (5, 16), 129: (6, 16), 208: (6, 16), 209: (7, 16), 304: (7, 16)}
    wanted |= {305: (8, 40), 3: (2, 0), 4: (2, 0)}
    assert {n: (default_table_rounds(n), default_table_cut_size(n, 4)) for n in wanted} == wanted
    for sizes in SIZES:
        for players in range(3, 400, 7):
            for ending in ("tables", "two"):
                TABLES_CUT.plan(players, {"sizes": list(sizes), "ending": ending})
    wanted = {3: 0, 4: 0, 5: 4, 34: 4, 35: 8, 65: 16, 305: 32}
    assert {n: default_knockout_size(n, 4) for n in wanted} == wanted


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"sizes": [4, 4]}, "invalid_sizes"),
        ({"sizes": []}, "invalid_sizes"),
        ({"sizes": [6]}, "invalid_sizes"),
        ({"sizes": [5, 2]}, "invalid_sizes"),
        ({"sizes": "43"}, "bad_option"),
        ({"small": "most"}, "bad_option"),
        ({"small": True}, "bad_option"),
        ({"cut": 8}, "invalid_cut"),
        ({"cut": 4, "sizes": [3, 4]}, "invalid_cut"),
        ({"cut": 65}, "bad_option"),
        ({"ending": "threes"}, "bad_option"),
    ],
)
def test_options_that_cannot_be_are_refused_whatever_the_players(options, code):
    with pytest.raises(BadInput) as refused:
        TABLES_CUT.checked(options)
    assert refused.value.code == code


def test_a_formula_of_the_program_is_found_by_its_key_whatever_the_size_of_its_tables():
    assert shipped_formula("tables-cut") is TABLES_CUT
    for formula in FORMULAS:
        assert shipped_formula(formula.key) is formula
        usual = formula.always is None
        assert formula.beside_plan == ((formula.about,) if usual else formula.always)
    with pytest.raises(BadInput):
        shipped_formula("go")


KINDS = pytest.mark.parametrize("kind", [PLAY_IN, SWISS_ROUNDS, GROUPS])


def better_wins(pairing: Pairing) -> Result:
    assert len(pairing.seats) == 2
    a, b = int(pairing.seats[0]), int(pairing.seats[-1])
    winner = Winner.A if a < b else Winner.B
    score = (100 - a, 0) if a < b else (0, 100 - b)
    return two_player_result(a=a, b=b, winner=winner, score=score, ended_by=MatchEnding.PLAYED)


@KINDS
@pytest.mark.parametrize("players", [9, 10, 11, 13, 14, 15, 16, 23, 31, 48, 64])
def test_the_number_of_qualifiers_matches_the_groups(kind: int, players: int) -> None:
    plan = MUTANT_CHRONICLES.plan(players, {"preliminary": kind})
    survivors = 12 if players > 12 else 8
    event = PlayedEvent(plan, list(range(1, players + 1)))
    event.play(better_wins)
    following = event.states[1]
    assert len(following.players) == len(set(following.players)) == survivors
    ranking = event.ranking()
    assert sorted(player for level in ranking for player in level) == [*range(1, players + 1)]
    assert ranking[0] == (1,)


@pytest.mark.parametrize("players", [12, 8, 7, 4])
def test_a_number_that_fits_needs_no_preliminary(players: int) -> None:
    plan = MUTANT_CHRONICLES.plan(players, {"preliminary": SWISS_ROUNDS})
    assert all(stage.key != "preliminary" for stage in plan.stages)


def test_swiss_rounds_may_be_chosen() -> None:
    (first, *_rest) = MUTANT_CHRONICLES.plan(
        20, {"preliminary": SWISS_ROUNDS, "preliminary_rounds": 3}
    ).stages
    assert (first.kind, first.rounds, len(first.places)) == ("swiss", 3, 12)


def test_groups_send_firsts_then_seconds_then_the_best_of_a_place() -> None:
    (first, *_rest) = MUTANT_CHRONICLES.plan(20, {"preliminary": GROUPS}).stages
    assert [(place.rank, place.nth) for place in first.places] == [  # type: ignore[union-attr]
        *((1, nth) for nth in range(1, 6)),
        *((2, nth) for nth in range(1, 6)),
        (3, 1),
        (3, 2),
    ]


SWISS_CUT = FORMULAS.get("swiss-cut")


@pytest.mark.parametrize(
    ("players", "rounds"), [(3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (64, 6), (65, 7), (1024, 10)]
)
def test_one_at_most_can_have_won_every_recommended_round(players: int, rounds: int) -> None:
    assert recommended_rounds(players) == rounds


@pytest.mark.parametrize("cut", [2, 3, 5, 6, 8, 12, 20])
def test_any_number_of_the_best_plays_the_knock_out(cut: int) -> None:
    plan = SWISS_CUT.plan(20, {"rounds": 4, "cut": cut})
    assert plan.stages[1].size == cut
    event = PlayedEvent(plan, tuple(range(1, 21)))
    event.play(lower_wins)
    ranked = [player for level in event.ranking() for player in level]
    assert sorted(ranked) == list(range(1, 21))
    assert set(ranked[:cut]) == set(event.state.players)
    assert ranked[0] == 1


def test_a_knock_out_of_more_than_there_are_is_refused() -> None:
    with pytest.raises(BadInput) as refused:
        SWISS_CUT.plan(8, {"cut": 12})
    assert refused.value.code == "cut_too_large"
    assert str(refused.value.sentence) == "The top cut of 12 is larger than the field of 8."


def plan(going):
    """Return two groups of two, of which these places go on to a knock-out."""
    groups = StagePlan(
        key="groups",
        label=Sentence("Groups"),
        kind="round_robin",
        groups=group_plans("AB", [("S1", "S4"), ("S2", "S3")]),
        places=(*rank_places("A", ("A1", "A2")), *rank_places("B", ("B1", "B2"))),
    )
    cup = StagePlan(
        key="cup", label=Sentence("Cup"), kind="knockout", groups=group_plans(["K"], [going])
    )
    return FormulaPlan(formula="x", players=4, stages=(groups, cup))


def test_two_of_two_are_found_and_one_of_two_is_not():
    (found,) = fully_advancing_groups(plan(("A1", "B1", "B2", "A2")))
    assert (found[0].key, found[1]) == ("groups", 2)
    assert list(fully_advancing_groups(plan(("A1", "B1")))) == []


def test_shipped_formulas_have_none_at_their_usual_size():
    for formula in FORMULAS:
        assert list(fully_advancing_groups(formula.plan(max(16, formula.minimum)))) == []


SINGLE_GROUP = FORMULAS.get("single-group")


def test_a_table_is_all_there_is() -> None:
    plan = SINGLE_GROUP.plan(6)
    assert [stage.key for stage in plan.stages] == ["group"]
    assert plan.stages[0].places == ()


def test_the_first_two_may_play_a_final() -> None:
    event = PlayedEvent(SINGLE_GROUP.plan(6, {"final": 5, "legs": 2}), list(range(1, 7)))
    event.play(lower_wins)
    assert len(event.states[0].rounds) == 10
    assert set(event.states[1].seats["final"]) == {1, 2}
    assert event.plan.stages[1].best_of == (5,)
