"""Undo and redo ask as the act itself does, on pages and in the API."""

import pytest
from django.urls import reverse

from rules.errors import BadInput
from tests import factories as make
from tests.browsers import signed_in
from tournaments.core.permissions import Actor
from tournaments.decklists.services import publish_lists
from tournaments.judging.services import call_judge
from tournaments.models import Event
from tournaments.rounds.services import discard_round
from tournaments.undo.selectors import acts_to_offer
from tournaments.undo.services import redo, undo

pytestmark = pytest.mark.django_db
SWISS = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 2}}


def last_number(event: Event) -> int:
    return event.log.latest("number").number


def post(by: Actor, event: Event, name: str, **fields: object):
    return signed_in(by).post(reverse(f"tournaments:{name}", args=[event.slug]), fields)


def send(by: Actor, event: Event, name: str, **body: object):
    address = reverse(f"tournaments_api:{name}", args=[event.slug])
    return signed_in(by).post(address, body, content_type="application/json")


@pytest.fixture
def called(by: Actor) -> tuple[Event, int]:
    """Return an event in whose first round a player has called a judge, and its publication."""
    event = make.playing(by, 4, **SWISS)
    published = event.log.get(action="round.published").number
    match = event.rounds.get().matches.first()
    call_judge(
        match=match, entry=match.players[0], reason="Aiuto", by=Actor(entry=match.players[0])
    )
    return event, published


def test_a_publication_that_people_acted_on_is_taken_back_by_its_name(by, called) -> None:
    event, published = called
    with pytest.raises(BadInput) as asked:
        undo(event=event, expected=published, by=by)
    assert asked.value.code == "not_confirmed"
    assert event.rounds.get().state == "published"
    undo(event=event, expected=published, confirm="round 1", by=by)
    assert event.rounds.get().state == "draft"


def test_the_page_asks_for_the_name(by, called) -> None:
    event, published = called
    first = post(by, event, "log-undo", expected=published)
    assert first.status_code == 400
    assert "Type “Round 1” to confirm" in first.content.decode()
    assert event.rounds.get().state == "published"
    wrong = post(by, event, "log-undo", expected=published, confirm="Round 2")
    assert 'aria-invalid="true"' in wrong.content.decode()
    done = post(by, event, "log-undo", expected=published, confirm="Round 1")
    assert (done.status_code, event.rounds.get().state) == (302, "draft")


def test_the_api_asks_for_the_name(by, called) -> None:
    event, published = called
    refused = send(by, event, "undo", version=published)
    assert (refused.status_code, refused.json()["code"]) == (400, "not_confirmed")
    assert "Round 1" in str(refused.json())
    assert send(by, event, "undo", version=published, confirm="Round 1").status_code == 200


def test_a_round_is_not_thrown_away_again_without_its_name(by) -> None:
    event = make.halfway(by, 4, **SWISS)
    discard_round(event=event, ordinal=1, confirm="Round 1", by=by)
    undo(event=event, expected=last_number(event), by=by)
    version = last_number(event)
    assert send(by, event, "redo", version=version).json()["code"] == "not_confirmed"
    assert post(by, event, "log-redo", expected=version).status_code == 400
    with pytest.raises(BadInput):
        redo(event=event, expected=version, confirm="Round 2", by=by)
    assert event.rounds.count() == 1
    redo(event=event, expected=version, confirm="Round 1", by=by)
    assert not event.rounds.exists()


def test_an_event_with_players_is_not_hidden_without_its_name(by) -> None:
    event = make.open_event(by)
    opened = last_number(event)
    make.players(event, 2, by)
    assert send(by, event, "undo", version=opened).json()["code"] == "not_confirmed"
    undo(event=event, expected=opened, confirm=event.name, by=by)
    event.refresh_from_db()
    assert event.state == "draft"
    assert event.log.latest("number").after["hides"] == ["event"]


def test_what_nobody_acted_on_is_taken_back_by_a_question_alone(by) -> None:
    event = make.playing(by, 4, **SWISS)
    act = acts_to_offer(event).last
    assert act is not None
    shown = signed_in(by).get(reverse("tournaments:log", args=[event.slug])).content.decode()
    assert 'data-confirm="The round is a draft again' in shown
    told = signed_in(by).get(reverse("tournaments_api:undo", args=[event.slug])).json()
    assert told["undo"]["asks"].startswith("The round is a draft again")
    undo(event=event, expected=act.line.number, by=by)


def test_lists_ask_before_they_are_hidden_and_shown_again(by) -> None:
    event = make.played(by, 3, formula="single-group", decklists="required")
    publish_lists(event=event, by=by)
    browser, log = signed_in(by), reverse("tournaments:log", args=[event.slug])
    assert b'data-confirm="The lists are hidden from everybody again' in browser.get(log).content
    undo(event=event, expected=last_number(event), by=by)
    assert b'data-confirm="Show everybody the lists of those' in browser.get(log).content
