"""A bracket of losers on the pages: what its matches are for, by its place in the formula."""

import pytest
from django.test import Client
from django.utils import translation

from rules.formulas.custom import write_definition
from rules.formulas.examples import CONSOLATION
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.labels import final_label
from tournaments.core.permissions import Actor
from tournaments.formulas.services import save_formula
from tournaments.models import Entry, Event
from tournaments.players.services.entries import make_link
from tournaments.stages import services as stages
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by: Actor) -> Event:
    """Return an event whose losers of quarter-finals play their first matches."""
    saved = save_formula(owner=by.user, data=write_definition(CONSOLATION.definition(str)))
    event = make.started(by, 8, formula=saved.slug)
    for number in (1, 2):
        make.play_stage(event, by)
        stages.close_stage(event=event, expected_stage=number, by=by)
    make.next_round(event, by)
    return event


def test_its_last_matches_are_for_the_fifth_and_the_seventh_place(event: Event) -> None:
    plan = load_facts(event).open_stage.plan
    with translation.override("en"):
        assert [final_label(plan, number) for number in (3, 4)] == ["For place 7", "For place 5"]
    page = Client(headers={"Accept-Language": "en"}).get(f"/events/{event.slug}/formula/")
    text = page.content.decode()
    assert text.count("For place 7") == text.count("Third place") > 0
    assert text.count("For place 5") > 0


def test_a_player_reads_for_which_place_comes_next(event: Event, by: Actor) -> None:
    seat = load_facts(event).open_stage.state.rounds[0][0][0].seats[0]
    link = make_link(entry=Entry.objects.get(event=event, number=seat), by=by)
    reader = Client(headers={"Accept-Language": "en"})
    page = reader.get(f"/p/{link}/", follow=True).content.decode()
    assert "For place " in page
    assert "Third place" not in page


def test_it_is_played_to_its_end_and_verified(event: Event, by: Actor) -> None:
    make.play_round(event.rounds.latest("ordinal"), by)
    make.play_event(event, by)
    ranking = load_facts(event).ranking
    assert [len(level) for level in ranking] == [1] * 8
    event.refresh_from_db()
    assert not list(verify_event(event))
