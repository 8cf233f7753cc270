"""Places, lots and who goes on: stages worked by hand, groups of different sizes, play-ins."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import plans
from rules.advancement.from_groups import count_players_by_group
from rules.advancement.outcome import (
    FinalRankingRules,
    StageOutcome,
    final_ranking,
    seat_players,
    stage_outcome,
)
from rules.formulas import FORMULAS, describe_plan
from rules.formulas.describe import compared_group_sizes
from rules.json_reader import WrongValue
from rules.plans import (
    ComparedRankPlace,
    FormulaPlan,
    GroupPlan,
    LoserPlace,
    Place,
    RankPlace,
    StagePlan,
    WinnerPlace,
    start_places,
)
from rules.results import PlayerId, Points, Result, Winner, two_player_result, two_seats
from rules.stages.base import Pairing, StageState, strike_player
from rules.standings.table import DEFAULT_CRITERIA
from rules.ties.decisions import Classes
from rules.wording import Sentence
from tests.rules.play import Judge, PlayedEvent, add_round, lower_wins, opening, play_out

GROUPS = ("A", "B", "C")
PLACES: tuple[Place, ...] = (
    *(RankPlace(name=f"{name}{rank}", group=name, rank=rank) for name in GROUPS for rank in (1, 2)),
    ComparedRankPlace(name="R1", rank=3, groups=GROUPS, nth=1),
    ComparedRankPlace(name="R2", rank=3, groups=GROUPS, nth=2),
)
USED = frozenset(place.name for place in PLACES)


def groups(places: tuple[Place, ...] = PLACES, sizes: Sequence[int] = (4, 4, 4)) -> StageState:
    """Return groups of players 11 12 13 14, 21 22 …: the tens say the group."""
    plans, seats = [], {}
    for number, (name, size) in enumerate(zip(GROUPS, sizes, strict=False), start=1):
        players = tuple(10 * number + index for index in range(1, size + 1))
        plans.append(GroupPlan(name=name, seats=tuple(f"S{player}" for player in players)))
        seats[name] = players
    plan = StagePlan(
        key="groups",
        label=Sentence("Groups"),
        kind="round_robin",
        groups=tuple(plans),
        places=places,
    )
    return opening(plan, dict(seats))


def decided(
    state: StageState,
    *,
    lots: Sequence[Sequence[PlayerId]] = (),
    used: frozenset[str] = USED,
    criteria: Sequence[str] = DEFAULT_CRITERIA,
) -> StageOutcome:
    return stage_outcome(state, criteria=criteria, points=Points(), lots=lots, used=used)


def draws(pairing: Pairing) -> Result:
    return two_player_result(*pairing.seats, winner=Winner.DRAW, score=(1, 1))


def cycle(pairing: Pairing) -> Result:
    """Let 1 beat 2, 2 beat 3 and 3 beat 1, with equal scores, and all beat 4."""
    a, b = int(pairing.seats[0]) % 10, int(two_seats(pairing.seats, None)[1] or 0) % 10
    a_wins = (a, b) in {(1, 2), (2, 3), (3, 1), (1, 4), (2, 4), (3, 4)}
    score = (2, 0) if a_wins else (0, 2)
    return two_player_result(*pairing.seats, winner=Winner.A if a_wins else Winner.B, score=score)


def test_nothing_is_decided_while_the_stage_runs() -> None:
    state = add_round(groups(), lower_wins)
    found = decided(state)
    assert (found.places, found.lots_needed, found.left_out) == ({}, (), ())
    assert found.standings["A"].rows[0].player in (11, 13)


def test_thirds_that_are_level_need_lots() -> None:
    state = play_out(groups(), lower_wins)
    found = decided(state)
    assert found.lots_needed == ((13, 23, 33),)
    assert found.places == {"A1": 11, "A2": 12, "B1": 21, "B2": 22, "C1": 31, "C2": 32}
    found = decided(state, lots=[(33, 13, 23)])
    assert found.lots_needed == ()
    assert (found.places["R1"], found.places["R2"]) == (33, 13)


def test_only_a_draw_of_the_whole_set_counts_and_the_latest_decides() -> None:
    state = play_out(groups(), lower_wins)
    assert decided(state, lots=[(33, 13)]).lots_needed == ((13, 23, 33),)
    later = decided(state, lots=[(33, 13, 23), (23, 13, 33, 14), (13, 23)])
    assert (later.places["R1"], later.places["R2"]) == (23, 13)


def test_a_tie_below_the_places_needs_no_lots() -> None:
    places = tuple(place for place in PLACES if isinstance(place, RankPlace) and place.rank == 1)
    state = play_out(
        groups(places), lambda p: draws(p) if int(p.seats[0]) % 10 > 1 else lower_wins(p)
    )
    found = decided(state)
    assert found.standings["A"].tied == ((12, 13, 14),)
    assert found.lots_needed == ()
    assert found.places == {"A1": 11, "B1": 21, "C1": 31}


def test_a_tie_inside_a_group_comes_before_the_comparison() -> None:
    state = play_out(groups(), lambda p: cycle(p) if int(p.seats[0]) < 20 else lower_wins(p))
    found = decided(state)
    assert found.lots_needed == ((11, 12, 13),)
    assert 3 not in found.compared
    found = decided(state, lots=[(12, 13, 11)])
    assert (found.places["A1"], found.places["A2"]) == (12, 13)
    assert found.places["R1"] == 11


def test_a_withdrawn_player_keeps_the_rank_and_the_next_takes_the_place() -> None:
    state = play_out(groups(), lower_wins)
    state = replace(state, withdrawn=frozenset({11, 33}))
    found = decided(state, lots=[(13, 23)])
    assert found.standings["A"].rows[0].player == 11
    assert (found.places["A1"], found.places["A2"]) == (12, 13)
    assert found.left_out == (11, 33)
    assert [row.player for row in found.compared[3].rows] == [23, 14, 34]
    assert found.places["R1"] == 23


def test_no_lots_between_two_of_whom_one_has_left() -> None:
    places = (RankPlace(name="A1", group="A", rank=1), RankPlace(name="A2", group="A", rank=2))
    state = play_out(groups(places, sizes=(3,)), draws)
    assert decided(state).lots_needed == ((11, 12, 13),)
    found = decided(replace(state, withdrawn=frozenset({12, 13})))
    assert (found.lots_needed, found.places) == ((), {"A1": 11})


def test_places_that_nobody_seats_need_no_lots() -> None:
    state = play_out(groups(), draws)
    found = decided(state, used=frozenset())
    assert found.lots_needed == ()
    assert found.compared == {}


def test_interchangeable_places_are_held_without_lots() -> None:
    finalists = ("finalist 1", "finalist 2")
    places = tuple(RankPlace(name=name, group="A", rank=i) for i, name in enumerate(finalists, 1))
    state = groups(places, sizes=(3,))
    state = replace(state, plan=replace(state.plan, interchangeable=(finalists,)))
    level = play_out(state, lambda p: draws(p) if p.seats[-1] == 12 else lower_wins(p))
    found = decided(level, used=frozenset(finalists))
    assert found.standings["A"].tied == ((11, 12),)
    assert found.lots_needed == ()
    assert found.places == {"finalist 1": 11, "finalist 2": 12}
    three = decided(play_out(state, draws), used=frozenset(finalists))
    assert three.lots_needed == ((11, 12, 13),)


def test_lots_decide_even_where_the_criteria_leave_them_out() -> None:
    state = play_out(groups(sizes=(3,), places=PLACES[:2]), draws)
    found = decided(state, criteria=("points",), lots=[(13, 11, 12)])
    assert found.places == {"A1": 13, "A2": 11}


def test_a_knock_out_gives_winners_and_losers() -> None:
    places: tuple[Place, ...] = (WinnerPlace(name="W3", match=3), LoserPlace(name="L3", match=3))
    seats = tuple(f"S{number}" for number in range(1, 5))
    plan = StagePlan(
        key="knockout",
        label=Sentence("Knock-out"),
        kind="knockout",
        groups=(GroupPlan(name="knockout", seats=seats),),
        places=places,
    )
    state = opening(plan, {"knockout": (1, 2, 3, 4)})
    assert decided(add_round(state, lower_wins)).places == {}
    state = play_out(state, lower_wins)
    assert decided(state).places == {"W3": 1, "L3": 2}
    gone = replace(state, withdrawn=frozenset({1}))
    found = decided(gone, used=frozenset({"W3"}))
    assert (found.places["W3"], found.left_out) == (2, (1,))
    both = decided(replace(state, withdrawn=frozenset({1, 2})), used=frozenset({"W3"}))
    assert "W3" not in both.places


def test_seats_follow_places_and_empty_ones_stay_empty() -> None:
    plan = StagePlan(
        key="second",
        label=Sentence("Second"),
        kind="round_robin",
        groups=(GroupPlan(name="I", seats=("A1", "B2", "R1")),),
    )
    assert seat_players(plan, {"A1": 1, "R1": 3}, {}) == {"I": (1, None, 3)}


def test_seats_of_a_knock_out_are_kept_apart() -> None:
    plan = StagePlan(
        key="knockout",
        label=Sentence("Knock-out"),
        kind="knockout",
        groups=(GroupPlan(name="knockout", seats=("seed 1", "seed 2", "seed 3", "seed 4")),),
        apart=True,
    )
    places: dict[str, PlayerId] = {"seed 1": 11, "seed 2": 21, "seed 3": 22, "seed 4": 12}
    origins = {11: "A", 12: "A", 21: "B", 22: "B"}
    assert seat_players(plan, places, origins) == {"knockout": (11, 21, 12, 22)}


def test_a_group_that_is_not_compared_needs_no_lots_for_that_rank() -> None:
    """The best second of A and B goes on, of C only the first: two level there change nothing."""
    places: tuple[Place, ...] = (
        *(RankPlace(name=f"{name}1", group=name, rank=1) for name in GROUPS),
        ComparedRankPlace(name="X", rank=2, groups=("A", "B"), nth=1),
    )
    used = frozenset(place.name for place in places)

    def judge(pairing: Pairing) -> Result:
        a, b = sorted((int(pairing.seats[0]), int(two_seats(pairing.seats, None)[1] or 0)))
        if (a, b) == (32, 33) or (a, b) == (22, 23):
            return draws(pairing)
        return lower_wins(pairing)

    found = decided(play_out(groups(places), judge), used=used)
    assert [set(tied) for tied in found.lots_needed] == [{22, 23}]
    assert found.standings["C"].tied == ((32, 33),)
    assert found.places == {"A1": 11, "B1": 21, "C1": 31}
    found = decided(play_out(groups(places), judge), used=used, lots=[(23, 22)])
    assert (found.lots_needed, found.places["X"]) == ((), 12)


THIRDS = (ComparedRankPlace(name="R1", rank=3, groups=("A", "B"), nth=1),)
FIRSTS = tuple(
    ComparedRankPlace(name=name, rank=1, groups=("A", "B"), nth=n)
    for n, name in ((1, "X"), (2, "L"))
)


def stage(
    places: Sequence[ComparedRankPlace], *, without_last: bool, sizes: Sequence[int] = (4, 3)
) -> StageState:
    """Return groups A and B of players 11 12 … and 21 22 …."""
    seats = {
        name: tuple(10 * tens + one for one in range(1, size + 1))
        for tens, (name, size) in enumerate(zip("AB", sizes, strict=True), start=1)
    }
    plan = StagePlan(
        key="groups",
        label=Sentence("Groups"),
        kind="round_robin",
        groups=tuple(
            GroupPlan(name=name, seats=tuple(f"S{player}" for player in players))
            for name, players in seats.items()
        ),
        places=tuple(places),
        without_last=without_last,
    )
    return opening(plan, dict(seats))


def compared(state: StageState, lots: Sequence[Sequence[PlayerId]] = ()):
    used = {place.name for place in state.plan.places}
    return stage_outcome(state, criteria=DEFAULT_CRITERIA, points=Points(), lots=lots, used=used)


def lasts_draw(pairing: Pairing) -> Result:
    """Let the lower number win 2-0, but the third and the fourth draw 1-1."""
    if {int(pairing.seats[0]) % 10, int(two_seats(pairing.seats, None)[1] or 0) % 10} == {3, 4}:
        return two_player_result(*pairing.seats, winner=Winner.DRAW, score=(1, 1))
    return lower_wins(pairing)


def test_all_matches_favour_the_larger_group() -> None:
    # 13 has beaten 14; 23 has nobody below to beat.
    found = compared(play_out(stage(THIRDS, without_last=False), lower_wins))
    assert found.places == {"R1": 13}
    third = found.compared[3].rows[0]
    assert (third.player, third.played, third.values["points"]) == (13, 3, 3)


def test_without_the_last_both_have_lost_twice() -> None:
    # Without 14: 13 has 0 points, lost to 11 (3) and 12 … whose own win over 14 is gone too.
    found = compared(play_out(stage(THIRDS, without_last=True), lower_wins))
    assert found.lots_needed == ((13, 23),)
    rows = found.compared[3].rows
    assert [(row.played, row.values["points"], row.values["opponents_points"]) for row in rows] == [
        (2, 0, 9),
        (2, 0, 9),
    ]
    # The table of the group itself keeps all matches.
    assert found.standings["A"].rows[2].values["points"] == 3
    found = compared(play_out(stage(THIRDS, without_last=True), lower_wins), lots=[(23, 13)])
    assert found.places == {"R1": 23}


def test_the_last_player_of_a_group_may_need_lots() -> None:
    state = play_out(stage(FIRSTS, without_last=True), lasts_draw)
    found = compared(state)
    assert found.lots_needed == ((13, 14),)
    assert found.compared == {}
    found = compared(state, lots=[(14, 13)])
    assert [row.played for row in found.compared[1].rows] == [2, 2]
    assert found.lots_needed == ((11, 21),)
    # As they are, nobody asks who is last: 11 has three wins, 21 has two.
    as_they_are = compared(play_out(stage(FIRSTS, without_last=False), lasts_draw))
    assert (as_they_are.lots_needed, as_they_are.places) == ((), {"X": 11, "L": 21})


def test_a_withdrawn_player_counts_as_last() -> None:
    state = play_out(stage(THIRDS, without_last=True), lower_wins)
    found = compared(replace(state, withdrawn=frozenset({12})))
    # 14 is the third of those still there; 12 counts for nothing, so 14 lost to 11 and 13.
    assert found.compared[3].rows[0].player in (14, 23)
    assert {row.player: row.played for row in found.compared[3].rows} == {14: 2, 23: 2}


def random_result(pairing: Pairing, source) -> Result:
    winner = source.choice((Winner.A, Winner.B, Winner.DRAW))
    low, high = sorted(source.sample(range(8), 2))
    score = {Winner.A: (high, low), Winner.B: (low, high), Winner.DRAW: (low, low)}[winner]
    return two_player_result(*pairing.seats, winner=winner, score=score)


@given(source=st.randoms(use_true_random=False))
def test_groups_of_one_size_are_compared_alike(source) -> None:
    judge: Judge = lambda pairing: random_result(pairing, source)  # noqa: E731
    state = play_out(stage(THIRDS, without_last=True, sizes=(4, 4)), judge)
    plain = replace(state, plan=replace(state.plan, without_last=False))
    assert compared(state) == compared(plain)


@given(source=st.randoms(use_true_random=False))
def test_everybody_compared_has_as_many_matches_and_lots_end_it(source) -> None:
    judge: Judge = lambda pairing: random_result(pairing, source)  # noqa: E731
    places = [
        ComparedRankPlace(name=f"{rank}{n}", rank=rank, groups=("A", "B"), nth=n)
        for rank in (1, 2)
        for n in (1, 2)
    ]
    state = play_out(stage(places, without_last=True, sizes=(5, 3)), judge)
    if source.random() < 0.3:
        state = replace(state, withdrawn=frozenset({source.choice(state.players)}))
    lots: list[tuple[PlayerId, ...]] = []
    while needed := compared(state, lots).lots_needed:
        lots.append(tuple(source.sample(needed[0], len(needed[0]))))
        assert len(lots) < 10
    found = compared(state, lots)
    assert {row.played for standings in found.compared.values() for row in standings.rows} == {2}
    assert len(found.places) == 4


def test_the_final_ranking_compares_by_the_same_matches() -> None:
    plan = FORMULAS.get("groups-knockout").plan(7, {"uneven_groups": 1, "fill": False})
    assert plan.stages[0].without_last
    event = PlayedEvent(plan, list(range(1, 8)))
    event.play(lower_wins)
    assert event.lots  # the two thirds are level once the last of the larger group is left out
    ranking = final_ranking(
        plan,
        [(state, event.outcome_of(index)) for index, state in enumerate(event.states)],
        FinalRankingRules(criteria=DEFAULT_CRITERIA, points=Points()),
    )
    thirds = {state.seats[g][2] for state in event.states[:1] for g in ("A", "B")}
    assert thirds in [set(level) for level in ranking]


def test_the_words_say_how_they_are_compared() -> None:
    formula = FORMULAS.get("groups-knockout")
    said = [str(sentence) for sentence in describe_plan(formula.plan(7))]
    assert any("All matches count" in words for words in said)
    said = [str(sentence) for sentence in describe_plan(formula.plan(7, {"uneven_groups": 1}))]
    assert any("against last place don’t count" in words for words in said)
    said = [str(sentence) for sentence in describe_plan(formula.plan(8, {"uneven_groups": 1}))]
    assert not any("against last place" in words for words in said)


def test_a_place_by_rank_is_not_compared() -> None:
    places = (RankPlace(name="A1", group="A", rank=1), RankPlace(name="B1", group="B", rank=1))
    found = compared(play_out(stage(places, without_last=True), lasts_draw))  # type: ignore[arg-type]
    assert (found.lots_needed, found.places) == ((), {"A1": 11, "B1": 21})


def test_a_struck_player_makes_the_group_smaller() -> None:
    # Without 14 both groups have three players, so nothing is left out and nobody gains.
    state = strike_player(play_out(stage(THIRDS, without_last=True), lower_wins), 14)
    state = replace(state, withdrawn=frozenset({14}))
    found = compared(state)
    assert found.lots_needed == ((13, 23),)
    assert {row.played for row in found.compared[3].rows} == {2}
    assert compared_group_sizes(state.plan, frozenset({"R1"})) == (3, 4)
    assert (
        compared_group_sizes(state.plan, frozenset({"R1"}), count_players_by_group(state)) is None
    )


def ranked_after(state: StageState) -> Classes:
    """Return the final ranking of an event whose only stage this was."""
    return final_ranking(
        FormulaPlan(formula="x", players=len(state.players), stages=(state.plan,)),
        [(state, compared(state))],
        FinalRankingRules(criteria=DEFAULT_CRITERIA, points=Points()),
    )


def test_a_tie_for_the_last_of_a_group_leaves_all_matches_in_the_ranking() -> None:
    """Nobody knows who of the two would be left out: 13 and 14 keep the point of their draw."""
    ranking = ranked_after(play_out(stage((), without_last=True), lasts_draw))
    assert [set(level) for level in ranking] == [{11}, {21}, {12}, {22}, {13, 14}, {23}]
    # Without a tie the thirds are compared over the matches that both have.
    ranking = ranked_after(play_out(stage((), without_last=True), lower_wins))
    assert [set(level) for level in ranking] == [{11, 21}, {12, 22}, {13, 23}, {14}]


def test_a_struck_player_is_ranked_behind_the_others_of_the_group() -> None:
    state = strike_player(play_out(stage((), without_last=True), lower_wins), 11)
    state = replace(state, withdrawn=frozenset({11}))
    ranking = ranked_after(state)
    assert sorted(player for level in ranking for player in level) == sorted(state.players)
    assert set(ranking[-1]) == {11}


ALL = [
    RankPlace(name="A1", group="A", rank=1),
    ComparedRankPlace(name="R1", rank=3, groups=("A", "B", "C"), nth=1),
    WinnerPlace(name="W3", match=3),
    LoserPlace(name="L3", match=3),
]


@pytest.mark.parametrize("place", ALL, ids=lambda place: place.name)
def test_a_place_survives_being_stored(place: Place) -> None:
    assert plans.read_place(plans.place_to_json(place)) == place


@pytest.mark.parametrize(
    ("stored", "path"),
    [
        ({"kind": "nonsense", "name": "A1"}, "kind"),
        ({"kind": "winner", "name": "A1"}, "match"),
        ({"kind": "winner", "name": "A1", "match": 0}, "match"),
        ({"kind": "winner", "name": "A1", "match": 1, "rank": 1}, "rank"),
        ({"kind": "nth", "name": "A1", "rank": 1, "groups": ["A", 2], "nth": 1}, "groups[1]"),
        ("A1", ""),
    ],
)
def test_what_is_no_place_is_refused(stored: object, path: str) -> None:
    with pytest.raises(WrongValue) as refused:
        plans.read_place(stored)
    assert refused.value.path == path


def test_the_order_of_the_start() -> None:
    assert start_places(3) == ("S1", "S2", "S3")
