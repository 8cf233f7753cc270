"""Extra matches between tied players, by hand and at random."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.advancement.outcome import stage_outcome
from rules.errors import RuleError
from rules.history.group_history import History
from rules.plans import ComparedRankPlace, GroupPlan, RankPlace, StagePlan
from rules.results import (
    MISSED,
    MatchEnding,
    PlayerId,
    Points,
    Winner,
    outcome_by_winner,
    two_player_result,
    two_seats,
    void_outcome,
)
from rules.stages.base import StageState, TiebreakerRound, strike_player
from rules.standings.table import DEFAULT_CRITERIA
from rules.ties.decisions import (
    TiebreakerSeries,
    group_rounds_into_series,
    next_tiebreaker_round,
    sets_decided_by_draw,
    tiebreaker_by_key,
)
from rules.ties.explanations import explain_rank, trace_standings
from rules.wording import Sentence
from tests.rules.advancement.test_outcome import cycle, draws, groups
from tests.rules.play import add_round, judged, lower_wins, open_result, opening, play_out

Better = Callable[[PlayerId, PlayerId], bool]


def one_group(size: int, winners: int) -> StageState:
    """Return a group of players 1, 2, 3 … of which ``winners`` advance."""
    plan = StagePlan(
        key="group",
        label=Sentence("Group"),
        kind="round_robin",
        groups=(GroupPlan(name="A", seats=tuple(f"S{n}" for n in range(1, size + 1))),),
        places=tuple(
            RankPlace(name=f"A{rank}", group="A", rank=rank) for rank in range(1, winners + 1)
        ),
    )
    return opening(plan, {"A": tuple(range(1, size + 1))})


def decide(state: StageState, lots: Sequence[Sequence[PlayerId]] = ()):
    used = {place.name for place in state.plan.places}
    return stage_outcome(state, criteria=DEFAULT_CRITERIA, points=Points(), lots=lots, used=used)


def with_extra(
    state: StageState, level: Sequence[PlayerId], better: Better, *, after: int = 0
) -> StageState:
    """Return the stage with one more round of extra matches, of which ``better`` wins each."""
    played = tuple(
        (
            pairing,
            open_result(pairing, 9)
            if pairing.outcome
            else two_player_result(
                *pairing.seats,
                winner=Winner.A if better(*pairing.seats) else Winner.B,
            ),
        )
        for pairing in next_tiebreaker_round(state, [level])
    )
    item = TiebreakerRound(level=tuple(level), played=played, after=after)
    return replace(state, tiebreaker_rounds=(*state.tiebreaker_rounds, item))


def higher(a: PlayerId, b: PlayerId | None) -> bool:
    return int(a) > int(b or 0)


def around(a: PlayerId, b: PlayerId | None) -> bool:
    """1 beats 2, 2 beats 3, 3 beats 1."""
    return (int(a) % 10, int(b or 0) % 10) in {(1, 2), (2, 3), (3, 1)}


def met(state: StageState, level: Sequence[PlayerId]) -> list[tuple[PlayerId, PlayerId | None]]:
    return [two_seats(pairing.seats, None) for pairing in next_tiebreaker_round(state, [level])]


def test_two_play_one_match_that_never_ends_drawn() -> None:
    state = play_out(one_group(2, 1), draws)
    assert decide(state).lots_needed == ((1, 2),)
    (pairing,) = next_tiebreaker_round(state, [(1, 2)])
    assert (*two_seats(pairing.seats, None), pairing.draws, pairing.best_of, pairing.number) == (
        *(1, 2, False, 1, 2),
    )
    found = decide(with_extra(state, (1, 2), higher))
    assert (found.lots_needed, found.places) == ((), {"A1": 2})
    first, second = found.standings["A"].rows
    assert (first.placed_by, second.placed_by) == (None, "extra_match")
    assert (second.played, second.values["points"]) == (1, 1)  # the group's match alone
    assert str(explain_rank(second, {1: "Anna", 2: "Bruno"})) == (
        "Behind the player above on Tiebreaker match: Bruno 1, Anna 0."
    )


def test_nothing_is_decided_before_every_match_of_the_series_is_played() -> None:
    state = play_out(one_group(3, 2), draws)
    assert met(state, (1, 2, 3)) == [(1, 2)]
    state = with_extra(state, (1, 2, 3), higher)
    assert decide(state).lots_needed == ((1, 2, 3),)
    assert met(state, (1, 2, 3)) == [(1, 3)]
    state = with_extra(state, (1, 2, 3), higher)
    open_round = TiebreakerRound(
        level=(1, 2, 3),
        played=tuple((p, open_result(p, 6)) for p in next_tiebreaker_round(state, [(1, 2, 3)])),
    )
    waiting = replace(state, tiebreaker_rounds=(*state.tiebreaker_rounds, open_round))
    assert decide(waiting).lots_needed == ((1, 2, 3),)
    state = with_extra(state, (1, 2, 3), higher)
    assert [row.player for row in decide(state).standings["A"].rows] == [3, 2, 1]


def test_players_who_stay_level_are_split_again() -> None:
    state = play_out(one_group(3, 2), draws)
    for _round in range(3):
        state = with_extra(state, (1, 2, 3), around)
    found = decide(state)
    assert found.lots_needed == ((1, 2, 3),)
    (tied,) = trace_standings(found.standings["A"])
    assert (tied.steps[-1].criterion, tied.steps[-1].separates) == ("extra_match", False)
    assert tied.steps[-1].values == {1: (1,), 2: (1,), 3: (1,)}
    assert decide(state, lots=[(2, 3, 1)]).places == {"A1": 2, "A2": 3}  # lots after all
    again = state
    for _round in range(3):
        again = with_extra(again, (1, 2, 3), higher)
    assert len(group_rounds_into_series(again.tiebreaker_rounds)) == 2
    assert decide(again).places == {"A1": 3, "A2": 2}


def test_equal_wins_among_four_are_decided_by_head_to_head() -> None:
    # 1 and 2 win two each, 3 and 4 one each.
    wins = {(1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (4, 1)}
    state = play_out(one_group(4, 3), draws)
    for number in range(3):
        assert len(met(state, (1, 2, 3, 4))) == 2, number
        state = with_extra(state, (1, 2, 3, 4), lambda a, b: (a, b) in wins)
    found = decide(state)
    assert [row.player for row in found.standings["A"].rows] == [1, 2, 3, 4]
    assert [row.proof.level for row in found.standings["A"].rows[1:]] == [
        *((1, 2), (1, 2, 3, 4), (3, 4)),
    ]


def test_the_later_of_lots_and_extra_matches_decides() -> None:
    state = play_out(one_group(2, 1), draws)
    lots = [(1, 2)]
    assert decide(with_extra(state, (1, 2), higher, after=1), lots).places == {"A1": 2}
    assert decide(with_extra(state, (1, 2), higher, after=0), lots).places == {"A1": 1}
    # A draw of another stage is counted, though it says nothing here.
    assert decide(with_extra(state, (1, 2), higher, after=1), [(), *lots]).places == {"A1": 1}


def test_an_extra_match_of_other_players_has_no_effect() -> None:
    state = play_out(one_group(3, 2), draws)
    state = with_extra(state, (1, 2), higher)
    assert decide(state).lots_needed == ((1, 2, 3),)
    assert decide(state).standings == decide(replace(state, tiebreaker_rounds=())).standings


def test_one_of_a_larger_set_decides_for_a_part_of_it() -> None:
    state = play_out(one_group(3, 2), draws)
    for _round in range(3):
        state = with_extra(state, (1, 2, 3), around)
    # A correction lets 1 win both: only 2 and 3 are level any more, and 2 won their extra match.
    rounds = tuple(
        tuple((p, judged(r, Winner.A, score=r.score) if 1 in r.seats else r) for p, r in played)
        for played in state.rounds
    )
    found = decide(replace(state, rounds=rounds))
    assert [row.player for row in found.standings["A"].rows] == [1, 2, 3]
    assert found.standings["A"].rows[2].proof.level == (2, 3)


def test_a_withdrawn_player_does_not_play_and_ranks_last() -> None:
    state = replace(play_out(one_group(3, 2), draws), withdrawn=frozenset({1}))
    pairings = next_tiebreaker_round(state, [(1, 2, 3)])
    assert [(p.seats, p.missed, p.outcome) for p in pairings] == [
        *(((2, 3), False, None), ((1,), True, MISSED)),
    ]
    state = with_extra(state, (1, 2, 3), higher)
    (series,) = group_rounds_into_series(state.tiebreaker_rounds)
    assert (series.total, series.over, series.away) == (1, True, (1,))
    back = replace(state, withdrawn=frozenset())  # who comes back does not undo what was decided
    for now in (state, back):
        assert [row.player for row in decide(now).standings["A"].rows] == [3, 2, 1]


def test_a_player_who_leaves_meanwhile_forfeits_the_rest() -> None:
    state = with_extra(play_out(one_group(3, 2), draws), (1, 2, 3), higher)
    state = replace(state, withdrawn=frozenset({3}))
    (second,) = next_tiebreaker_round(state, [(1, 2, 3)])
    assert second.seats == (1, 3)
    assert second.outcome == outcome_by_winner(Winner.A, MatchEnding.CONCESSION)


def test_a_single_player_plays_no_extra_match() -> None:
    state = replace(play_out(one_group(3, 2), draws), withdrawn=frozenset({1, 2}))
    with pytest.raises(RuleError) as refused:
        next_tiebreaker_round(state, [(1, 2, 3)])
    assert refused.value.code == "nobody_to_play"


def test_both_lose_or_void_leaves_them_level() -> None:
    state = with_extra(play_out(one_group(2, 1), draws), (1, 2), higher)
    (item,) = state.tiebreaker_rounds
    for winner in (Winner.NONE, Winner.VOID):
        result = judged(item.played[0][1], winner)
        again = replace(
            state, tiebreaker_rounds=(replace(item, played=((item.played[0][0], result),)),)
        )
        assert decide(again).lots_needed == ((1, 2),)
    assert decide(strike_player(state, 1)).lots_needed == ((1, 2),)  # void as all of theirs


def test_thirds_of_different_groups_play_too() -> None:
    state = play_out(groups(), lower_wins)
    assert decide(state).lots_needed == ((13, 23, 33),)
    assert met(state, (13, 23, 33)) == [(13, 23)]
    assert next_tiebreaker_round(state, [(13, 23, 33)])[0].group == "A"
    for _round in range(3):
        state = with_extra(state, (13, 23, 33), higher)
    found = decide(state)
    assert (found.places["R1"], found.places["R2"]) == (33, 23)
    assert found.compared[3].rows[1].placed_by == "extra_match"
    assert found.standings == decide(replace(state, tiebreaker_rounds=())).standings


def test_a_series_continues_while_another_is_played() -> None:
    state = play_out(groups(), lambda p: cycle(p) if int(p.seats[0]) < 30 else lower_wins(p))
    state = with_extra(state, (11, 12, 13), higher)
    state = with_extra(state, (21, 22, 23), higher)
    assert met(state, (11, 12, 13)) == [(11, 13)]
    assert [series.level for series in group_rounds_into_series(state.tiebreaker_rounds)] == [
        (11, 12, 13),
        (21, 22, 23),
    ]
    state = with_extra(state, (11, 12, 13), higher)
    assert [series.level for series in group_rounds_into_series(state.tiebreaker_rounds)] == [
        (21, 22, 23),
        (11, 12, 13),
    ]


def test_a_round_robin_of_the_level_players() -> None:
    for size in range(2, 8):
        players = tuple(range(1, size + 1))
        series = TiebreakerSeries(players)
        pairs = [frozenset(pair) for index in range(series.total) for pair in series.pairs(index)]
        assert sorted(pairs, key=sorted) == sorted(
            map(frozenset, combinations(players, 2)), key=sorted
        )
        assert series.pairs(series.total) == ()


def test_several_sets_play_in_one_round_with_numbers_of_their_own():
    state = one_group(5, 2)
    made = next_tiebreaker_round(state, [(1, 2), (3, 4, 5)])
    assert [two_seats(pairing.seats, None) for pairing in made] == [(1, 2), (3, 4)]
    first = next_tiebreaker_round(state, [(1, 2)])
    assert [pairing.number for pairing in made] == [first[0].number, first[0].number + 1]


def test_nobody_plays_in_two_sets_at_once():
    with pytest.raises(RuleError) as refused:
        next_tiebreaker_round(one_group(4, 2), [(1, 2), (2, 3)])
    assert refused.value.code == "sets_overlap"


def test_an_extra_match_with_a_struck_player_is_void() -> None:
    state = strike_player(play_out(one_group(3, 2), draws), 1)
    (pairing,) = next_tiebreaker_round(state, [(1, 2)])
    assert pairing.outcome == void_outcome(2)


def test_a_history_alone_separates_nobody_by_extra_matches() -> None:
    level = (1, 2)
    split = tiebreaker_by_key("extra_match").split(History(players=level, results=()), level)
    assert (split.classes, split.figures) == ((level,), {})


def test_lots_and_extra_matches_that_were_asked_for_are_listed() -> None:
    state = play_out(one_group(2, 1), draws)
    assert sets_decided_by_draw(decide(state).standings["A"]) == ((1, 2),)
    decided = with_extra(state, (1, 2), higher)
    assert sets_decided_by_draw(decide(decided).standings["A"]) == ((1, 2),)
    assert sets_decided_by_draw(decide(play_out(one_group(2, 1), lower_wins)).standings["A"]) == ()


@st.composite
def played_stages(draw) -> StageState:
    """Return a finished stage of two groups with many ties."""
    sizes = draw(st.tuples(st.integers(2, 5), st.integers(2, 5)))
    state = groups(
        (
            RankPlace(name="A1", group="A", rank=1),
            RankPlace(name="B1", group="B", rank=1),
            ComparedRankPlace(name="R1", rank=2, groups=("A", "B"), nth=1),
        ),
        sizes,
    )
    outcomes = st.sampled_from((Winner.A, Winner.DRAW, Winner.B))
    while True:
        made = add_round(
            state, lambda p: two_player_result(*p.seats, winner=draw(outcomes), score=(1, 1))
        )
        if not made.rounds[-1]:
            return state
        state = made


@given(state=played_stages(), data=st.data())
def test_nothing_changes_outside_the_tied_set(state: StageState, data: st.DataObject) -> None:
    before = decide(state)
    tables = [*before.standings.values(), *before.compared.values()]
    tied = [level for table in tables for level in table.tied]
    if not tied:
        return
    level = data.draw(st.sampled_from(tied))
    strength = {player: data.draw(st.integers(0, 9)) for player in level}
    played = state
    for _round in range(TiebreakerSeries(level).total):
        played = with_extra(
            played, level, lambda a, b: strength[a] > strength[b or a] or int(a) > int(b or 0)
        )
    after = decide(played)
    for name, table in before.standings.items():
        mine, now = set(level), after.standings[name]
        if not mine & {row.player for row in table.rows}:
            assert now == table
            continue
        others = [row for row in table.rows if row.player not in mine]
        assert [row for row in now.rows if row.player not in mine] == others
        kept = {row.player: (row.played, row.won, row.values) for row in table.rows}
        assert {row.player: (row.played, row.won, row.values) for row in now.rows} == kept
        ranks = sorted(row.rank for row in table.rows if row.player in mine)
        for row in now.rows:
            if row.player in mine and ranks:
                assert ranks[0] <= row.rank < ranks[0] + len(ranks)
    # Who won more of the extra matches is never behind.
    won = TiebreakerSeries(level, played.tiebreaker_rounds).split(level)
    assert won is not None
    assert sorted(map(int, sum(won.classes, ()))) == sorted(map(int, level))
    homes = zip(tables, [*after.standings.values(), *after.compared.values()], strict=False)
    at = {row.player: row.rank for was, now in homes if level in was.tied for row in now.rows}
    for a, b in combinations(level, 2):
        if won.figures[a] != won.figures[b]:
            assert (won.figures[a] > won.figures[b]) == (at[a] < at[b])
