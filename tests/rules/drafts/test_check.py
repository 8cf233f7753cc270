"""Checks of drafted rounds, of two and of tables, and pairings by rank."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drafts import draft as module
from rules.drafts.check import draft_remarks, unpaired_players
from rules.drafts.draft import (
    DraftMatch,
    PairingPreferences,
    Severity,
    paired_players,
    ranked_pairings,
)
from rules.formulas import FORMULAS
from rules.formulas.base import DefaultGames
from rules.results import MatchEnding, Winner, two_player_result
from rules.stages import STAGE_KINDS
from rules.stages.base import Pairing, StageState
from rules.swiss.lineup import Entrant
from tests.rules.play import judged, open_result


def stage(players: int, rounds=(), **more) -> StageState:
    """Return a Swiss stage of players 1, 2, 3 … ; rounds as ((a, b) …), a being the winner."""
    plan = FORMULAS.get("swiss-cut").plan(
        players, {"rounds": 5, "cut": 0}, DefaultGames(match=1, final=1)
    )
    (group,) = plan.stages[0].groups
    played = tuple(
        tuple(
            (
                Pairing(group=group.name, number=number, seats=(a, b) if b else (a,)),
                two_player_result(
                    a=a,
                    b=b,
                    winner=Winner.A,
                    ended_by=MatchEnding.PLAYED if b else MatchEnding.BYE,
                ),
            )
            for number, (a, b) in enumerate(pairs, start=1)
        )
        for pairs in rounds
    )
    return StageState(
        plan=plan.stages[0],
        seats={group.name: tuple(range(1, players + 1))},
        rounds=played,
        seed="seed",
        **more,
    )


def draft(*pairs, tables=True):
    return tuple(
        DraftMatch(number=n, seats=(a,) if b is None else (a, b), table=n if b and tables else None)
        for n, (a, b) in enumerate(pairs, start=1)
    )


def told(state, tables, *, apart=(), clubs=None, fixed=None, not_checked_in=()):
    wishes = PairingPreferences(
        apart=frozenset(map(frozenset, apart)),
        clubs=clubs or {},
        fixed=fixed or {},
        not_checked_in=frozenset(not_checked_in),
    )
    return [
        (r.code, r.weight, r.players, str(r.sentence)) for r in draft_remarks(state, tables, wishes)
    ]


def test_a_draft_of_the_engine_has_nothing_to_note():
    for seed in range(20):
        chance = random.Random(seed)
        state = replace(stage(11), seed=str(seed))
        for _round in range(4):
            pairings = STAGE_KINDS.get("swiss").next_round(state)
            tables = tuple(
                DraftMatch(number=p.number, seats=p.seats, table=n if len(p.seats) == 2 else None)
                for n, p in enumerate(pairings, start=1)
            )
            assert told(state, tables) == []
            played = tuple(
                (p, open_result(p, 0))
                if p.outcome
                else (p, two_player_result(*p.seats, winner=Winner(chance.choice("ab"))))
                for p in pairings
            )
            state = replace(state, rounds=(*state.rounds, played))


def test_a_rematch_is_reported_with_its_round():
    state = stage(4, [[(1, 2), (3, 4)]])
    found = told(state, draft((1, 2), (3, 4)))
    assert ("rematch", Severity.WARNING, (1, 2), "Already met.") in found


def test_a_second_bye_while_somebody_had_none_and_when_everybody_had_one():
    state = stage(3, [[(1, 2), (3, None)]])
    (found,) = [line for line in told(state, draft((1, 2), (3, None))) if line[0] == "second_bye"]
    assert found[1:] == (Severity.WARNING, (3,), "Already had a bye.")
    all_had = stage(3, [[(1, 2), (3, None)], [(1, 3), (2, None)], [(2, 3), (1, None)]])
    (found,) = [line for line in told(all_had, draft((1, 2), (3, None))) if line[0] == "second_bye"]
    assert found[1] is Severity.NOTE


def test_who_was_not_seen_is_named():
    unseen = told(stage(4), draft((1, 2), (3, 4)), not_checked_in=[2, 3, 9])
    assert [line[:3] for line in unseen] == [
        ("not_seen", Severity.WARNING, (2,)),
        ("not_seen", Severity.WARNING, (3,)),
    ]
    state = stage(4, [[(1, 2), (3, 4)]])
    (pairing, result), other = state.rounds[0]
    missed = judged(result, Winner.A, MatchEnding.NO_SHOW)
    state = replace(state, rounds=(((pairing, missed), other),))
    pairs = draft((1, 3), (2, 4))
    assert [line[:3] for line in told(state, pairs)] == [("absent", Severity.WARNING, (2,))]
    assert told(replace(state, withdrawn=frozenset({2})), draft((1, 3), (4, None))) == []


def test_clubs_and_pairs_kept_apart():
    pairs = draft((1, 2), (3, 4))
    clubs = {1: "Aquila", 2: "aquila ", 3: "", 4: ""}
    found = told(stage(4), pairs, apart=[(1, 2), (3, 4)], clubs=clubs)
    assert [line[0] for line in found] == ["same_club", "kept_apart"]
    assert found[0][3] == "Same club: Aquila."
    assert told(stage(4), pairs, clubs=clubs) == []  # clubs are not kept apart in this event


def test_points_further_apart_than_needed():
    state = stage(4, [[(1, 2), (3, 4)]])
    found = told(state, draft((1, 4), (3, 2)))
    assert [line[0] for line in found] == ["difference", "difference"]
    assert found[0][3] == "Point difference: 3 (best possible: 0)."


def test_only_the_matches_further_apart_than_needed_are_named():
    state = stage(8, [[(1, 2), (3, 4), (5, 6), (7, 8)]])
    found = told(state, draft((1, 3), (2, 4), (5, 8), (7, 6)))
    assert [(line[0], line[2]) for line in found] == [
        ("difference", (5, 8)),
        ("difference", (7, 6)),
    ]


def test_a_forced_difference_is_nothing_to_note():
    state = stage(4, [[(1, 2), (3, 4)], [(1, 3), (2, 4)]])
    assert told(state, draft((1, 4), (3, 2))) == []


def test_fixed_tables_that_were_not_given():
    found = told(stage(4), draft((1, 2), (3, 4)), fixed={4: 1, 1: 1})
    assert found == [("fixed_table", Severity.WARNING, (4,), "Needs table 1.")]
    assert told(stage(3), draft((1, 2), (3, None)), fixed={3: 1}) == []


def test_players_seated_twice_or_nowhere_are_reported_first():
    state = stage(5)
    found = told(state, draft((1, 2), (2, 3)), fixed={1: 7})
    assert [line[0] for line in found][:3] == ["twice", "unpaired", "unpaired"]
    assert [line[2] for line in found][:3] == [(2,), (4,), (5,)]
    assert unpaired_players(state, draft((1, 2), (2, 3))) == (4, 5)
    assert unpaired_players(replace(state, withdrawn=frozenset({4})), draft((1, 2))) == (3, 5)


def test_withdrawn_and_missing_players_and_surplus_byes_are_reported():
    state = stage(6, withdrawn=frozenset({1}))
    missed = DraftMatch(number=4, seats=(6,), missed=True)
    pairs = (*draft((1, 2), (3, 4), (5, None)), missed)
    assert [line[0] for line in told(state, pairs)] == ["left", "missed"]
    found = told(stage(4), draft((1, 2), (3, None), (4, None)))
    assert [(line[0], line[2]) for line in found] == [("byes", (3, 4))]


@pytest.mark.parametrize("formula", ["single-group", "single-elimination"])
def test_schedule_and_bracket_are_left_alone(formula):
    plan = FORMULAS.get(formula).plan(4, {}, DefaultGames(match=1, final=1)).stages[0]
    state = StageState(
        plan=plan, seats={plan.groups[0].name: (1, 2, 3, 4)}, withdrawn=frozenset({2})
    )
    found = told(state, draft((1, 2), (3, 4)), apart=[(1, 2)], fixed={3: 9})
    assert [line[0] for line in found] == ["fixed_table", "left"]


def test_an_awarded_bye_is_no_fault_and_its_lack_is():
    state = stage(6)
    state = replace(state, plan=replace(state.plan, byes=((1, 1), (2, 1))))
    assert told(state, draft((3, 4), (5, 6), (1, None), (2, None))) == []
    (found,) = told(state, draft((1, 3), (4, 5), (2, None), (6, None)))
    assert found[:3] == ("awarded_bye", Severity.WARNING, (1,))


def all_pairings(players):
    """Yield every way to pair players, one of them resting if their number is odd."""
    if len(players) % 2:
        for resting in players:
            rest = tuple(one for one in players if one != resting)
            yield from ([frozenset({resting}), *others] for others in all_pairings(rest))
    elif not players:
        yield []
    else:
        first, *others = players
        for other in others:
            rest = tuple(one for one in others if one != other)
            yield from ([frozenset({first, other}), *more] for more in all_pairings(rest))


@given(st.lists(st.integers(0, 4), min_size=2, max_size=7), st.data())
def test_all_that_break_no_rule_are_found_in_order(points, data):
    number = st.integers(0, len(points) - 1)
    met = data.draw(st.sets(st.frozensets(number, min_size=2, max_size=2), max_size=4))
    players = [
        Entrant(
            player=one,
            points=own,
            met=frozenset(other for pair in met if one in pair for other in pair - {one}),
        )
        for one, own in enumerate(points)
    ]
    found = [frozenset(map(paired_players, each)) for each in ranked_pairings(players, seed="x")]
    assert len(set(found)) == len(found)
    allowed = {
        frozenset(each) for each in all_pairings(tuple(range(len(points)))) if not met & set(each)
    }
    if allowed:
        assert set(found) == allowed
        if len(points) % 2 == 0:
            spreads = [sum((points[min(p)] - points[max(p)]) ** 2 for p in each) for each in found]
            assert spreads == sorted(spreads)


def test_it_ends_after_so_many_pairings_solved(monkeypatch):
    players = [Entrant(player=one, points=0) for one in range(6)]
    assert len(list(ranked_pairings(players, seed="x"))) == 15
    monkeypatch.setattr(module, "MOST_SOLVED", 2)
    assert 1 <= len(list(ranked_pairings(players, seed="x"))) <= 3
