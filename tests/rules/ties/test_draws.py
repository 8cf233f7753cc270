"""Draws of lots, ties of those who dropped, and how a tie was broken."""

from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.plans import GroupPlan, StagePlan
from rules.results import Points, Winner, two_player_result
from rules.stages.base import StageState
from rules.standings.table import rank
from rules.ties.decisions import group_histories, players_who_dropped
from rules.ties.draws import check_order, drawn_order, seed_fingerprint, seeded_order
from rules.ties.explanations import TiedSet, trace_standings
from rules.wording import Sentence
from tests.rules.play import add_round, lower_wins, one_group

SPRING = (3, 4, 1, 2)
numbers = st.lists(st.integers(1, 500), unique=True, max_size=40)


def test_a_draw_is_the_order_of_the_digests() -> None:
    # for n in 1 2 3 4; do printf 'spring:%s' $n | sha256sum | sed "s/-/$n/"; done | sort
    digests = sorted((sha256(f"spring:{n}".encode()).hexdigest(), n) for n in (1, 2, 3, 4))
    assert drawn_order("spring", (1, 2, 3, 4)) == tuple(n for _digest, n in digests)
    assert drawn_order("spring", (1, 2, 3, 4)) == SPRING


def test_the_fingerprint_is_the_digest_of_the_seed() -> None:
    assert seed_fingerprint("spring") == sha256(b"spring").hexdigest()


@given(seed=st.text(), entrants=numbers)
def test_the_order_of_entry_does_not_matter(seed: str, entrants: list[int]) -> None:
    order = drawn_order(seed, entrants)
    assert order == drawn_order(seed, sorted(entrants))
    assert sorted(order) == sorted(entrants)


@given(seed=st.text(), entrants=numbers)
def test_leaving_one_out_keeps_the_order_of_the_others(seed: str, entrants: list[int]) -> None:
    order = drawn_order(seed, entrants)
    assert drawn_order(seed, entrants[1:]) == tuple(n for n in order if n in entrants[1:])


def test_seeds_come_first_and_equal_seeds_are_drawn() -> None:
    entrants = [(1, None), (2, 2), (3, 1), (4, None), (5, 2)]
    order = seeded_order("spring", entrants)
    assert order[0] == 3
    assert order[1:3] == drawn_order("spring", (2, 5))
    assert order[3:] == drawn_order("spring", (1, 4))


def test_an_order_names_each_of_the_players_once() -> None:
    check_order([3, 1, 2], [2, 3, 1])
    for order in ([1, 2], [1, 2, 2], [1, 2, 4], [1, 2, 3, 3]):
        with pytest.raises(BadInput) as refused:
            check_order([3, 1, 2], order)
        assert refused.value.code == "bad_order"
        assert refused.value.sentence.values["players"] == ("1", "2", "3")


def state_of(kind: str) -> StageState:
    plan = StagePlan(
        key="one",
        label=Sentence("One"),
        kind=kind,
        groups=(GroupPlan(name="A", seats=tuple(f"start {n}" for n in range(1, 7))),),
        places=(),
        rounds=4,
    )
    return one_group(range(1, 7), plan)


def test_who_is_paired_no_more_has_dropped() -> None:
    state = add_round(state_of("swiss"), lower_wins)
    assert players_who_dropped(state_of("swiss")) == players_who_dropped(state) == frozenset()
    gone = replace(state, withdrawn=frozenset({1}))
    assert players_who_dropped(gone) == frozenset(), "the last round so far was played"
    after = add_round(gone, lower_wins)
    assert players_who_dropped(after) == {1}
    assert players_who_dropped(replace(after, withdrawn=frozenset())) == {1}
    assert players_who_dropped(replace(after, withdrawn=frozenset({1, 2}))) == {1}
    back = add_round(replace(after, withdrawn=frozenset()), lower_wins)
    assert players_who_dropped(back) == frozenset()


@pytest.mark.parametrize("kind", ["round_robin", "knockout"])
def test_where_all_is_known_before_nobody_counts_as_dropped(kind: str) -> None:
    state = replace(add_round(state_of(kind), lower_wins), withdrawn=frozenset({1}))
    assert players_who_dropped(add_round(state, lower_wins)) == frozenset()


def test_the_cap_reaches_the_standings_of_a_stage() -> None:
    state = add_round(state_of("swiss"), lower_wins)
    after = add_round(replace(state, withdrawn=frozenset({1})), lower_wins)
    points = Points(floor=Fraction(1, 4), dropped_cap=Fraction(3, 4))
    (history,) = group_histories(after, points, {}).values()
    assert history.dropped == {1}


CYCLE = (
    *(
        two_player_result(a=a, b=b, winner=Winner.A, score=(2, 0))
        for a, b in ((1, 2), (2, 3), (3, 1))
    ),
    *(
        two_player_result(a=a, b=4, winner=Winner.A, score=(made, 0))
        for a, made in ((1, 5), (2, 3), (3, 3))
    ),
)


def of(results, **more) -> tuple[TiedSet, ...]:
    return trace_standings(rank(players=(1, 2, 3, 4), results=results, **more))


def test_a_cycle_goes_through_every_criterion_until_lots() -> None:
    (tied,) = of(CYCLE)
    assert (tied.players, tied.values) == ((1, 2, 3), (6,))
    assert [(step.criterion, step.level, step.separates) for step in tied.steps] == [
        ("opponents_points", (1, 2, 3), False),
        ("head_to_head", (1, 2, 3), False),
        ("score_for", (1, 2, 3), True),
        ("score_difference", (2, 3), False),
        ("lots", (2, 3), False),
    ]
    opponents, head, made, _difference, lots = tied.steps
    assert opponents.values == {1: (12,), 2: (12,), 3: (12,)}
    assert head.values == {1: (3,), 2: (3,), 3: (3,)}
    assert made.order == ((1,), (2, 3))
    assert lots.values == {}  # not drawn
    (drawn,) = of(CYCLE, lots=(3, 2))
    assert drawn.steps[-1].order == ((3,), (2,))


def test_a_repeated_criterion_is_listed_each_time() -> None:
    # 1, 2 and 3 have one win each; the mini-table puts 3 last, then 1 and 2 are asked again.
    results = (
        two_player_result(a=1, b=2, winner=Winner.DRAW, score=(1, 1)),
        two_player_result(a=1, b=3, winner=Winner.A, score=(1, 0)),
        two_player_result(a=2, b=3, winner=Winner.A, score=(1, 0)),
        two_player_result(a=1, b=4, winner=Winner.B, score=(0, 1)),
        two_player_result(a=2, b=4, winner=Winner.B, score=(0, 1)),
        two_player_result(a=3, b=4, winner=Winner.A, score=(1, 0)),
    )
    (tied,) = of(results, criteria=("wins", "head_to_head"))
    assert [(step.criterion, step.level, step.order) for step in tied.steps] == [
        ("head_to_head", (1, 2, 3), ((1, 2), (3,))),
        ("head_to_head", (1, 2), ((1, 2),)),
    ]


def test_nobody_level_nothing_to_tell() -> None:
    results = [
        two_player_result(a=a, b=b, winner=Winner.A, score=(1, 0))
        for a in (1, 2, 3)
        for b in range(a + 1, 5)
    ]
    assert of(results) == ()


@given(source=st.randoms(use_true_random=False))
def test_the_last_orders_are_the_standings(source) -> None:
    results = [
        two_player_result(
            a=a, b=b, winner=source.choice((Winner.A, Winner.B, Winner.DRAW)), score=(1, 1)
        )
        for a in (1, 2, 3)
        for b in range(a + 1, 5)
    ]
    standings = rank(players=(1, 2, 3, 4), results=results)
    at = {row.player: row.rank for row in standings.rows}
    for tied in trace_standings(standings):
        assert (
            len({row.values["points"] for row in standings.rows if row.player in tied.players}) == 1
        )
        for step in tied.steps:
            ranks = [[at[player] for player in level] for level in step.order]
            for before, behind in pairwise(ranks):
                assert max(before) < min(behind)
            if step.criterion == "opponents_points":
                assert not step.separates  # the group is finished


def test_one_player_alone_is_asked_nothing() -> None:
    assert trace_standings(rank(players=(1,), results=())) == ()
