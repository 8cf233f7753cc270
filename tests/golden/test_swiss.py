"""Swiss stages: byes, drops, late entries, incomplete mini-tables (standings/swiss.json)."""

from typing import Any

import pytest

from rules.standings.rank_document import parse_rank_document, render_standings
from rules.standings.table import rank
from tests.golden.tables import cases

COVERS = {("rules", f"swiss {case['id']}") for case in cases("swiss")}


@pytest.mark.parametrize("case", cases("swiss"), ids=lambda case: case["id"])
def test_the_standings_are_exactly_these(case: dict[str, Any]) -> None:
    assert render_standings(rank(**parse_rank_document(case["input"]))) == case["expected"]
