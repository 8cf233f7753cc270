"""Double eliminations, by hand and at random."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.brackets import BracketPart, knockout_rounds
from rules.errors import RuleError
from rules.formulas import FORMULAS
from rules.results import BYE, MatchEnding, PlayerId, Result, Winner, outcome_by_winner, two_seats
from rules.stages.base import Pairing, StageState, bracket_matches, is_complete
from rules.stages.double_elimination import DOUBLE_ELIMINATION, part_label, round_label
from rules.stages.knockout import remaining_players
from tests.effort import examples
from tests.rules.brackets.test_brackets import earliest_rematch
from tests.rules.play import add_round, lower_wins, one_group, play_out
from tests.rules.stages.played_brackets import both_lose, decided, double, met, names, ranking, won


def test_eight_players_where_the_better_seed_always_wins() -> None:
    state = play_out(double(8), lower_wins)
    assert met(state) == [
        [(1, 8), (4, 5), (2, 7), (3, 6)],
        [(1, 4), (2, 3), (8, 5), (7, 6)],
        [(3, 5), (4, 6)],
        [(1, 2), (3, 4)],
        [(2, 3)],
        [(1, 2)],
    ]
    assert ranking(state) == [[1], [2], [3], [4], [5, 6], [7, 8]]
    assert decided(state).places == {"W14": 1, "L14": 2, "L13": 3, "L12": 4}


def test_five_players_rest_where_they_would_have_no_opponent() -> None:
    state = play_out(double(5), lower_wins)
    assert met(state) == [
        [(1, None), (4, 5), (2, None), (3, None)],
        [(1, 4), (2, 3)],
        [(3, 5)],
        [(1, 2), (3, 4)],
        [(2, 3)],
        [(1, 2)],
    ]
    assert ranking(state) == [[1], [2], [3], [4], [5]]


def test_twelve_players_share_ranks_from_the_fifth_on() -> None:
    state = play_out(double(12), lower_wins)
    assert [len(level) for level in ranking(state)] == [1, 1, 1, 1, 2, 2, 4]


def test_rounds_are_called_by_the_brackets_in_them() -> None:
    assert names(double(8)) == [
        "Upper bracket, round 1",
        "Upper bracket, semi-finals · Lower bracket, round 1",
        "Lower bracket, round 2",
        "Upper bracket, final · Lower bracket, semi-final",
        "Lower bracket, final",
        "Grand final",
        "Grand final, second match",
    ]
    state = play_out(double(8), lower_wins)
    assert names(state)[-1] == "Grand final"


def test_a_lower_round_that_nobody_needs_is_not_counted() -> None:
    assert names(double(6)) == [
        "Upper bracket, round 1",
        "Upper bracket, semi-finals",
        "Lower bracket, round 1",
        "Upper bracket, final · Lower bracket, semi-final",
        "Lower bracket, final",
        "Grand final",
        "Grand final, second match",
    ]


@pytest.mark.parametrize("second", [3, 1])
def test_the_lower_bracket_winner_must_win_twice(second: int) -> None:
    """Number 3 comes from the lower bracket and wins the first of the two."""
    state = double(3)
    for winner in (2, 1, 3, 3):
        state = add_round(state, lambda pairing, w=winner: won(pairing, w))
    assert met(state)[-1] == [(1, 3)]
    assert not is_complete(state)
    (again,) = DOUBLE_ELIMINATION.next_round(state)
    assert (*two_seats(again.seats, None), again.number) == (1, 3, 7)
    assert str(DOUBLE_ELIMINATION.describe_round(state, 5)) == "Grand final, second match"
    state = add_round(state, lambda pairing: won(pairing, second))
    assert is_complete(state)
    assert ranking(state) == [[second], [4 - second], [2]]
    assert decided(state).places == {"W6": second, "L6": 4 - second, "L5": 2}


def test_one_final_may_be_enough() -> None:
    state = double(3, second_final=False)
    for winner in (2, 1, 3, 3):
        state = add_round(state, lambda pairing, w=winner: won(pairing, w))
    assert is_complete(state)
    assert ranking(state) == [[3], [1], [2]]
    assert DOUBLE_ELIMINATION.total_rounds(state) == 4


def test_games_differ_by_bracket() -> None:
    options = {"best_of": [7, 5, 3, 1]}
    (stage,) = FORMULAS.get("double-elimination").plan(8, options).stages
    state = play_out(one_group(range(1, 9), stage), lower_wins)
    assert [[p.best_of for p, _r in played] for played in state.rounds] == [
        *([3, 3, 3, 3], [3, 3, 1, 1], [1, 1], [5, 1], [5], [7])
    ]
    assert not any(pairing.draws for played in state.rounds for pairing, _r in played)


def test_after_a_double_loss_the_next_ones_go_through() -> None:
    """2 and 3 are both out: 1 has won the upper bracket, 4 the lower one without a match."""
    state = add_round(double(4), lambda p: both_lose(p) if p.number == 2 else won(p, 1))
    (final,) = DOUBLE_ELIMINATION.next_round(state)
    assert (*two_seats(final.seats, None), final.number) == (1, 4, 6)
    assert names(state)[1:] == ["Grand final", "Grand final, second match"]
    state = add_round(state, lower_wins)
    assert ranking(state) == [[1], [4], [2, 3]]
    assert decided(state).places == {"W6": 1, "L6": 4}


def test_the_upper_bracket_winner_wins_if_the_lower_bracket_is_empty() -> None:
    state = add_round(add_round(double(4), lower_wins), lower_wins)
    state = add_round(state, both_lose)
    assert is_complete(state)
    assert ranking(state) == [[1], [2, 3], [4]]
    assert decided(state).places == {"W6": 1, "L4": 4}


def test_a_round_without_any_match_is_passed_over() -> None:
    """In the lower bracket both first matches are lost by both: its next round has nobody."""
    state = add_round(double(8), lower_wins)
    state = add_round(state, lambda p: both_lose(p) if p.number in (7, 8) else lower_wins(p))
    (upper, lower) = DOUBLE_ELIMINATION.next_round(state)
    assert (*two_seats(upper.seats, None), *two_seats(lower.seats, None)) == (1, 2, 3, 4)
    assert DOUBLE_ELIMINATION.total_rounds(state) == 6


def test_nobody_is_left_when_all_lose() -> None:
    state = add_round(double(4), both_lose)
    assert DOUBLE_ELIMINATION.next_round(state) == ()
    assert DOUBLE_ELIMINATION.total_rounds(state) == 1
    assert ranking(state) == [[1, 2, 3, 4]]


def test_a_withdrawn_player_forfeits_each_match_they_reach() -> None:
    state = replace(add_round(double(4), lower_wins), withdrawn=frozenset({1}))
    final, _lower = DOUBLE_ELIMINATION.next_round(state)
    assert final.seats == (1, 2)
    assert final.outcome == outcome_by_winner(Winner.B, MatchEnding.CONCESSION)
    state = play_out(state, lower_wins)
    assert ranking(state)[0] == [2]


def test_an_empty_seat_is_a_bye() -> None:
    state = replace(double(4), seats={"double": (None, 2, 3, 4)})
    first, _second = DOUBLE_ELIMINATION.next_round(state)
    assert (first.seats, first.outcome) == ((4,), BYE)
    state = play_out(state, lower_wins)
    assert ranking(state) == [[2], [3], [4]]


def test_the_next_round_needs_the_results() -> None:
    with pytest.raises(RuleError) as refusal:
        DOUBLE_ELIMINATION.next_round(add_round(double(4)))
    assert refusal.value.code == "results_missing"


def test_only_eliminated_players_are_ranked_while_it_runs() -> None:
    state = add_round(add_round(double(8), lower_wins), lower_wins)
    assert ranking(state) == [[7, 8]]
    state = add_round(state, lower_wins)
    assert ranking(state) == [[5, 6], [7, 8]]


def test_a_result_corrected_later_leaves_no_match_out_of_order() -> None:
    """1 beat 4; where 4 had won, the rounds made since would have been others."""
    state = play_out(double(4), lower_wins)
    first = tuple((p, won(p, 4)) if p.number == 1 else (p, r) for p, r in state.rounds[0])
    changed = replace(state, rounds=(first, *state.rounds[1:]))
    again = replace(changed, rounds=changed.rounds[:1])
    assert [two_seats(p.seats, None) for p in DOUBLE_ELIMINATION.next_round(again)] == [
        (4, 2),
        (1, 3),
    ]
    assert DOUBLE_ELIMINATION.next_round(changed) == ()


def test_who_plays_on_after_a_correction_is_not_seated_as_the_loser_too() -> None:
    """3 beat 6 and played on; then 6 had won: 6, not 3, has the seat of the loser."""
    state = add_round(add_round(double(7), lower_wins), lower_wins)
    (match,) = (p for p, _r in state.rounds[0] if set(p.seats) == {3, 6})
    first = tuple((p, won(p, 6)) if p == match else (p, r) for p, r in state.rounds[0])
    corrected = replace(state, rounds=(first, *state.rounds[1:]))
    assert DOUBLE_ELIMINATION.next_round(corrected) == DOUBLE_ELIMINATION.next_round(state)


@given(players=st.integers(3, 12), random=st.randoms(use_true_random=False))
def test_nobody_is_seated_twice_however_results_are_corrected(players: int, random: Random) -> None:
    """Rounds that were made stand; any earlier result may become another."""

    def judge(pairing: Pairing) -> Result:
        return won(pairing, random.choice(pairing.seats))

    state = double(players)
    while pairings := DOUBLE_ELIMINATION.next_round(state):
        seated = Counter(player for pairing in pairings for player in pairing.seats)
        assert set(seated.values()) == {1}
        state = add_round(state, judge)
        state = replace(
            state,
            rounds=tuple(
                tuple(
                    (p, judge(p) if len(p.seats) == 2 and random.random() < 0.2 else r)
                    for p, r in played
                )
                for played in state.rounds
            ),
        )
    assert is_complete(state)


def test_a_match_that_was_never_made_sends_nobody_on() -> None:
    """Both lost in match 2, the round after was made, and then the result was corrected."""
    state = add_round(double(8), lambda p: both_lose(p) if p.number == 2 else lower_wins(p))
    state = add_round(state, lower_wins)
    corrected = tuple((p, won(p, 4)) if p.number == 2 else (p, r) for p, r in state.rounds[0])
    changed = replace(state, rounds=(corrected, *state.rounds[1:]))
    seated = {
        p for pair in DOUBLE_ELIMINATION.next_round(changed) for p in two_seats(pair.seats, None)
    }
    assert 4 not in seated
    assert DOUBLE_ELIMINATION.total_rounds(play_out(changed, lower_wins)) <= 7


def test_matches_to_come_count_those_whose_results_are_missing() -> None:
    state = add_round(double(4))
    assert DOUBLE_ELIMINATION.total_rounds(state) == 5
    assert remaining_players(state) == {1, 2, 3, 4}


def test_the_winner_stays_in_at_the_end() -> None:
    state = double(4)
    remaining = []
    while DOUBLE_ELIMINATION.next_round(state):
        state = add_round(state, lower_wins)
        remaining.append(set(remaining_players(state)))
    assert remaining == [{1, 2, 3, 4}, {1, 2, 3}, {1, 2}, {1}]


def test_matches_are_called_by_their_bracket_and_round() -> None:
    plan = double(4).plan
    assert [
        (str(round_label(plan, match)), str(part_label(match))) for match in bracket_matches(plan)
    ] == [
        *[("Upper bracket, semi-finals", "Upper bracket")] * 2,
        ("Upper bracket, final", "Upper bracket"),
        ("Lower bracket, semi-final", "Lower bracket"),
        ("Lower bracket, final", "Lower bracket"),
        *[(name, name) for name in ("Grand final", "Grand final, second match")],
    ]


def test_the_games_of_four_parts_are_asked_for() -> None:
    assert [str(part) for part in DOUBLE_ELIMINATION.game_parts(1)] == [
        "Grand final",
        "Finals of the two brackets",
        "Upper bracket",
        "Lower bracket",
    ]


def test_a_stage_without_time_limit_says_so() -> None:
    plan = double(4).plan
    untimed = replace(plan, timed=False)
    timed, told = (
        [str(each) for each in DOUBLE_ELIMINATION.describe(one, 5)]
        for one in (replace(plan, timed=True), untimed)
    )
    assert told == [*timed, "No time limit"]


sizes = st.integers(2, 33)
chance = st.randoms(use_true_random=False)


def part_of(state: StageState, pairing: Pairing) -> BracketPart | None:
    return next(m.part for m in bracket_matches(state.plan) if m.number == pairing.number)


def at_random(random: Random, pairing: Pairing) -> Result:
    return won(pairing, random.choice(pairing.seats))


@given(size=sizes, random=chance, second_final=st.booleans())
@examples(1.5)
def test_everybody_loses_twice_but_the_winner(
    size: int, random: Random, second_final: bool
) -> None:
    state = play_out(
        double(size, second_final=second_final), lambda pairing: at_random(random, pairing)
    )
    matches = [(p, r) for played in state.rounds for p, r in played if len(p.seats) == 2]
    lost = Counter(r.seats[-1] if r.winner is Winner.A else r.seats[0] for _p, r in matches)
    champion = decided(state).places[state.plan.places[0].name]
    again = any(part_of(state, pairing) is BracketPart.AGAIN for pairing, _r in matches)
    assert len(matches) == 2 * size - 2 + again
    assert len(state.rounds) == 2 * knockout_rounds(size) + again
    once_only = [player for player in state.players if lost[player] != 2]
    if second_final:
        assert once_only == [champion]
        assert lost[champion] == again
    else:
        assert max(lost.values()) <= 2
        assert len(once_only) <= 2


@given(size=sizes, random=chance)
@examples(1.5)
def test_nobody_meets_again_before_it_must_be(size: int, random: Random) -> None:
    state = play_out(double(size), lambda pairing: at_random(random, pairing))
    shape = {match.number: match for match in bracket_matches(state.plan)}
    seen: set[frozenset[PlayerId | None]] = set()
    for played in state.rounds:
        for pairing, _result in played:
            pair, match = frozenset(two_seats(pairing.seats, None)), shape[pairing.number]
            if match.part is BracketPart.LOWER and pair in seen:
                assert match.level >= earliest_rematch(knockout_rounds(size))
            seen.add(pair)


@given(size=sizes, random=chance)
@examples()
def test_ranks_are_a_total_partition_whatever_happens(size: int, random: Random) -> None:
    state = double(size)
    kind = DOUBLE_ELIMINATION
    while kind.next_round(state):
        state = add_round(
            state, lambda p: both_lose(p) if random.random() < 0.2 else at_random(random, p)
        )
        ranked = [player for level in ranking(state) for player in level]
        assert len(ranked) == len(set(ranked))
        if random.random() < 0.4:
            left = random.choice(state.players)
            state = replace(state, withdrawn=state.withdrawn | {left})
        seated = [
            p
            for played in state.rounds[-1:]
            for pair, _r in played
            for p in two_seats(pair.seats, None)
        ]
        real = [player for player in seated if player is not None]
        assert len(real) == len(set(real))
        if len(state.rounds) > 1:
            assert real == seated, "only the first round shows byes"
    assert kind.total_rounds(state) == len(state.rounds)
    assert sorted(player for level in ranking(state) for player in level) == [*range(1, size + 1)]
