"""Bounds and margins of what can still happen."""

import random
from collections import defaultdict
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.advancement.outcome import stage_outcome
from rules.formulas import FORMULAS
from rules.plans import ROUND_ROBIN, GroupPlan, RankPlace, StagePlan
from rules.results import PlayerId, Points, Result, Winner, two_player_result, two_seats
from rules.scenarios import (
    Bound,
    Margin,
    MarginMeasure,
    Prospect,
    Verdict,
    VerdictDependency,
    prospects,
)
from rules.scenarios.bounds import GroupPointsBounds
from rules.stages.base import Pairing, StageState
from rules.standings.table import DEFAULT_CRITERIA
from rules.wording import Sentence
from tests.effort import examples
from tests.rules.play import add_round, judged, lower_wins, one_group, opening
from tests.rules.scenarios.brute import Tried, every_end, tried, with_score
from tests.rules.scenarios.ends import after, contradiction, group_of_four, random_result
from tests.rules.scenarios.test_at_tables import GROUPS, USED

POINTS = Points()
DIFFERENCE_FIRST = ("points", "head_to_head", "score_difference", "score_for")
SCORE_ONLY = ("points", "score_for")


def of(
    state: StageState, criteria: tuple[str, ...] = DEFAULT_CRITERIA, highest: int | None = None
) -> dict[PlayerId, Prospect]:
    used = frozenset(place.name for place in state.plan.places)
    return prospects(state, criteria=criteria, points=POINTS, used=used, highest=highest)


def with_last(state: StageState, *scores: tuple[int, int] | None) -> StageState:
    """Return the stage with its next round; None leaves a match open."""
    made = add_round(state)
    last = tuple(
        (pairing, found if score is None else with_score(found, score))
        for (pairing, found), score in zip(made.rounds[-1], scores, strict=True)
    )
    return replace(made, rounds=(*made.rounds[:-1], last))


def within(bound: Bound | None, number: int) -> bool:
    if bound is None:
        return False
    least, most = bound
    return (least is None or number >= least) and (most is None or number <= most)


def test_a_finished_rival_sets_the_score_needed() -> None:
    # One goes on; 1 and 3 have drawn, and 3 has finished with seven points and 75.
    state = after(group_of_four(1), {1: (30, 10), 3: (20, 10)}, {1: (20, 20), 2: (20, 10)})
    found = of(with_last(state, None, (5, 35)))
    # 1 has four points and 50: with 25 more the difference decides, 40 against 20 and the margin.
    assert found[1].after["win"] is Verdict.OPEN
    assert found[1].margins == {
        "win": (Margin(measure=MarginMeasure.MADE, of=1, through=(26, None), out=(None, 24)),)
    }
    assert found[3].verdict is Verdict.OPEN
    assert found[3].margins == {
        "now": (Margin(measure=MarginMeasure.MADE, of=1, through=(None, 24)),),
    }


def test_the_opponent_may_be_the_rival() -> None:
    # One goes on. Two legs, all drawn 20-20 so far but that 4 has beaten 1 by 5.
    state = replace(group_of_four(1), legs=2)
    level = dict.fromkeys((1, 2, 3, 4), (20, 20))
    state = after(state, level, level, {1: (20, 25), 2: (20, 20)}, level, level)
    found = of(with_last(state, None, (20, 20)))
    # With a win against 4 both have 7 points, and each has beaten the other once.
    assert found[1].margins == {
        "win": (Margin(measure=MarginMeasure.MARGIN, of=1, through=(6, None), out=(None, 4)),)
    }
    assert found[4].margins == {
        "loss": (Margin(measure=MarginMeasure.MARGIN, of=4, through=(-4, None), out=(None, -6)),)
    }


def test_a_rival_in_another_match_sets_what_to_make_more_than_they() -> None:
    # One goes on; 1 and 2 have drawn and both beaten another: 50 and 45 so far. Last: 1-4, 2-3.
    state = after(group_of_four(1), {1: (20, 20), 3: (5, 5)}, {1: (30, 10), 2: (25, 10)})
    found = of(with_last(state, None, None))
    # If 2 does not win, 1 is through anyhow; with 5 fewer than 2 the difference decides.
    assert found[1].margins["win"] == (
        Margin(measure=MarginMeasure.LEAD, of=1, than=2, through=(-4, None)),
    )
    assert found[2].margins["win"] == (
        Margin(measure=MarginMeasure.LEAD, of=2, than=1, through=(6, None)),
    )
    # By the difference it is 20 against 15 so far; level on both, lots decide.
    by_difference = of(with_last(state, None, None), DIFFERENCE_FIRST)
    assert by_difference[1].margins["win"] == (
        Margin(measure=MarginMeasure.MARGIN_LEAD, of=1, than=2, through=(-4, None)),
    )


def test_a_score_that_can_only_be_level_decides_by_itself() -> None:
    # Two go on; 2 and 3 meet, and a draw leaves both with four points.
    state = after(group_of_four(), {1: (40, 10), 3: (40, 10)}, {1: (40, 10), 2: (40, 9)})
    found = of(state)
    assert found[2].after["draw"] is Verdict.OPEN
    # 2 and 3 have made 50 each, 2 has conceded one less: the draw itself is enough for 2.
    assert found[2].margins["draw"] == (
        Margin(measure=MarginMeasure.MARGIN, of=2, through=(None, None)),
    )
    assert found[3].margins["draw"] == (
        Margin(measure=MarginMeasure.MARGIN, of=3, out=(None, None)),
    )


def test_a_score_that_never_suffices_is_said_whatever_it_is() -> None:
    # Two go on; if 1 beats 4 all four have four points. 2 has made 4, 1 has made 3 and will have
    # 4 at least; 4 has made 1 and makes at most 2 in a defeat.
    state = after(group_of_four(), {1: (2, 2), 3: (0, 0)}, {1: (1, 2), 2: (0, 1)})
    found = of(with_last(state, None, (2, 0)), SCORE_ONLY, 3)
    assert found[4].margins == {
        "loss": (Margin(measure=MarginMeasure.MADE, of=4, out=(None, None)),),
    }


def test_no_score_is_said_where_it_is_enough_after_one_result_and_not_after_another() -> None:
    # Two go on, the last round of two legs is 4-1 and 3-2; 4 has seven points, the others six.
    # If 2 and 3 draw, the result of the other match decides with whom they are level.
    state = after(
        replace(group_of_four(), legs=2),
        {1: (2, 2), 3: (2, 2)},
        {1: (1, 2), 2: (0, 2)},
        {1: (2, 1), 2: (0, 0)},
        {2: (2, 2), 4: (2, 1)},
        {3: (0, 0), 4: (0, 2)},
    )
    found = of(with_last(state, None, None))
    assert found[2].after["draw"] is Verdict.OPEN
    assert found[2].depends["draw"] == {VerdictDependency.RESULTS, VerdictDependency.SCORES}
    assert found[2].margins == {}


def test_nothing_is_said_where_results_decide_or_more_than_one_match_is_to_come() -> None:
    state = after(group_of_four(), {1: (40, 10), 3: (40, 10)})
    assert all(prospect.margins == {} for prospect in of(state).values())
    state = after(state, {1: (40, 10), 2: (40, 10)})
    by_lots = of(state, ("points", "lots"))
    assert all(prospect.margins == {} for prospect in by_lots.values())


def ended(pairing: Pairing, score: tuple[int, int]) -> Result:
    return with_score(two_player_result(*pairing.seats), score)


def any_last_round(source: random.Random) -> StageState:
    """Return a group of four in its last round, one or two matches of it open."""
    state = replace(group_of_four(source.choice((1, 2, 3))), legs=source.choice((1, 1, 2)))

    def score() -> tuple[int, int]:
        return source.randrange(3), source.randrange(3)

    for _round in range(3 * state.legs - 1):
        state = add_round(
            state, lambda pairing: with_score(two_player_result(*pairing.seats), score())
        )
    last = [None, source.choice((None, score()))]
    source.shuffle(last)
    return with_last(state, *last)


def advance_of(state: StageState) -> int:
    return len(state.plan.places)


@pytest.mark.parametrize("criteria", [DEFAULT_CRITERIA, DIFFERENCE_FIRST, SCORE_ONLY])
@pytest.mark.parametrize("limited", [True, False])
@given(source=st.randoms(use_true_random=False))
@examples(0.2)
def test_what_is_said_of_scores_holds_for_every_score(
    criteria: tuple[str, ...], limited: bool, source: random.Random
) -> None:
    state, highest = any_last_round(source), 3
    said = of(state, criteria, highest if limited else None)
    for end in every_end(state.results_of("A"), highest, criteria):
        for player, prospect in said.items():
            through, out = (
                end.worst[player] <= advance_of(state),
                end.best[player] > advance_of(state),
            )
            result = end.result_of(player)
            verdict = prospect.verdict if result == "now" else prospect.after[result]
            assert verdict is not Verdict.THROUGH or through
            assert verdict is not Verdict.OUT or out
            for margin in prospect.margins.get(result, ()):
                number = end.measured(margin)
                assert not within(margin.through, number) or through
                assert not within(margin.out, number) or out


@given(source=st.randoms(use_true_random=False))
@examples(0.2)
def test_what_others_are_given_against_their_score_changes_nothing(source: random.Random) -> None:
    state = any_last_round(source)
    said, results = of(state), state.results_of("A")
    settled = [found for found in results if found.winner is not None]
    for own in (found for found in results if found.winner is None):
        others = [found for found in results if found.winner is None and found is not own]
        for score in product(range(3), repeat=2):
            odd = [
                judged(other, winner, score=source.choice((None, (0, 2), (2, 0), (1, 1))))
                for other in others
                for winner in [source.choice((Winner.A, Winner.B, Winner.DRAW))]
            ]
            end = tried([*settled, *odd], [with_score(own, score)])
            made = {own.seats[0]: score, own.seats[-1]: score[::-1]}
            for other in odd:
                theirs = other.score or (0, 0)
                made |= {other.seats[0]: theirs, other.seats[-1]: theirs[::-1]}
            end = replace(end, last=made)
            for player in two_seats(own.seats, None):
                for margin in said[player].margins.get(end.result_of(player), ()):
                    number = end.measured(margin)
                    advance = advance_of(state)
                    assert not within(margin.through, number) or end.worst[player] <= advance
                    assert not within(margin.out, number) or end.best[player] > advance


def least(ends: list[Tried], player: PlayerId, margin: Margin, advance: int) -> int | None:
    """Return from where on every score takes the player on."""
    by_number = defaultdict(list)
    for end in ends:
        by_number[end.measured(margin)].append(end.worst[player] <= advance)
    found = None
    for number in sorted(by_number, reverse=True):
        if not all(by_number[number]):
            break
        found = number
    return found


def test_what_suffices_is_the_least_that_does() -> None:
    exact, cautious = 0, 0
    for seed in range(40):
        state = any_last_round(random.Random(seed))
        ends = list(every_end(state.results_of("A"), 3))
        for player, prospect in of(state, highest=3).items():
            for result, margins in prospect.margins.items():
                possible = [end for end in ends if end.result_of(player) == result]
                for margin in margins:
                    if margin.through and margin.through[0] is not None:
                        needed = least(possible, player, margin, advance_of(state))
                        assert needed is not None
                        exact += needed == margin.through[0]
                        cautious += needed < margin.through[0]
    # Where scores made are level a difference may decide that other results would narrow down.
    assert exact > 4 * cautious > 0


@given(source=st.randoms(use_true_random=False))
@examples(0.6)
def test_it_holds_between_groups_too(source: random.Random) -> None:
    names = [group.name for group in GROUPS.groups]
    seats = {name: tuple(range(4 * at + 1, 4 * at + 5)) for at, name in enumerate(names)}
    state = opening(GROUPS, seats)

    def score() -> tuple[int, int]:
        return source.randrange(4), source.randrange(4)

    for _round in range(2):
        state = add_round(
            state, lambda pairing: with_score(two_player_result(*pairing.seats), score())
        )
    waiting = source.choice((1, 2, 4, 6))
    state = with_last(state, *(None if at < waiting else score() for at in range(6)))
    said = prospects(state, criteria=DEFAULT_CRITERIA, points=POINTS, used=USED)
    for _end in range(25):
        last = [
            (pairing, found if found.winner is not None else with_score(found, score()))
            for pairing, found in state.rounds[-1]
        ]
        over = replace(state, rounds=(*state.rounds[:-1], tuple(last)))
        lots = [tuple(source.sample(range(1, 13), 12))]
        decided = stage_outcome(
            over, criteria=DEFAULT_CRITERIA, points=POINTS, lots=lots, used=USED
        )
        through = {player for name, player in decided.places.items() if name in USED}
        scores = {
            player: found.score if player == found.seats[0] else found.score[::-1]
            for (_pairing, before), (_same, found) in zip(state.rounds[-1], last, strict=True)
            if before.winner is None
            for player in two_seats(found.seats, None)
        }
        end = Tried(scores, {}, {})
        for player, prospect in said.items():
            for margin in prospect.margins.get(end.result_of(player), ()):
                number = end.measured(margin)
                assert not within(margin.through, number) or player in through
                assert not within(margin.out, number) or player not in through


BY_WINS = ("wins", *DEFAULT_CRITERIA)


def big_group(players: int, advance: int) -> StageState:
    """Return one group of 1 to ``players`` whose first ranks advance."""
    plan = StagePlan(
        key="group",
        label=Sentence("Group"),
        kind=ROUND_ROBIN,
        groups=(GroupPlan(name="A", seats=tuple(f"S{n}" for n in range(1, players + 1))),),
        places=tuple(RankPlace(name=f"A{n}", group="A", rank=n) for n in range(1, advance + 1)),
    )
    return one_group(tuple(range(1, players + 1)), plan)


def swiss(players: int, rounds: int, cut: int) -> tuple[StageState, frozenset[str]]:
    """Return Swiss rounds of 1 to ``players``, and the places that the knock-out takes."""
    plan = FORMULAS.get("swiss-cut").plan(players, {"rounds": rounds, "cut": cut})
    stage = plan.stages[0]
    state = opening(stage, {stage.groups[0].name: tuple(range(1, players + 1))})
    return replace(state, seed="seed"), plan.used_places(0)


def bounds_of(
    state: StageState, used: frozenset[str], *, criteria: tuple[str, ...] = DEFAULT_CRITERIA
):
    return prospects(state, criteria=criteria, points=POINTS, used=used, most=0)


def test_an_unreachable_player_is_through_and_one_out_of_reach_is_out() -> None:
    # Eight players, seven rounds, two go on: after five rounds in which the lower number won.
    state, used = big_group(8, 2), frozenset({"A1", "A2"})
    for _round in range(5):
        state = add_round(state, lower_wins)
    found = bounds_of(state, used)
    # 1 and 2 have 15 points, 3 has 12 and meets 1, 4 has 9 and meets 2.
    assert found[1].opponent == 3
    assert found[1].after == {"win": Verdict.THROUGH, "draw": Verdict.OPEN, "loss": Verdict.OPEN}
    assert found[4].after == {"win": Verdict.OPEN, "draw": Verdict.OUT, "loss": Verdict.OUT}
    assert [found[n].verdict for n in (5, 6, 7, 8)] == [Verdict.OUT] * 4
    assert all(not prospect.exact for prospect in found.values())
    after_six = bounds_of(add_round(state, lower_wins), used)
    assert [after_six[n].verdict for n in (1, 2, 3)] == [
        *(Verdict.THROUGH, Verdict.THROUGH, Verdict.OUT)
    ]


def test_opponents_in_the_last_round_do_not_both_win() -> None:
    state, used = big_group(4, 2), frozenset({"A1", "A2"})
    for _round in range(2):
        state = add_round(state, lower_wins)
    # 1 has 6 points; 2 and 3 have 3 each and meet, so that one of them stays below 6.
    found = bounds_of(state, used)
    assert found[1].verdict is Verdict.THROUGH
    assert found[4].verdict is Verdict.OUT


def test_a_table_not_ranked_by_points_is_left_open() -> None:
    state = big_group(8, 2)
    for _round in range(6):
        state = add_round(state, lower_wins)
    found = bounds_of(state, frozenset({"A1", "A2"}), criteria=BY_WINS)
    assert not any(prospect.is_known for prospect in found.values())


def test_swiss_rounds_to_come_count_for_everybody() -> None:
    state, used = swiss(16, 4, 2)
    for _round in range(2):
        state = add_round(state, lower_wins)
    found = bounds_of(state, used)
    # Four have six points. With two rounds to come who has none can have six: level with the
    # leaders at best, if those lose both; who is level may be ahead.
    assert {prospect.verdict for prospect in found.values()} == {Verdict.OPEN}
    state = add_round(state, lower_wins)
    after_three = bounds_of(state, used)
    assert sum(p.verdict is Verdict.OUT for p in after_three.values()) >= 2
    assert not any(p.verdict is Verdict.THROUGH for p in after_three.values())


@given(source=st.randoms(use_true_random=False))
@examples(0.4)
def test_bounds_never_say_more_than_every_end_does(source: random.Random) -> None:
    state = big_group(source.choice((4, 5)), source.choice((1, 2, 3)))
    used = frozenset(place.name for place in state.plan.places)
    for _round in range(source.choice((1, 2)) if len(state.players) == 4 else 3):
        state = add_round(
            state, lambda pairing: random_result(source, *two_seats(pairing.seats, None))
        )
    exact = prospects(state, criteria=DEFAULT_CRITERIA, points=POINTS, used=used)
    for player, bounded in bounds_of(state, used).items():
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
        return random_result(source, *two_seats(pairing.seats, None))

    made = source.randrange(total)
    for _round in range(made):
        state = add_round(state, judge)
    if source.random() < 0.3:
        state = replace(state, withdrawn=frozenset({source.choice(state.players)}))
    paired = add_round(state)
    now = paired if source.random() < 0.5 else state
    said, alone = bounds_of(now, used), bounds_of(now, used)
    assert {one: alone.verdict(one) for one in alone} == {one: said[one].verdict for one in said}
    for _end in range(5):
        ended = replace(state, rounds=(*state.rounds, _decided(paired, source)))
        while len(ended.rounds) < total:
            ended = add_round(ended, judge)
        lots = [tuple(source.sample(ended.players, len(ended.players)))]
        decided = stage_outcome(
            ended, criteria=DEFAULT_CRITERIA, points=POINTS, lots=lots, used=used
        )
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
            else replace(random_result(source, *two_seats(pairing.seats, None)), round=number),
        )
        for pairing, found in paired.rounds[-1]
    )


def test_each_is_worked_out_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    real = GroupPointsBounds.prospect
    monkeypatch.setattr(
        GroupPointsBounds,
        "prospect",
        lambda group, player: asked.append(player) or real(group, player),
    )
    found = bounds_of(*swiss(8, 3, 2))
    assert asked == []
    player = next(iter(found))
    assert found[player] is found[player]
    assert asked == [player]
    assert {**found}.keys() == set(found)
    assert len(found) == len(asked)
