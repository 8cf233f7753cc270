"""Whole events through the services, for every formula and many numbers of players."""

import pytest

from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.models import Event, LogLine, Stage

pytestmark = pytest.mark.django_db


def sizes(*usual, deep):
    """Return numbers of players, some of them for ``make test-all``."""
    return [*usual, *(pytest.param(number, marks=pytest.mark.deep) for number in deep)]


@pytest.mark.parametrize("how_many", sizes(3, 7, 12, 13, 25, deep=(5, 8, 9, 11, 16)))
def test_a_mutant_chronicles_event_ends_with_a_ranking_of_everybody(how_many):
    by = make.organiser()
    event = make.play_event(make.started(by, how_many), by)
    facts = load_facts(event)
    assert event.state == Event.State.FINISHED
    assert {stage.stage.state for stage in facts.stages} == {Stage.State.CLOSED}
    ranked = [number for level in facts.ranking for number in level]
    assert sorted(ranked) == sorted(facts.entries)


@pytest.mark.parametrize("how_many", sizes(6, 10, 19, deep=(7, 13, 16)))
def test_groups_and_knock_out_end_with_a_ranking_of_everybody(how_many):
    by = make.organiser()
    event = make.started(
        by, how_many, format="creatures-of-exo", formula="groups-knockout", decklists="required"
    )
    facts = load_facts(make.play_event(event, by))
    ranked = [number for level in facts.ranking for number in level]
    assert sorted(ranked) == sorted(facts.entries)
    assert len(facts.ranking[0]) == 1


@pytest.mark.parametrize("how_many", [3, 4, 8])
def test_a_single_group_ends(how_many):
    by = make.organiser()
    event = make.started(by, how_many, formula="single-group", options={"legs": 2})
    facts = load_facts(make.play_event(event, by))
    assert sorted(n for level in facts.ranking for n in level) == sorted(facts.entries)


def test_every_write_leaves_one_line_in_the_log_without_gaps():
    by = make.organiser()
    event = make.play_event(make.started(by, 12), by)
    numbers = list(LogLine.objects.filter(event=event).values_list("number", flat=True))
    event.refresh_from_db()
    assert numbers == list(range(1, event.version + 1))
