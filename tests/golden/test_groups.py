"""Group stages and who advances from them (standings/groups.json)."""

from collections.abc import Collection
from typing import Any

import pytest

from rules.history.group_history import History
from rules.results import PlayerId
from rules.standings.rank_document import parse_rank_document, render_standings
from rules.standings.table import Standings, rank, rank_across_groups
from tests.golden.tables import cases, table

CASES = cases("groups")
POINTS = table("groups")["points"]
COVERS = {("rules", f"groups {case['id']}{part}") for case in CASES for part in ("", " advance")}


def ranked(case: dict[str, Any], group: dict[str, Any]) -> tuple[Standings, History]:
    lots = [player for player in case["lots"] if player in group["seats"]]
    arguments = parse_rank_document(
        {
            "points": POINTS,
            "criteria": case["criteria"],
            "players": group["seats"],
            "matches": group["matches"],
            "lots": lots,
        }
    )
    history = History(
        players=arguments["players"], results=arguments["results"], points=arguments["points"]
    )
    return rank(**arguments), history


def staying(standings: Standings, withdrawn: Collection[PlayerId]) -> list[PlayerId]:
    """Return who can advance, best first: who is withdrawn keeps the rank, the next moves up."""
    return [row.player for row in standings.rows if row.player not in withdrawn]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_each_groups_table_is_exactly_this(case: dict[str, Any]) -> None:
    for group in case["groups"]:
        standings, _history = ranked(case, group)
        assert render_standings(standings) == {
            "standings": group["standings"],
            "tied": group["tied"],
        }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_these_players_advance(case: dict[str, Any]) -> None:
    advance = case["advance"]
    groups = [ranked(case, group) for group in case["groups"]]
    left = [staying(standings, case["withdrawn"]) for standings, _history in groups]
    assert [players[:2] for players in left] == advance["first_two"]
    candidates = [
        (players[advance["place"] - 1], history)
        for players, (_standings, history) in zip(left, groups, strict=True)
        if len(players) >= advance["place"]
    ]
    compared = rank_across_groups(
        candidates=candidates, criteria=case["criteria"], lots=case["lots"]
    )
    classes: dict[int, list[PlayerId]] = {}
    for row in compared.rows:
        classes.setdefault(row.rank, []).append(row.player)
    assert list(classes.values()) == advance["compared"]["classes"]
    assert [row.placed_by for row in compared.rows] == advance["compared"]["why"]
    best = [row.player for row in compared.rows][: len(advance["best"])]
    assert best == advance["best"]
