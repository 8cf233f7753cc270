"""Players of groups of different sizes, compared as they are or over as many matches."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rules.advancement.final_ranking import FinalOrder, final_ranking
from rules.advancement.from_groups import players_in
from rules.advancement.outcome import outcome
from rules.formulas import FORMULAS, describe
from rules.formulas.describe import sizes_compared
from rules.plans import FormulaPlan, GroupPlan, NthAmong, RankOf, StagePlan
from rules.results import PlayerId, Points, Result, Winner, of_two, result_of_two
from rules.stages.base import Pairing, StageState, with_struck
from rules.standings.table import DEFAULT_CRITERIA
from rules.ties.decisions import Classes
from rules.wording import Sentence
from tests.rules.play import Judge, PlayedEvent, lower_wins, opening, play_out

THIRDS = (NthAmong(name="R1", rank=3, groups=("A", "B"), nth=1),)
FIRSTS = tuple(
    NthAmong(name=name, rank=1, groups=("A", "B"), nth=n) for n, name in ((1, "X"), (2, "L"))
)


def stage(
    places: Sequence[NthAmong], *, without_last: bool, sizes: Sequence[int] = (4, 3)
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


def decided(state: StageState, lots: Sequence[Sequence[PlayerId]] = ()):
    used = {place.name for place in state.plan.places}
    return outcome(state, criteria=DEFAULT_CRITERIA, points=Points(), lots=lots, used=used)


def lasts_draw(pairing: Pairing) -> Result:
    """Let the lower number win 2-0, but the third and the fourth draw 1-1."""
    if {int(pairing.seats[0]) % 10, int(of_two(pairing.seats, None)[1] or 0) % 10} == {3, 4}:
        return result_of_two(*pairing.seats, winner=Winner.DRAW, score=(1, 1))
    return lower_wins(pairing)


def test_all_matches_favour_the_larger_group() -> None:
    # 13 has beaten 14; 23 has nobody below to beat.
    found = decided(play_out(stage(THIRDS, without_last=False), lower_wins))
    assert found.places == {"R1": 13}
    third = found.compared[3].rows[0]
    assert (third.player, third.played, third.values["points"]) == (13, 3, 3)


def test_without_the_last_both_have_lost_twice() -> None:
    # Without 14: 13 has 0 points, lost to 11 (3) and 12 … whose own win over 14 is gone too.
    found = decided(play_out(stage(THIRDS, without_last=True), lower_wins))
    assert found.lots_needed == ((13, 23),)
    rows = found.compared[3].rows
    assert [(row.played, row.values["points"], row.values["opponents_points"]) for row in rows] == [
        (2, 0, 9),
        (2, 0, 9),
    ]
    # The table of the group itself keeps all matches.
    assert found.standings["A"].rows[2].values["points"] == 3
    found = decided(play_out(stage(THIRDS, without_last=True), lower_wins), lots=[(23, 13)])
    assert found.places == {"R1": 23}


def test_the_last_player_of_a_group_may_need_lots() -> None:
    state = play_out(stage(FIRSTS, without_last=True), lasts_draw)
    found = decided(state)
    assert found.lots_needed == ((13, 14),)
    assert found.compared == {}
    found = decided(state, lots=[(14, 13)])
    assert [row.played for row in found.compared[1].rows] == [2, 2]
    assert found.lots_needed == ((11, 21),)
    # As they are, nobody asks who is last: 11 has three wins, 21 has two.
    as_they_are = decided(play_out(stage(FIRSTS, without_last=False), lasts_draw))
    assert (as_they_are.lots_needed, as_they_are.places) == ((), {"X": 11, "L": 21})


def test_a_withdrawn_player_counts_as_last() -> None:
    state = play_out(stage(THIRDS, without_last=True), lower_wins)
    found = decided(replace(state, withdrawn=frozenset({12})))
    # 14 is the third of those still there; 12 counts for nothing, so 14 lost to 11 and 13.
    assert found.compared[3].rows[0].player in (14, 23)
    assert {row.player: row.played for row in found.compared[3].rows} == {14: 2, 23: 2}


def random_result(pairing: Pairing, source) -> Result:
    winner = source.choice((Winner.A, Winner.B, Winner.DRAW))
    low, high = sorted(source.sample(range(8), 2))
    score = {Winner.A: (high, low), Winner.B: (low, high), Winner.DRAW: (low, low)}[winner]
    return result_of_two(*pairing.seats, winner=winner, score=score)


@given(source=st.randoms(use_true_random=False))
def test_groups_of_one_size_are_compared_alike(source) -> None:
    judge: Judge = lambda pairing: random_result(pairing, source)  # noqa: E731
    state = play_out(stage(THIRDS, without_last=True, sizes=(4, 4)), judge)
    plain = replace(state, plan=replace(state.plan, without_last=False))
    assert decided(state) == decided(plain)


@given(source=st.randoms(use_true_random=False))
def test_everybody_compared_has_as_many_matches_and_lots_end_it(source) -> None:
    judge: Judge = lambda pairing: random_result(pairing, source)  # noqa: E731
    places = [
        NthAmong(name=f"{rank}{n}", rank=rank, groups=("A", "B"), nth=n)
        for rank in (1, 2)
        for n in (1, 2)
    ]
    state = play_out(stage(places, without_last=True, sizes=(5, 3)), judge)
    if source.random() < 0.3:
        state = replace(state, withdrawn=frozenset({source.choice(state.players)}))
    lots: list[tuple[PlayerId, ...]] = []
    while needed := decided(state, lots).lots_needed:
        lots.append(tuple(source.sample(needed[0], len(needed[0]))))
        assert len(lots) < 10
    found = decided(state, lots)
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
        FinalOrder(criteria=DEFAULT_CRITERIA, points=Points()),
    )
    thirds = {state.seats[g][2] for state in event.states[:1] for g in ("A", "B")}
    assert thirds in [set(level) for level in ranking]


def test_the_words_say_how_they_are_compared() -> None:
    formula = FORMULAS.get("groups-knockout")
    said = [str(sentence) for sentence in describe(formula.plan(7))]
    assert any("all matches count" in words for words in said)
    said = [str(sentence) for sentence in describe(formula.plan(7, {"uneven_groups": 1}))]
    assert any("against the last of the larger groups do not count" in words for words in said)
    said = [str(sentence) for sentence in describe(formula.plan(8, {"uneven_groups": 1}))]
    assert not any("larger groups" in words for words in said)


def test_a_place_by_rank_is_not_compared() -> None:
    places = (RankOf(name="A1", group="A", rank=1), RankOf(name="B1", group="B", rank=1))
    found = decided(play_out(stage(places, without_last=True), lasts_draw))  # type: ignore[arg-type]
    assert (found.lots_needed, found.places) == ((), {"A1": 11, "B1": 21})


def test_a_struck_player_makes_the_group_smaller() -> None:
    # Without 14 both groups have three players, so nothing is left out and nobody gains.
    state = with_struck(play_out(stage(THIRDS, without_last=True), lower_wins), 14)
    state = replace(state, withdrawn=frozenset({14}))
    found = decided(state)
    assert found.lots_needed == ((13, 23),)
    assert {row.played for row in found.compared[3].rows} == {2}
    assert sizes_compared(state.plan, frozenset({"R1"})) == (3, 4)
    assert sizes_compared(state.plan, frozenset({"R1"}), players_in(state)) is None


def ranked_after(state: StageState) -> Classes:
    """Return the final ranking of an event whose only stage this was."""
    return final_ranking(
        FormulaPlan(formula="x", players=len(state.players), stages=(state.plan,)),
        [(state, decided(state))],
        FinalOrder(criteria=DEFAULT_CRITERIA, points=Points()),
    )


def test_a_tie_for_the_last_of_a_group_leaves_all_matches_in_the_ranking() -> None:
    """Nobody knows who of the two would be left out: 13 and 14 keep the point of their draw."""
    ranking = ranked_after(play_out(stage((), without_last=True), lasts_draw))
    assert [set(level) for level in ranking] == [{11}, {21}, {12}, {22}, {13, 14}, {23}]
    # Without a tie the thirds are compared over the matches that both have.
    ranking = ranked_after(play_out(stage((), without_last=True), lower_wins))
    assert [set(level) for level in ranking] == [{11, 21}, {12, 22}, {13, 23}, {14}]


def test_a_struck_player_is_ranked_behind_the_others_of_the_group() -> None:
    state = with_struck(play_out(stage((), without_last=True), lower_wins), 11)
    state = replace(state, withdrawn=frozenset({11}))
    ranking = ranked_after(state)
    assert sorted(player for level in ranking for player in level) == sorted(state.players)
    assert set(ranking[-1]) == {11}
