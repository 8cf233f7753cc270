"""The own page while the last round's table is held back says what the public standings say."""

import pytest
from django.test import Client

from rules.standings.table import all_marks
from tests import factories as make
from tests.browsers import ENGLISH, by_link, url
from tournaments.core.event_state import load_facts
from tournaments.lots.services import draw_lots
from tournaments.personal.selectors.state import state_of
from tournaments.stages.services import close_stage
from tournaments.standings.selectors import ranking

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(by):
    """Return a played event whose last round's table is held back."""
    event = make.playing(
        by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 2}, standings_held="last"
    )
    for number in (1, 2, 3):
        if number > 1:
            make.next_round(event, by)
        make.play_round(event.rounds.get(ordinal=number), by)
    return event


def test_what_points_leave_out_is_counted_once_for_all_players(held, monkeypatch):
    facts, counts = load_facts(held, drafts=False), []

    def counted(results):
        counts.append(results)
        return all_marks(results)

    monkeypatch.setattr(ranking, "all_marks", counted)
    found = [ranking.record_beside_points(facts, number) for number in facts.entries]
    assert {sum(record) for record, _as_of in found} == {2}
    assert len(counts) == 2, "all rounds, and those left out"


def test_nothing_is_held_of_a_cut_by_tables_whose_results_say_who_goes_on(by):
    event = make.stage_played(by, 8, **make.TABLES | {"options": {"rounds": 1, "cut": 4}})
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        draw_lots(event=event, tied=needed[0], seed="s", by=by)
    close_stage(event=event, expected_stage=1, by=by)
    make.play_round(make.next_round(event, by), by)
    event.standings_held = "all"
    event.save()
    facts = load_facts(event, drafts=False)
    assert facts.open_stage.held == frozenset()
    states = [state_of(facts, entry) for entry in event.entries.all()]
    assert not [each for each in states if each.plays]


def test_who_is_out_by_points_is_not_told_to_stay(by, held):
    public = Client(headers=ENGLISH).get(url("standings", held)).content.decode()
    assert public.count(">out<") > 0
    pages = [
        by_link(entry, by).get(url("me", held), headers=ENGLISH).content.decode()
        for entry in held.entries.all()
    ]
    told = "Stay in the hall. Your table, or your final place"
    certain = public.count(">out<") + public.count(">through<")
    assert sum(told in page for page in pages) == len(pages) - certain
