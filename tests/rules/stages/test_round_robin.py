"""Order of rounds in groups (Regolamento da torneo, Formula)."""

from dataclasses import replace
from itertools import combinations

import pytest

from rules.plans import GroupPlan, StagePlan
from rules.results import EndedBy, Winner, outcome_by_winner
from rules.stages.base import Pairing, StageState
from rules.stages.round_robin import ROUND_ROBIN, rounds_a_leg, schedule
from rules.wording import Sentence
from tests.rules.play import add_round, lower_wins, opening, play_out


def group(name: str, *players: str | int) -> tuple[GroupPlan, tuple[str | int, ...]]:
    seats = tuple(f"S{number}" for number in range(1, len(players) + 1))
    return GroupPlan(name=name, seats=seats), players


def stage(*groups: tuple[GroupPlan, tuple[str | int, ...]], legs: int = 1) -> StageState:
    plan = StagePlan(
        key="groups",
        label=Sentence("Groups"),
        kind="round_robin",
        groups=tuple(plan for plan, _players in groups),
        legs=legs,
    )
    return opening(plan, {plan.name: players for plan, players in groups})


def shown(pairings: tuple[Pairing, ...]) -> str:
    return " ".join("–".join(map(str, pairing.seats)) for pairing in pairings)


def rounds_of(state: StageState) -> list[str]:
    return [shown(tuple(p for p, _r in played)) for played in play_out(state, lower_wins).rounds]


@pytest.mark.parametrize(
    ("players", "order", "expected"),
    [
        (4, "standard", (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3)))),
        (3, "standard", (((1, 2),), ((1, 3),), ((2, 3),))),
        (4, "repechage", (((1, 4), (2, 3)), ((1, 3), (2, 4)), ((1, 2), (3, 4)))),
        (3, "repechage", (((1, 2),), ((1, 3),), ((2, 3),))),
        (2, "standard", (((1, 2),),)),
        (1, "standard", ()),
        (0, "standard", ()),
    ],
)
def test_published_orders(
    players: int, order: str, expected: tuple[tuple[tuple[int, int], ...], ...]
) -> None:
    assert schedule(players, order) == expected


@pytest.mark.parametrize("players", range(2, 21))
def test_everybody_meets_everybody_once(players: int) -> None:
    rounds = schedule(players)
    assert len(rounds) == players - 1 + players % 2
    pairs = [pair for pairings in rounds for pair in pairings]
    assert sorted(pairs) == list(combinations(range(1, players + 1), 2))
    assert all(len({seat for pair in r for seat in pair}) == 2 * len(r) for r in rounds)


@pytest.mark.parametrize("order", ["standard", "repechage"])
@pytest.mark.parametrize("players", range(40))
def test_the_number_of_rounds_needs_no_schedule(players: int, order: str) -> None:
    assert rounds_a_leg(players) == len(schedule(players, order))


def test_the_second_leg_swaps_seats() -> None:
    state = stage(group("A", 1, 2, 3, 4), legs=2)
    assert rounds_of(state) == ["1–2 3–4", "1–3 2–4", "1–4 2–3", "2–1 4–3", "3–1 4–2", "4–1 3–2"]
    assert str(ROUND_ROBIN.describe_round(state, 3)) == "Round 3, first leg"
    assert str(ROUND_ROBIN.describe_round(state, 4)) == "Round 4, second leg"


def test_every_further_leg_swaps_seats_once_more() -> None:
    state = stage(group("A", 1, 2, 3), group("B", 4, 5), legs=4)
    assert ROUND_ROBIN.total_rounds(state) == 12
    assert ROUND_ROBIN.matches_by_round(state) == [2, 1, 1] * 4
    there, back = ["1–2 4–5", "1–3", "2–3"], ["2–1 5–4", "3–1", "3–2"]
    assert rounds_of(state) == [*there, *back, *there, *back]
    legs = [pairing.leg for ((pairing, _result), *_more) in play_out(state, lower_wins).rounds]
    assert legs == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    said = [str(ROUND_ROBIN.describe_round(state, number)) for number in (1, 4, 6, 12)]
    assert said == ["Round 1, leg 1", "Round 4, leg 2", "Round 6, leg 2", "Round 12, leg 4"]


def test_the_second_leg_may_be_decided_while_the_first_runs() -> None:
    state = add_round(stage(group("A", 1, 2, 3, 4)), lower_wins)
    assert ROUND_ROBIN.total_rounds(state) == 3
    state = play_out(replace(state, legs=2), lower_wins)
    assert len(state.rounds) == 6
    assert [pairing.leg for pairing, _result in state.rounds[3]] == [2, 2]


def test_a_smaller_group_is_ready_earlier() -> None:
    state = stage(group("A", 1, 2, 3, 4, 5), group("B", 6, 7, 8))
    assert rounds_of(state)[2:] == ["1–4 3–5 7–8", "1–3 2–4", "1–2 4–5"]
    assert ROUND_ROBIN.total_rounds(state) == 5


def test_matches_are_numbered_through_the_stage() -> None:
    state = play_out(stage(group("A", 1, 2, 3, 4), group("B", 5, 6, 7)), lower_wins)
    numbers = [pairing.number for played in state.rounds for pairing, _result in played]
    assert numbers == list(range(1, 10))


def test_an_empty_seat_makes_a_smaller_group() -> None:
    plan, _players = group("A", 1, 2, 3, 4)
    state = replace(stage((plan, (1, 2, 3, 4))), seats={"A": (1, None, 3, 4)})
    assert rounds_of(state) == ["1–3", "1–4", "3–4"]


def test_matches_of_withdrawn_players_are_forfeits() -> None:
    state = replace(stage(group("A", 1, 2, 3, 4)), withdrawn=frozenset({1, 2}))
    both, _other = ROUND_ROBIN.next_round(state)
    assert both.outcome == outcome_by_winner(Winner.NONE, EndedBy.DOUBLE_LOSS)
    first, second = ROUND_ROBIN.next_round(add_round(state, lower_wins))
    conceded = outcome_by_winner(Winner.B, EndedBy.CONCESSION)
    assert first.outcome == second.outcome == conceded
