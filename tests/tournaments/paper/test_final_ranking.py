"""The final ranking on paper: record and points beside each name."""

import pytest
from django.utils import timezone
from django.utils.translation import override

from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.paper.contents import tables

pytestmark = pytest.mark.django_db


def test_the_final_ranking_has_record_and_points(by):
    event = make.played(
        by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 2}, format="creatures-of-exo"
    )
    with override("en"):
        content = tables.standings(load_facts(event), timezone.now())
    ranking, swiss = content["tables"]
    assert ranking["caption"] == "Final ranking"
    assert (ranking["records"], ranking["columns"]) == (True, ["Pts"])
    told = {row["sorted"] + row["rest"]: (row["record"], row["values"][0]) for row in swiss["rows"]}
    for row in ranking["rows"]:
        assert (row["record"], *row["values"]) == told[row["sorted"] + row["rest"]]
