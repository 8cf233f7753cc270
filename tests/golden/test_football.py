"""Official tables of football, ordered by the criteria of that edition (standings/football-*)."""

from typing import Any

import pytest

from rules.history.group_history import History
from rules.standings.rank_document import RankArguments, parse_rank_document
from rules.standings.table import rank, rank_across_groups
from tests.golden.tables import tables

EDITIONS = tables("football-*")
WITH_THIRDS = {name: edition for name, edition in EDITIONS.items() if edition["thirds_through"]}
COVERS = {
    *(
        ("rules", f"{name} {letter}")
        for name, found in EDITIONS.items()
        for letter in found["groups"]
    ),
    *(("rules", f"{name} thirds") for name in WITH_THIRDS),
}


def arguments_of(edition: dict[str, Any], group: dict[str, Any]) -> RankArguments:
    return parse_rank_document(
        {**group, "points": edition["points"], "criteria": edition["criteria"]}
    )


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_groups_are_ordered_officially(edition: dict[str, Any]) -> None:
    for group in edition["groups"].values():
        standings = rank(**arguments_of(edition, group))
        rows = [(row.rank, row.player, row.placed_by, row.won, row.drawn) for row in standings.rows]
        assert rows == [
            (row["rank"], row["player"], row["placed_by"], row["won"], row["drawn"])
            for row in group["table"]
        ]
        assert [list(level) for level in standings.tied] == group["tied"]


@pytest.mark.parametrize("edition", WITH_THIRDS.values(), ids=WITH_THIRDS)
def test_the_best_thirds_go_through(edition: dict[str, Any]) -> None:
    candidates = []
    for group in edition["groups"].values():
        arguments = arguments_of(edition, group)
        history = History(
            players=arguments["players"],
            results=arguments["results"],
            points=arguments["points"],
            penalties=arguments["penalties"],
        )
        candidates.append((rank(**arguments).rows[2].player, history))
    compared = rank_across_groups(candidates=candidates, criteria=edition["across_criteria"])
    assert [[row.player] for row in compared.rows] == edition["thirds"]["ranking"]
    assert [row.placed_by for row in compared.rows] == edition["thirds"]["placed_by"]
    through = {row.player for row in compared.rows[: edition["thirds_through"]]}
    assert through == set(edition["thirds"]["through"])
