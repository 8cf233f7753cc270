"""Who holds the places of the start once the seeds are right."""

from dataclasses import replace

import pytest

from rules.corrections import NO_MATCH, PAIRED_FROM, corrected_holders
from rules.plans import FormulaPlan, GroupPlan, StagePlan
from rules.wording import Sentence
from tests.rules.corrections.test_followed import put, stage
from tests.rules.play import add_round, lower_wins


def plan(kind: str, *groups: tuple[str, ...]) -> FormulaPlan:
    named = zip("ABC", groups, strict=False)
    stage = StagePlan(
        key=kind,
        label=Sentence("Stage"),
        kind=kind,
        groups=tuple(GroupPlan(name=name, seats=seats) for name, seats in named),
    )
    return FormulaPlan(formula="own", players=sum(map(len, groups)), stages=(stage,))


def order(*players: int) -> dict[str, int]:
    return {f"S{place}": player for place, player in enumerate(players, start=1)}


def test_a_bracket_is_seated_exactly() -> None:
    knock_out = plan("knockout", ("S1", "S2", "S3", "S4"))
    changed = corrected_holders(knock_out, order(1, 2, 3, 4), order(4, 2, 1, 3))
    assert changed == {"S1": 4, "S3": 1, "S4": 3}


@pytest.mark.parametrize("kind", ["round_robin", "swiss"])
def test_where_all_are_in_one_group_nobody_moves(kind: str) -> None:
    one_group = plan(kind, ("S1", "S2", "S3", "S4"))
    assert corrected_holders(one_group, order(1, 2, 3, 4), order(4, 3, 2, 1)) == {}


def test_who_stays_in_a_group_keeps_the_seat() -> None:
    two_groups = plan("round_robin", ("S1", "S4"), ("S2", "S3"))
    right = order(4, 1, 3, 2)  # group A: 4 and 2, group B: 1 and 3
    assert corrected_holders(two_groups, order(1, 2, 3, 4), right) == {"S1": 2, "S2": 1}


def test_places_of_others_are_not_touched() -> None:
    swiss = plan("swiss", ("S1", "S2", "late 9"))
    assert corrected_holders(swiss, order(1, 2), order(2, 1)) == {}


def test_a_plan_keeps_who_holds_its_places() -> None:
    laid_out = plan("swiss", ("S1", "S2", "late 9"))
    assert laid_out.start_holders([5, 6]) == {"S1": 5, "S2": 6, "late 9": 9}
    moved = laid_out.with_holders({"S2": 7}).with_holders({"late 9": 8})
    assert moved.start_holders([5, 6]) == {"S1": 5, "S2": 7, "late 9": 8}
    assert FormulaPlan.from_json(moved.to_json()) == moved
    assert "holders" not in laid_out.to_json()


def test_a_last_swiss_round_passes_on_as_paired_by_hand() -> None:
    state = add_round(stage("swiss", 5), lower_wins)
    for new in range(6, 20):
        found = put(state, new, 2, 3, 4, 5, by_hand=True)
        assert found.why_not is None
        hands = [pairing.by_hand for pairing, _result in found.state.rounds[0]]
        assert hands.count(True) == 1


def test_what_later_rounds_were_paired_from_stays() -> None:
    state = add_round(add_round(stage("swiss", 4), lower_wins), lower_wins)
    assert put(state, 5, 2, 3, 4, by_hand=True).why_not is PAIRED_FROM


def test_who_had_left_before_a_swiss_round_leaves_no_match_to_take_over() -> None:
    state = add_round(replace(stage("swiss"), withdrawn=frozenset({1})))
    assert put(state, 5, 2, 3, 4, by_hand=True).why_not is NO_MATCH


def test_seats_in_one_swiss_group_change_no_match() -> None:
    state = add_round(stage("swiss"), lower_wins)
    found = put(state, 4, 3, 2, 1)
    assert (len(found.seats), found.matches, found.why_not) == (4, (), None)
