"""No criterion looks at seats, sides or order, and a better result never costs a place.

A criterion that looks at opponents says why a win can cost; after points it never does.
"""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.criteria import CRITERIA
from rules.criteria.base import Criterion
from rules.results import PlayerId, Result, Winner
from rules.standings.table import Standings, rank
from tests.effort import examples
from tests.rules.play import judged
from tests.strategies import Played, groups, stages

EVERY = pytest.mark.parametrize("criterion", list(CRITERIA), ids=lambda item: item.key)


def ranks(standings: Standings) -> dict[PlayerId, int]:
    return {row.player: row.rank for row in standings.rows}


def reversed_sides(result: Result) -> Result:
    """Return a result told by the other side."""
    if len(result.seats) == 1:
        return result
    outcome = result.outcome
    turned = outcome and replace(
        outcome,
        places=outcome.places[::-1],
        score=outcome.score and outcome.score[::-1],
        games_won=outcome.games_won and (*outcome.games_won[1::-1], outcome.games_won[2]),
    )
    return replace(result, seats=result.seats[::-1], outcome=turned)


def won(result: Result) -> Result:
    """Return the result with a as the winner, by the same number of games the other way."""
    high, low = max(result.score or (1, 0)), min(result.score or (1, 0))
    score = (high, low) if high > low else (high + 1, low)
    return judged(result, Winner.A, score=score, games=(*score, 0))


def test_only_those_that_look_elsewhere_say_that_a_win_can_cost() -> None:
    costly = {criterion.key for criterion in CRITERIA if criterion.win_can_cost}
    assert costly >= {"opponents_points", "sonneborn_berger", "head_to_head_uefa"}
    assert not costly & {"points", "wins", "score_for", "score_difference", "head_to_head", "lots"}


@EVERY
@examples(0.3)
@given(played=stages(), chosen=st.sets(st.integers(0, 20)))
def test_sides_of_matches_do_not_matter(
    criterion: Criterion, played: Played, chosen: set[int]
) -> None:
    turned = [
        reversed_sides(result) if at in chosen else result
        for at, result in enumerate(played.results)
    ]
    keys = ["points", criterion.key]
    before = rank(players=played.players, results=played.results, criteria=keys)
    assert ranks(rank(players=played.players, results=turned, criteria=keys)) == ranks(before)


@EVERY
@examples(0.3)
@given(played=stages(), chance=st.randoms(use_true_random=False))
def test_the_order_in_which_players_are_named_changes_nothing(
    criterion: Criterion, played: Played, chance: object
) -> None:
    named = list(played.players)
    chance.shuffle(named)  # type: ignore[attr-defined]
    before = rank(players=played.players, results=played.results, criteria=[criterion.key])
    after = rank(players=named, results=played.results, criteria=[criterion.key])
    assert ranks(after) == ranks(before)
    assert {frozenset(level) for level in after.tied} == {frozenset(t) for t in before.tied}


@EVERY
@examples(0.6)
@given(played=groups(), at=st.integers(0, 50))
def test_a_win_in_place_of_a_loss_never_costs_a_place(
    criterion: Criterion, played: Played, at: int
) -> None:
    at %= len(played.results)
    result = played.results[at]
    assume(result.winner is Winner.B or result.winner is Winner.DRAW)
    better = [*played.results[:at], won(result), *played.results[at + 1 :]]
    keys = ["points", criterion.key] if criterion.win_can_cost else [criterion.key]
    before = ranks(rank(players=played.players, results=played.results, criteria=keys))
    after = ranks(rank(players=played.players, results=better, criteria=keys))
    assert after[result.seats[0]] <= before[result.seats[0]]


@EVERY
@examples(0.3)
@given(played=stages())
def test_what_is_separated_stays_separated_by_further_criteria(
    criterion: Criterion, played: Played
) -> None:
    short = ranks(rank(players=played.players, results=played.results, criteria=[criterion.key]))
    longer = ranks(
        rank(players=played.players, results=played.results, criteria=[criterion.key, "score_for"])
    )
    for one in played.players:
        for other in played.players:
            if short[one] < short[other]:
                assert longer[one] < longer[other]
