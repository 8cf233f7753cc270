"""First stages without lots: what is shared, and whether it matters (pending.json)."""

from typing import Any

import pytest

from rules.formulas import FORMULAS
from rules.results import Points
from rules.ties.decisions import group_histories, rank_across_groups_with_decisions, tied_classes
from tests.golden.tables import PENDING
from tests.golden.test_formula import judge_of
from tests.rules.play import PlayedEvent, play_out

GOLDEN = PENDING
COVERS = {
    ("rules", f"pending {case['id']}{part}")
    for case in GOLDEN["cases"]
    for part in ("", " thirds", " closing")
}


def played(case: dict[str, Any]) -> PlayedEvent:
    plan = FORMULAS.get("mutant-chronicles").plan(12, {"legs": [case["legs"], 1, 1]})
    seated = {
        place: player
        for group in plan.stages[0].groups
        for place, player in zip(group.seats, case["groups"][group.name], strict=True)
    }
    event = PlayedEvent(
        plan,
        [seated[f"S{number}"] for number in range(1, 13)],
        criteria=tuple(GOLDEN["criteria"]),
        points=Points(**GOLDEN["points"]),
    )
    rounds = max(match["round"] for table in case["tables"] for match in table["matches"])
    matches = [
        match
        for number in range(1, rounds + 1)
        for table in case["tables"]
        for match in table["matches"]
        if match["round"] == number
    ]
    event.state = play_out(event.state, judge_of(matches))
    return event


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_only_ties_that_matter_stop_the_stage(case: dict[str, Any]) -> None:
    event = played(case)
    decided = event.outcome
    needed = {frozenset(tied) for tied in decided.lots_needed}
    for table in case["tables"]:
        assert [list(tied) for tied in decided.standings[table["name"]].tied] == table["tied"]
    for shared in case["shared"]:
        assert (frozenset(shared["players"]) in needed) is shared["advancement_depends"]
    assert (not needed) is case["can_close"]


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_thirds_of_groups_are_level_as_published(case: dict[str, Any]) -> None:
    event = played(case)
    decided = event.outcome
    histories = group_histories(event.state, event.points, {})
    third = {name: standings.rows[2].player for name, standings in decided.standings.items()}
    compared = rank_across_groups_with_decisions(
        [(player, histories[name]) for name, player in third.items()], event.criteria, ()
    )
    level = [
        sorted(name for name, player in third.items() if player in tied)
        for tied in tied_classes(compared)
        if len(tied) > 1
    ]
    assert level == case["thirds_of_groups_level"]
