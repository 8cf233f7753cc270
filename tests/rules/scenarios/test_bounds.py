"""What points alone make certain: by example, against every end, and against random ends."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.advancement.outcome import outcome
from rules.formulas import FORMULAS
from rules.plans import ROUND_ROBIN, GroupPlan, RankOf, StagePlan
from rules.results import Points, Result, of_two
from rules.scenarios import Verdict, prospects
from rules.scenarios.bounds import BoundedGroup
from rules.stages.base import Pairing, StageState
from rules.standings.table import DEFAULT_CRITERIA
from rules.wording import Sentence
from tests.effort import examples
from tests.rules.play import add_round, lower_wins, one_group, opening
from tests.rules.scenarios.ends import contradiction, random_result

POINTS = Points()
BY_WINS = ("wins", *DEFAULT_CRITERIA)


def big_group(players: int, advance: int) -> StageState:
    """Return one group of 1 to ``players`` whose first ranks advance."""
    plan = StagePlan(
        key="group",
        label=Sentence("Group"),
        kind=ROUND_ROBIN,
        groups=(GroupPlan(name="A", seats=tuple(f"S{n}" for n in range(1, players + 1))),),
        places=tuple(RankOf(name=f"A{n}", group="A", rank=n) for n in range(1, advance + 1)),
    )
    return one_group(tuple(range(1, players + 1)), plan)


def swiss(players: int, rounds: int, cut: int) -> tuple[StageState, frozenset[str]]:
    """Return Swiss rounds of 1 to ``players``, and the places that the knock-out takes."""
    plan = FORMULAS.get("swiss-cut").plan(players, {"rounds": rounds, "cut": cut})
    stage = plan.stages[0]
    state = opening(stage, {stage.groups[0].name: tuple(range(1, players + 1))})
    return replace(state, seed="seed"), plan.used_places(0)


def of(state: StageState, used: frozenset[str], *, criteria: tuple[str, ...] = DEFAULT_CRITERIA):
    return prospects(state, criteria=criteria, points=POINTS, used=used, most=0)


def test_an_unreachable_player_is_through_and_one_out_of_reach_is_out() -> None:
    # Eight players, seven rounds, two go on: after five rounds in which the lower number won.
    state, used = big_group(8, 2), frozenset({"A1", "A2"})
    for _round in range(5):
        state = add_round(state, lower_wins)
    found = of(state, used)
    # 1 and 2 have 15 points, 3 has 12 and meets 1, 4 has 9 and meets 2.
    assert found[1].opponent == 3
    assert found[1].after == {"win": Verdict.THROUGH, "draw": Verdict.OPEN, "loss": Verdict.OPEN}
    assert found[4].after == {"win": Verdict.OPEN, "draw": Verdict.OUT, "loss": Verdict.OUT}
    assert [found[n].verdict for n in (5, 6, 7, 8)] == [Verdict.OUT] * 4
    assert all(not prospect.exact for prospect in found.values())
    after_six = of(add_round(state, lower_wins), used)
    assert [after_six[n].verdict for n in (1, 2, 3)] == [
        *(Verdict.THROUGH, Verdict.THROUGH, Verdict.OUT)
    ]


def test_opponents_in_the_last_round_do_not_both_win() -> None:
    state, used = big_group(4, 2), frozenset({"A1", "A2"})
    for _round in range(2):
        state = add_round(state, lower_wins)
    # 1 has 6 points; 2 and 3 have 3 each and meet, so that one of them stays below 6.
    found = of(state, used)
    assert found[1].verdict is Verdict.THROUGH
    assert found[4].verdict is Verdict.OUT


def test_a_table_not_ranked_by_points_is_left_open() -> None:
    state = big_group(8, 2)
    for _round in range(6):
        state = add_round(state, lower_wins)
    found = of(state, frozenset({"A1", "A2"}), criteria=BY_WINS)
    assert not any(prospect.is_known for prospect in found.values())


def test_swiss_rounds_to_come_count_for_everybody() -> None:
    state, used = swiss(16, 4, 2)
    for _round in range(2):
        state = add_round(state, lower_wins)
    found = of(state, used)
    # Four have six points. With two rounds to come who has none can have six: level with the
    # leaders at best, if those lose both; who is level may be ahead.
    assert {prospect.verdict for prospect in found.values()} == {Verdict.OPEN}
    state = add_round(state, lower_wins)
    after_three = of(state, used)
    assert sum(p.verdict is Verdict.OUT for p in after_three.values()) >= 2
    assert not any(p.verdict is Verdict.THROUGH for p in after_three.values())


@given(source=st.randoms(use_true_random=False))
@examples(0.4)
def test_bounds_never_say_more_than_every_end_does(source: random.Random) -> None:
    state = big_group(source.choice((4, 5)), source.choice((1, 2, 3)))
    used = frozenset(place.name for place in state.plan.places)
    for _round in range(source.choice((1, 2)) if len(state.players) == 4 else 3):
        state = add_round(
            state, lambda pairing: random_result(source, *of_two(pairing.seats, None))
        )
    exact = prospects(state, criteria=DEFAULT_CRITERIA, points=POINTS, used=used)
    for player, bounded in of(state, used).items():
        assert exact[player].exact
        assert bounded.verdict in (Verdict.OPEN, exact[player].verdict)
        for result, verdict in bounded.after.items():
            assert verdict in (Verdict.OPEN, exact[player].after[result])


@pytest.mark.parametrize("kind", ["round robin", "swiss"])
@given(source=st.randoms(use_true_random=False))
@examples(0.6)
def test_what_points_say_holds_however_the_stage_ends(kind: str, source: random.Random) -> None:
    state, used, total = _any_stage(kind, source)

    def judge(pairing: Pairing) -> Result:
        return random_result(source, *of_two(pairing.seats, None))

    made = source.randrange(total)
    for _round in range(made):
        state = add_round(state, judge)
    if source.random() < 0.3:
        state = replace(state, withdrawn=frozenset({source.choice(state.players)}))
    paired = add_round(state)
    now = paired if source.random() < 0.5 else state
    said, alone = of(now, used), of(now, used)
    assert {one: alone.verdict(one) for one in alone} == {one: said[one].verdict for one in said}
    for _end in range(5):
        ended = replace(state, rounds=(*state.rounds, _decided(paired, source)))
        while len(ended.rounds) < total:
            ended = add_round(ended, judge)
        lots = [tuple(source.sample(ended.players, len(ended.players)))]
        decided = outcome(ended, criteria=DEFAULT_CRITERIA, points=POINTS, lots=lots, used=used)
        assert contradiction(said, ended, set(decided.places.values())) is None


def _any_stage(kind: str, source: random.Random) -> tuple[StageState, frozenset[str], int]:
    """Return a stage before its first round, the places that lead on, and its rounds."""
    if kind == "swiss":
        rounds = source.choice((3, 4, 5))
        return *swiss(source.randrange(8, 14), rounds, source.choice((2, 4, 8))), rounds
    players = source.choice((6, 7))
    state = big_group(players, source.choice((1, 2, 4)))
    return state, frozenset(p.name for p in state.plan.places), players - (players % 2 == 0)


def _decided(paired: StageState, source: random.Random):
    """Return the last round of a stage with results for what was to play."""
    number = len(paired.rounds)
    return tuple(
        (
            pairing,
            found
            if found.winner is not None
            else replace(random_result(source, *of_two(pairing.seats, None)), round=number),
        )
        for pairing, found in paired.rounds[-1]
    )


def test_each_is_worked_out_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    real = BoundedGroup.prospect
    monkeypatch.setattr(
        BoundedGroup, "prospect", lambda group, player: asked.append(player) or real(group, player)
    )
    found = of(*swiss(8, 3, 2))
    assert asked == []
    player = next(iter(found))
    assert found[player] is found[player]
    assert asked == [player]
    assert {**found}.keys() == set(found)
    assert len(found) == len(asked)
