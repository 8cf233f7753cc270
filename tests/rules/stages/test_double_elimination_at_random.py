"""Double elimination played at random, for every size."""

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from rules.brackets import Part, rounds_of
from rules.results import PlayerId, Result, Winner, of_two
from rules.stages.base import Pairing, StageState
from rules.stages.double_elimination import DOUBLE_ELIMINATION
from rules.stages.kind import shape_of
from tests.effort import examples
from tests.rules.brackets.test_double_brackets import earliest_rematch
from tests.rules.play import add_round, play_out
from tests.rules.stages.played_brackets import both_lose, decided, double, ranking, won

sizes = st.integers(2, 33)
chance = st.randoms(use_true_random=False)


def part_of(state: StageState, pairing: Pairing) -> Part | None:
    return next(m.part for m in shape_of(state.plan) if m.number == pairing.number)


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
    again = any(part_of(state, pairing) is Part.AGAIN for pairing, _r in matches)
    assert len(matches) == 2 * size - 2 + again
    assert len(state.rounds) == 2 * rounds_of(size) + again
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
    shape = {match.number: match for match in shape_of(state.plan)}
    seen: set[frozenset[PlayerId | None]] = set()
    for played in state.rounds:
        for pairing, _result in played:
            pair, match = frozenset(of_two(pairing.seats, None)), shape[pairing.number]
            if match.part is Part.LOWER and pair in seen:
                assert match.level >= earliest_rematch(rounds_of(size))
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
            for p in of_two(pair.seats, None)
        ]
        real = [player for player in seated if player is not None]
        assert len(real) == len(set(real))
        if len(state.rounds) > 1:
            assert real == seated, "only the first round shows byes"
    assert kind.total_rounds(state) == len(state.rounds)
    assert sorted(player for level in ranking(state) for player in level) == [*range(1, size + 1)]
