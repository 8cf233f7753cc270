"""Small tables worked out by hand (standings/hand-worked.json)."""

from typing import Any

import pytest

from rules.history.group_history import History
from rules.standings.rank_document import parse_rank_document, render_standings
from rules.standings.table import Standings, rank, rank_across_groups
from tests.golden.tables import cases, in_text, table

COVERS = {
    ("rules", f"hand-worked {case['id']}")
    for case in [*cases("hand-worked"), *table("hand-worked")["across"]]
}


@pytest.mark.parametrize("case", cases("hand-worked"), ids=lambda case: case["id"])
def test_the_table_is_the_one_worked_out(case: dict[str, Any]) -> None:
    answer = render_standings(rank(**parse_rank_document(case["input"])))
    assert sorted([row["rank"], row["player"]] for row in answer["standings"]) == sorted(
        case["expected"]
    )
    values = {row["player"]: in_text(row["values"]) for row in answer["standings"]}
    for player, expected in case.get("values", {}).items():
        assert in_text(expected).items() <= values[player].items()


def placed(case: dict[str, Any]) -> Standings:
    candidates = []
    for group in case["groups"]:
        arguments = parse_rank_document({**group, "criteria": case["criteria"]})
        standings = rank(**arguments)
        player = standings.rows[case["place"] - 1].player
        history = History(players=arguments["players"], results=arguments["results"])
        candidates.append((player, history))
    return rank_across_groups(candidates=candidates, criteria=case["criteria"], lots=case["lots"])


@pytest.mark.parametrize("case", table("hand-worked")["across"], ids=lambda case: case["id"])
def test_players_of_different_groups_are_compared(case: dict[str, Any]) -> None:
    compared = placed(case)
    assert [row.player for row in compared.rows][: case["k"]] == case["expected"]
    for row in compared.rows:
        expected = case["values"][row.player]
        assert expected.items() <= {key: int(value) for key, value in row.values.items()}.items()
