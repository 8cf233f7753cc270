"""Level players criterion by criterion: on the page, in the workbook and in the API alike."""

import pytest
from django.utils import translation

from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.exports.loading import load_source
from tournaments.exports.workbook import ties_table
from tournaments.standings.selectors.proofs import set_rows, stage_traces

pytestmark = pytest.mark.django_db


def drawn(match, index):
    """Return a draw of 20 each at every table."""
    return Claim(score=(20, 20))


@pytest.fixture
def level_event():
    """Return an event of four players who have drawn all their matches."""
    by = make.organiser()
    event = make.started(by, 4, formula="single-group", options={"final": 3})
    make.play_stage(event, by, drawn)
    return event


def test_page_workbook_and_api_tell_the_same(client, level_event) -> None:
    stage = load_facts(level_event).stages[0]
    (table,) = stage_traces(stage)
    (tied,) = table.sets
    told = [(step.criterion, step.separates, len(step.level)) for step in tied.steps]
    assert [criterion for criterion, _separates, _count in told] == level_event.criteria[1:]
    assert not any(separates for _criterion, separates, _count in told)

    (row,) = client.get(f"/api/v1/events/{level_event.slug}/tie-breaks/").json()
    assert row["players"] == list(tied.players)
    assert (row["group"], row["rank"], row["value"]) == ("A", None, [3])
    assert [
        (step["criterion"], step["separates"], len(step["players"])) for step in row["steps"]
    ] == told
    assert row["steps"][0]["values"] == {str(player): [9] for player in tied.players}
    assert row["steps"][-1]["values"] == {}

    lines = ties_table(load_source(level_event, staff=False)).rows
    assert len(lines) == sum(count for _criterion, _separates, count in told)
    assert {line[10] for line in lines} == {"no"}

    shown = client.get(
        f"/events/{level_event.slug}/standings/why/", headers={"accept-language": "en"}
    ).content.decode()
    assert "In a finished group they are always equal among players level on points" in shown
    assert shown.count("separates nobody") == len(told)


def test_nothing_is_said_before_a_match_and_other_groups_are_not_there(client) -> None:
    by = make.organiser()
    event = make.started(by, 12)
    facts = load_facts(event)
    stage = facts.stages[0]
    assert list(stage_traces(stage)) == []
    assert set_rows(facts, stage, stage.outcome.standings["A"]) == ()
    url = f"/api/v1/events/{event.slug}/tie-breaks/"
    assert client.get(url).json() == []
    assert client.get(f"{url}?group=Z").status_code == 404
    make.play_stage(event, by)
    rows = client.get(url).json()
    assert {row["rank"] for row in rows if row["group"] is None} <= {3}
    assert {row["group"] for row in client.get(f"{url}?group=B").json()} <= {"B"}


def test_compared_players_separated_by_opponents_points_have_no_such_note() -> None:
    by = make.organiser()
    event = make.started(by, 12)
    make.play_stage(event, by, drawn)
    facts = load_facts(event)
    stage = facts.stages[0]
    group = set_rows(facts, stage, stage.outcome.standings["A"])
    assert group[0]["steps"][0]["note"]
    for standings in stage.outcome.compared.values():
        for shown in set_rows(facts, stage, standings):
            assert not shown["steps"][0]["note"]


def test_the_sheet_names_a_group_that_is_alone_as_pages_do() -> None:
    by = make.organiser()
    event = make.started(by, 8, formula="swiss-cut")
    make.next_round(event, by)
    make.play_round(event.rounds.get(), by, lambda match, index: Claim(score=(20, 20)))
    with translation.override("it"):
        lines = ties_table(load_source(event, staff=False)).rows
        assert {line[1] for line in lines} == {"Turni alla svizzera"}
