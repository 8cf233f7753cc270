"""What is settled at tables, in groups and at cut lines."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.advancement.outcome import stage_outcome
from rules.criteria import CRITERIA
from rules.criteria.of_tables import WIN5_ORDER
from rules.criteria.presets import PRESETS
from rules.formulas import FORMULAS
from rules.formulas.tables_cut import TABLES_CUT
from rules.results import PlayerId, Points, Result, Winner, two_player_result, two_seats
from rules.scenarios import Prospect, Verdict, VerdictDependency, is_enumerated, prospects
from rules.scenarios.verdicts import (
    AdvancingRanks,
    CutSide,
    cut_sides,
    is_eliminated_by_points,
    verdicts_by_points,
)
from rules.stages.base import Pairing, StageState
from rules.tables.results import (
    POINT_PRESETS,
    TablePoints,
    are_valid_places,
    places_from_scores,
    places_without_winner,
    to_table_result,
)
from tests.effort import examples
from tests.rules.play import add_round, opening, table_result
from tests.rules.scenarios.ends import contradiction, random_result

POINTS = (*POINT_PRESETS.values(), TablePoints(first=4, drawn=2, other=1, bye=3))
RESULTS = ("win", "draw", "loss")


def stage(
    players: int, rounds: int, cut: int, points: TablePoints = POINTS[0], **options: object
) -> tuple[StageState, frozenset[str]]:
    """Return rounds of tables of 1 to ``players``, and the places that the cut takes."""
    plan = TABLES_CUT.plan(players, {"rounds": rounds, "cut": cut} | options)
    first = plan.stages[0]
    state = opening(first, {"tables": tuple(range(1, players + 1))})
    return replace(state, seed="seed", table_points=points), plan.used_places(0)


def judge_by(source: Random):
    def judge(pairing: Pairing) -> Result:
        size = len(pairing.seats)
        if size == 2:
            a, b = pairing.seats
            return two_player_result(
                a=a, b=b, winner=source.choice((Winner.A, Winner.B, Winner.DRAW))
            )
        one = source.choice(pairing.seats)
        places = source.choice(
            (
                tuple(1 if player == one else 2 for player in pairing.seats),
                places_from_scores([source.randint(0, 2) for _seat in range(size)]),
                places_without_winner(size),
            )
        )
        return table_result(seats=pairing.seats, places=places)

    return judge


def of(state: StageState, used: frozenset[str], criteria: Sequence[str] = WIN5_ORDER):
    return prospects(state, criteria=criteria, points=Points(), used=used)


def every_result(size: int) -> Iterator[tuple[int | None, ...]]:
    """Yield the places of a table in every possible way, whoever is absent."""
    for places in product((None, *range(1, size + 1)), repeat=size):
        if are_valid_places(places):
            yield places


def ends_of(state: StageState) -> Iterator[tuple[dict[object, Fraction], dict[object, str]]]:
    """Yield the points of all players, and how each ended the open table, in every way."""
    made: dict[object, Fraction] = dict.fromkeys(state.players, Fraction())
    tables = []
    for played in state.rounds:
        for _pairing, result in played:
            table = to_table_result(result)
            if table.places is None:
                tables.append(table)
                continue
            for player, points in zip(table.seats, state.table_points.of(table), strict=True):
                made[player] += points
    ways = [{_key(state, table, p) for p in every_result(len(table.seats))} for table in tables]
    for chosen in product(*ways):
        points, ended = made.copy(), {}
        for table, (gained, results) in zip(tables, chosen, strict=True):
            for player, own, result in zip(table.seats, gained, results, strict=True):
                points[player] += own
                ended[player] = result
        yield points, ended


def _key(state: StageState, table: Result, places: tuple[int | None, ...]):
    gained = state.table_points.of(table_result(seats=table.seats, places=places))
    first = "win" if places.count(1) == 1 else "draw"
    return gained, tuple(
        "absent" if place is None else first if place == 1 else "loss" for place in places
    )


def verdicts_by_every_end(state: StageState, cut: int) -> dict[object, dict[str, Verdict]]:
    """Return the verdicts on each player, now and after each own result, whoever wins ties."""
    seen: dict[tuple[object, str], list[bool]] = {}
    for points, ended in ends_of(state):
        held = sorted(points[one] for one in state.players if one not in state.withdrawn)
        for player in state.players:
            above = sum(one > points[player] for one in held)
            level = sum(one >= points[player] for one in held)
            for key in ("now", ended.get(player, "now")):
                always, ever = seen.setdefault((player, key), [True, False])
                seen[player, key] = [always and level <= cut, ever or above < cut]
    return {
        player: {
            key: Verdict.THROUGH if always else Verdict.OPEN if ever else Verdict.OUT
            for (one, key), (always, ever) in seen.items()
            if one == player
        }
        for player in state.players
    }


@pytest.mark.parametrize("points", POINTS, ids=["win5", "win3", "places", "own"])
@given(seed=st.integers(0, 10**6))
@example(
    seed=65077
)  # whoever shares the first place passes a player for whom sharing is too little
@examples(0.1)
def test_before_the_last_results_verdicts_are_those_of_every_end(
    points: TablePoints, seed: int
) -> None:
    source = Random(seed)
    rounds = source.randint(1, 4)
    state, used = stage(source.choice((7, 8)), rounds, 4, points)
    for _round in range(rounds - 1):
        state = add_round(state, judge_by(source))
    state = add_round(state)
    if source.random() < 0.5:  # one of the two tables is over
        *before, last = state.rounds
        (pairing, _open), *others = last
        state = replace(state, rounds=(*before, ((pairing, judge_by(source)(pairing)), *others)))
    expected = verdicts_by_every_end(state, 4)
    for player, prospect in of(state, used).items():
        assert prospect.verdict is expected[player]["now"], (player, prospect)
        wanted = RESULTS if not points.by_place else RESULTS[:1]
        for result in wanted if prospect.after else ():
            assert prospect.after[result] is expected[player][result], (player, result, prospect)


@given(seed=st.integers(0, 10**6))
@examples(0.4)
def test_with_rounds_to_come_no_verdict_is_wrong(seed: int) -> None:
    source = Random(seed)
    players, points = source.randint(5, 17), source.choice(POINTS)
    rounds, sizes = source.randint(2, 6), source.choice(([4, 3], [3, 4], [4], [4, 3, 2], [3]))
    cut = sizes[0]
    state, used = stage(players, rounds, cut, points, sizes=sizes)
    for _round in range(source.randint(0, rounds - 1)):
        state = add_round(state, judge_by(source))
    if source.random() < 0.3:
        state = replace(state, withdrawn=frozenset({source.randint(1, players)}))
    said = [of(state, used)]
    state = add_round(state)
    said.append(of(state, used))
    last = len(state.rounds) - 1
    played = tuple(
        (pairing, result if result.is_played else judge_by(source)(pairing))
        for pairing, result in state.rounds[last]
    )
    ended = replace(state, rounds=(*state.rounds[:last], played))
    own = dict(_own_results(played))
    while len(ended.rounds) < rounds:
        ended = add_round(ended, judge_by(source))
    (made, _no_open), *_more = ends_of(ended)
    held = [made[one] for one in ended.players if one not in ended.withdrawn]
    for player, prospect in (pair for each in said for pair in each.items()):
        above = sum(one > made[player] for one in held)
        level = sum(one >= made[player] for one in held)
        wrong = {Verdict.THROUGH} if level > cut else set()
        wrong |= {Verdict.OUT} if above < cut else set()
        assert prospect.verdict not in wrong, (player, prospect)
        assert prospect.after.get(own.get(player, "now")) not in wrong, (player, prospect)


def _own_results(played: Sequence[tuple[Pairing, Result]]) -> Iterator[tuple[object, str]]:
    for _pairing, result in played:
        table = to_table_result(result)
        if len(table.seats) > 1:
            yield from zip(
                table.seats,
                (
                    ("win" if (table.places or ()).count(1) == 1 else "draw") if p == 1 else "loss"
                    for p in table.places or ()
                ),
                strict=True,
            )


def winners(*numbers: int):
    def judge(pairing: Pairing) -> Result:
        won = [player for player in pairing.seats if player in numbers]
        first = won[0] if won else pairing.seats[0]
        places = tuple(1 if player == first else 2 for player in pairing.seats)
        return table_result(seats=pairing.seats, places=places)

    return judge


def test_who_won_is_through_where_only_one_more_can_win() -> None:
    # Eight, one round, four go on; 1 won the first table: at the second only one more has five.
    state, used = stage(8, 1, 4)
    ((over, _open), still_open) = add_round(state).rounds[0]
    won = table_result(seats=over.seats, places=(1, 2, 2, 2))
    found = of(replace(state, rounds=(((over, won), still_open),)), used)
    first, second, *_others = over.seats
    assert (found[first].verdict, found[first].after) == (Verdict.THROUGH, {})
    assert found[second].verdict is Verdict.OPEN
    playing = found[still_open[0].seats[0]]
    assert (playing.verdict, playing.opponent, playing.exact) == (Verdict.OPEN, None, False)
    assert playing.after == {"win": Verdict.THROUGH, "draw": Verdict.OPEN, "loss": Verdict.OPEN}


def test_standings_decide_at_the_end_and_lots_leave_open() -> None:
    state, used = stage(8, 1, 4)
    state = add_round(state, lambda pairing: table_result(seats=pairing.seats, places=(1, 1, 1, 1)))
    found = of(state, used)
    assert {one.verdict for one in found.values()} == {Verdict.OPEN}
    assert found[1].depends == {"now": frozenset({VerdictDependency.SCORES})}
    drawn = prospects(
        state, criteria=WIN5_ORDER, points=Points(), used=used, lots=(tuple(range(1, 9)),)
    )
    by_verdict: dict[Verdict, list[object]] = {}
    for player, one in drawn.items():
        by_verdict.setdefault(one.verdict, []).append(player)
    assert by_verdict == {Verdict.THROUGH: [1, 2, 3, 4], Verdict.OUT: [5, 6, 7, 8]}
    assert drawn[5].places == range(5, 6)


def test_where_points_do_not_come_first_nothing_is_known() -> None:
    state, used = stage(8, 2, 4)
    state = add_round(state, winners(1, 2))
    found = of(state, used, criteria=("wins", "points", "lots"))
    assert found[1] == Prospect(player=1, verdict=Verdict.OPEN, exact=False)
    assert not is_enumerated(state, criteria=WIN5_ORDER, most=10**9)


PLAN = FORMULAS.get("mutant-chronicles").plan(12)
GROUPS, USED = PLAN.stages[0], PLAN.used_places(0)
GROUP_POINTS = Points()
ALONE = [(key, "lots") for key in CRITERIA.keys() if key != "lots"]  # noqa: SIM118
PAIRED = [("points", *alone) for alone in ALONE if alone[0] != "points"]
ORDERS = [*(preset.criteria for preset in PRESETS), *ALONE, *PAIRED]
NAMES = [*PRESETS.keys(), *("-".join(order) for order in (*ALONE, *PAIRED))]
EVERY = pytest.mark.parametrize("criteria", ORDERS, ids=NAMES)


def played(source: random.Random) -> StageState:
    """Return three groups of four after all their rounds."""
    state = opening(GROUPS, {"A": (1, 2, 3, 4), "B": (5, 6, 7, 8), "C": (9, 10, 11, 12)})
    for _round in range(3):
        state = add_round(
            state, lambda pairing: random_result(source, *two_seats(pairing.seats, None))
        )
    if source.random() < 0.3:
        state = replace(state, withdrawn=frozenset({source.choice(state.players)}))
    return state


def reopened(state: StageState, player: PlayerId) -> StageState:
    """Return the stage with the player's last match still to be played."""
    *before, last = state.rounds
    played = tuple(
        (pairing, two_player_result(*pairing.seats, round=3))
        if player in two_seats(pairing.seats, None)
        else (pairing, result)
        for pairing, result in last
    )
    return replace(state, rounds=(*before, played))


@EVERY
@examples(0.2)
@given(source=st.randoms(use_true_random=False))
def test_a_finished_group_waits_only_for_lots_and_for_other_groups(
    criteria: tuple[str, ...], source: random.Random
) -> None:
    whole = played(source)
    state = reopened(whole, 9)
    penalties = {player: source.randint(0, 2) for player in state.players}
    given = {"criteria": criteria, "points": GROUP_POINTS, "used": USED, "penalties": penalties}
    said = prospects(state, **given)
    standings = stage_outcome(whole, lots=(), **given).standings
    for group in "AB":
        rows = [row for row in standings[group].rows if row.player not in state.withdrawn]
        for place, row in enumerate(rows, start=1):
            level = [other for other in rows if other.rank == row.rank]
            if len(level) == 1 and place != 3:
                expected = Verdict.THROUGH if place < 3 else Verdict.OUT
                assert said[row.player].verdict is expected
    lots = [tuple(source.sample(range(1, 13), 12))]
    decided = stage_outcome(whole, lots=lots, **given)
    through = {player for name, player in decided.places.items() if name in USED}
    assert contradiction(said, whole, through) is None


@EVERY
@examples(0.2)
@given(source=st.randoms(use_true_random=False))
def test_when_all_groups_are_finished_all_is_decided_by_lots_at_last(
    criteria: tuple[str, ...], source: random.Random
) -> None:
    state = played(source)
    penalties = {player: source.randint(0, 2) for player in state.players}
    given = {"criteria": criteria, "points": GROUP_POINTS, "used": USED, "penalties": penalties}
    decided = stage_outcome(state, lots=(), **given)
    said = prospects(state, **given)
    tied = {player for level in decided.lots_needed for player in level}
    waiting = {player for player, prospect in said.items() if prospect.verdict is Verdict.OPEN}
    if not decided.lots_needed:
        assert not waiting
    assert all(
        said[player].depends["now"] == {VerdictDependency.SCORES} for player in waiting & tied
    )
    lots = [tuple(source.sample(range(1, 13), 12))]
    told = prospects(state, lots=lots, **given)
    drawn = stage_outcome(state, lots=lots, **given)
    through = {player for name, player in drawn.places.items() if name in USED}
    assert {p for p, prospect in told.items() if prospect.verdict is Verdict.THROUGH} == through
    assert {p for p, prospect in told.items() if prospect.verdict is Verdict.OUT} == (
        set(told) - through
    )


THROUGH, MAYBE, OUT = CutSide.THROUGH, CutSide.MAYBE, CutSide.OUT


def leads(sure: int, compared: int = 0) -> AdvancingRanks:
    ranks = {compared: (("A", "B"), 1)} if compared else {}
    return AdvancingRanks(
        sure={"A": frozenset(range(1, sure + 1))}, compared=ranks, uneven=frozenset()
    )


def test_a_zone_ends_with_the_ranks_that_go_on() -> None:
    assert cut_sides([5, 6, 7, 8], "A", leads(2, 3), ()) == {
        5: THROUGH,
        6: THROUGH,
        7: MAYBE,
        8: OUT,
    }
    assert cut_sides([5, 6], "A", leads(0), ()) == {}


def test_who_has_withdrawn_holds_no_place() -> None:
    found = cut_sides([5, 6, 7, 8], "A", leads(2), {5})
    assert found == {5: OUT, 6: THROUGH, 7: THROUGH, 8: OUT}


@pytest.mark.parametrize("places", [1, 2, 3])
@pytest.mark.parametrize(
    "reach",
    [
        {1: (6, 9), 2: (3, 6), 3: (3, 6), 4: (0, 3)},
        {1: (6, 6), 2: (6, 6), 3: (3, 9), 4: (0, 3)},
        {1: (9, 9), 2: (4, 7), 3: (1, 4), 4: (0, 0)},
        {1: (0, 3), 2: (0, 3), 3: (0, 3)},
    ],
)
def test_certain_holds_in_every_end(reach: dict[int, tuple[int, int]], places: int) -> None:
    """Ties may go either way, so who shares the last place is certain of nothing."""
    found = verdicts_by_points(reach, "A", leads(places))
    ends = list(product(*(range(low, high + 1) for low, high in reach.values())))
    for player, verdict in found.items():
        for end in ends:
            points = dict(zip(reach, end, strict=True))
            ahead = sum(points[one] > points[player] for one in reach if one != player)
            level = sum(points[one] >= points[player] for one in reach if one != player)
            assert level < places if verdict is Verdict.THROUGH else ahead >= places
    for player in reach.keys() - found.keys():
        worst = max(
            sum(end[at] >= points for at, one in enumerate(reach) if one != player)
            for end in ends
            for points in [end[list(reach).index(player)]]
        )
        best = min(
            sum(end[at] > points for at, one in enumerate(reach) if one != player)
            for end in ends
            for points in [end[list(reach).index(player)]]
        )
        assert worst >= places > best


def test_a_compared_rank_keeps_a_player_in() -> None:
    reach = {1: (6, 6), 2: (3, 3), 3: (0, 0)}
    assert verdicts_by_points(reach, "A", leads(1, 2)) == {1: Verdict.THROUGH, 3: Verdict.OUT}
    assert verdicts_by_points(reach, "A", leads(0)) == {}


def test_with_fewer_left_than_places_everybody_is_through() -> None:
    reach = {2: (0, 9), 3: (0, 9), 4: (3, 9)}
    assert set(verdicts_by_points(reach, "A", leads(4)).values()) == {Verdict.THROUGH}


@pytest.mark.parametrize(("own", "out"), [(2, True), (3, False), (4, False)])
def test_who_has_played_all_is_out_once_enough_have_more_points(own, out):
    assert is_eliminated_by_points({1: 6, 2: 3, 3: own, 4: 0}, 3, "A", leads(2)) is out


def test_nobody_is_out_where_nobody_goes_on():
    assert not is_eliminated_by_points({1: 6, 2: 0}, 2, "A", leads(0))
