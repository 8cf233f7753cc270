"""Groups and knock-out."""

import pytest

from rules.errors import BadInput
from rules.formulas import FORMULAS
from rules.formulas.base import DefaultGames
from rules.plans import NthAmong
from tests.rules.play import PlayedEvent, lower_wins

FORMULA = FORMULAS.get("groups-knockout")


def sizes(players: int, **options: int) -> list[int]:
    return [len(group.seats) for group in FORMULA.plan(players, options).stages[0].groups]


@pytest.mark.parametrize(
    ("players", "expected"),
    [(3, [3]), (5, [5]), (6, [3, 3]), (8, [4, 4]), (10, [3, 3, 4]), (13, [3, 3, 3, 4])],
)
def test_groups_by_number_of_players(players: int, expected: list[int]) -> None:
    assert sizes(players) == expected


def test_ten_fill_the_quarter_finals_with_two_thirds() -> None:
    plan = FORMULA.plan(10)
    assert plan.stages[1].size == 8
    thirds = [p for p in plan.stages[0].places if isinstance(p, NthAmong) and p.rank == 3]
    assert [place.nth for place in thirds] == [1, 2]


def test_without_filling_the_top_seeds_have_byes() -> None:
    plan = FORMULA.plan(10, {"fill": False})
    assert plan.stages[1].size == 6


def test_byes_where_too_few_could_fill() -> None:
    assert FORMULA.plan(20).stages[1].size == 10, "five thirds are fewer than six places"


def test_winners_are_seeded_before_seconds() -> None:
    event = PlayedEvent(FORMULA.plan(8), list(range(1, 9)))
    event.play(lower_wins)
    assert set(event.states[1].seats["knockout"][:2]) == {1, 2}
    assert event.ranking()[:2] == ((1,), (2,))


def test_places_have_the_names_of_groups_and_ranks_too() -> None:
    event = PlayedEvent(FORMULA.plan(8), list(range(1, 9)))
    event.play(lower_wins)
    assert {name: event.places[name] for name in ("A1", "A2", "B1", "B2")} == {
        "A1": 1,
        "A2": 4,
        "B1": 2,
        "B2": 3,
    }


def test_games_rise_by_round_or_follow_the_game() -> None:
    games = DefaultGames(match=3, final=5)
    assert FORMULA.plan(8, {"best_of": [0, 0, 1]}, games).stages[1].best_of == (5, 3, 1)
    assert FORMULA.plan(8, {}, games).stages[0].best_of == (3,)


def test_a_third_place_match_needs_semi_finals() -> None:
    assert not FORMULA.plan(5).stages[1].third_place
    assert FORMULA.plan(8).stages[1].third_place


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
        FORMULA.plan(players, options)
    assert refusal.value.code == code
    assert str(refusal.value).endswith(".")


def test_a_thousand_players_have_groups_beyond_z():
    plan = FORMULAS.get("groups-knockout").plan(1000)
    names = [group.name for group in plan.stages[0].groups]
    assert (len(names), names[25], names[26]) == (250, "Z", "AA")
    assert len(plan.stages[1].groups[0].seats) == 512
