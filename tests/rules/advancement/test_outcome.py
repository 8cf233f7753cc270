"""Places, lots and who does not advance, on small stages worked by hand."""

from collections.abc import Sequence
from dataclasses import replace

from rules.advancement.outcome import StageOutcome, outcome, seat
from rules.plans import GroupPlan, LoserOf, NthAmong, Place, RankOf, StagePlan, WinnerOf
from rules.results import PlayerId, Points, Result, Winner, of_two, result_of_two
from rules.stages.base import Pairing, StageState
from rules.standings.table import DEFAULT_CRITERIA
from rules.wording import Sentence
from tests.rules.play import add_round, lower_wins, opening, play_out

GROUPS = ("A", "B", "C")
PLACES: tuple[Place, ...] = (
    *(RankOf(name=f"{name}{rank}", group=name, rank=rank) for name in GROUPS for rank in (1, 2)),
    NthAmong(name="R1", rank=3, groups=GROUPS, nth=1),
    NthAmong(name="R2", rank=3, groups=GROUPS, nth=2),
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
    return outcome(state, criteria=criteria, points=Points(), lots=lots, used=used)


def draws(pairing: Pairing) -> Result:
    return result_of_two(*pairing.seats, winner=Winner.DRAW, score=(1, 1))


def cycle(pairing: Pairing) -> Result:
    """Let 1 beat 2, 2 beat 3 and 3 beat 1, with equal scores, and all beat 4."""
    a, b = int(pairing.seats[0]) % 10, int(of_two(pairing.seats, None)[1] or 0) % 10
    a_wins = (a, b) in {(1, 2), (2, 3), (3, 1), (1, 4), (2, 4), (3, 4)}
    score = (2, 0) if a_wins else (0, 2)
    return result_of_two(*pairing.seats, winner=Winner.A if a_wins else Winner.B, score=score)


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
    places = tuple(place for place in PLACES if isinstance(place, RankOf) and place.rank == 1)
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
    places = (RankOf(name="A1", group="A", rank=1), RankOf(name="A2", group="A", rank=2))
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
    places = tuple(RankOf(name=name, group="A", rank=i) for i, name in enumerate(finalists, 1))
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
    places: tuple[Place, ...] = (WinnerOf(name="W3", match=3), LoserOf(name="L3", match=3))
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
    assert seat(plan, {"A1": 1, "R1": 3}, {}) == {"I": (1, None, 3)}


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
    assert seat(plan, places, origins) == {"knockout": (11, 21, 12, 22)}


def test_a_group_that_is_not_compared_needs_no_lots_for_that_rank() -> None:
    """The best second of A and B goes on, of C only the first: two level there change nothing."""
    places: tuple[Place, ...] = (
        *(RankOf(name=f"{name}1", group=name, rank=1) for name in GROUPS),
        NthAmong(name="X", rank=2, groups=("A", "B"), nth=1),
    )
    used = frozenset(place.name for place in places)

    def judge(pairing: Pairing) -> Result:
        a, b = sorted((int(pairing.seats[0]), int(of_two(pairing.seats, None)[1] or 0)))
        if (a, b) == (32, 33) or (a, b) == (22, 23):
            return draws(pairing)
        return lower_wins(pairing)

    found = decided(play_out(groups(places), judge), used=used)
    assert [set(tied) for tied in found.lots_needed] == [{22, 23}]
    assert found.standings["C"].tied == ((32, 33),)
    assert found.places == {"A1": 11, "B1": 21, "C1": 31}
    found = decided(play_out(groups(places), judge), used=used, lots=[(23, 22)])
    assert (found.lots_needed, found.places["X"]) == ((), 12)
