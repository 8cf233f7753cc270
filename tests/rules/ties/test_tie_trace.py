"""What was asked about level players is told as it happened."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rules.results import Winner, result_of_two
from rules.standings.table import rank
from rules.ties.decisions import TiedSet, trace

CYCLE = (
    *(result_of_two(a=a, b=b, winner=Winner.A, score=(2, 0)) for a, b in ((1, 2), (2, 3), (3, 1))),
    *(
        result_of_two(a=a, b=4, winner=Winner.A, score=(made, 0))
        for a, made in ((1, 5), (2, 3), (3, 3))
    ),
)


def of(results, **more) -> tuple[TiedSet, ...]:
    return trace(rank(players=(1, 2, 3, 4), results=results, **more))


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
        result_of_two(a=1, b=2, winner=Winner.DRAW, score=(1, 1)),
        result_of_two(a=1, b=3, winner=Winner.A, score=(1, 0)),
        result_of_two(a=2, b=3, winner=Winner.A, score=(1, 0)),
        result_of_two(a=1, b=4, winner=Winner.B, score=(0, 1)),
        result_of_two(a=2, b=4, winner=Winner.B, score=(0, 1)),
        result_of_two(a=3, b=4, winner=Winner.A, score=(1, 0)),
    )
    (tied,) = of(results, criteria=("wins", "head_to_head"))
    assert [(step.criterion, step.level, step.order) for step in tied.steps] == [
        ("head_to_head", (1, 2, 3), ((1, 2), (3,))),
        ("head_to_head", (1, 2), ((1, 2),)),
    ]


def test_nobody_level_nothing_to_tell() -> None:
    results = [
        result_of_two(a=a, b=b, winner=Winner.A, score=(1, 0))
        for a in (1, 2, 3)
        for b in range(a + 1, 5)
    ]
    assert of(results) == ()


@given(source=st.randoms(use_true_random=False))
def test_the_last_orders_are_the_standings(source) -> None:
    results = [
        result_of_two(
            a=a, b=b, winner=source.choice((Winner.A, Winner.B, Winner.DRAW)), score=(1, 1)
        )
        for a in (1, 2, 3)
        for b in range(a + 1, 5)
    ]
    standings = rank(players=(1, 2, 3, 4), results=results)
    at = {row.player: row.rank for row in standings.rows}
    for tied in trace(standings):
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
    assert trace(rank(players=(1,), results=())) == ()
