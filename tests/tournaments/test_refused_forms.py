"""A refused form comes again: the sentence beside its field, everything typed kept."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tournaments.models import Event, Match

pytestmark = pytest.mark.django_db
SENTENCE = "A disqualification needs a reason. Nothing was stored: give one."


@pytest.fixture
def by():
    return make.organiser()


@pytest.fixture
def event(by) -> Event:
    event = make.started(by, 4)
    make.next_round(event, by)
    return event


@pytest.fixture
def desk(by) -> Client:
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(by.user)
    return client


def at(name: str, event: Event, *parts: object) -> str:
    return reverse(f"tournaments:{name}", args=[event.slug, *parts])


def beside(page: str, id_of_input: str) -> str:
    """Return the sentence that an input is described by."""
    (tag,) = re.findall(rf'<input[^>]*id="{id_of_input}"[^>]*>', page)
    assert 'aria-invalid="true"' in tag
    (described,) = re.findall(r'aria-describedby="([^"]*)"', tag)
    error = described.split()[-1]
    return page.split(f'id="{error}">')[1].split("</div>")[0]


def test_a_disqualification_without_reason_shows_the_players_page_again(desk, event):
    answer = desk.post(at("manage-player-leave", event, 2), {"action": "disqualify"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert SENTENCE in beside(page, "leave_reason")
    assert f'value="{event.entries.get(number=2).name}"' in page  # the other form stands as it was
    assert event.entries.get(number=2).plays


def test_a_step_that_is_refused_keeps_the_reason(desk, event):
    data = {"action": "come_back", "reason": "Missed the train"}
    answer = desk.post(at("manage-player-leave", event, 2), data)
    assert answer.status_code == 409
    assert 'value="Missed the train"' in answer.content.decode()
    unknown = desk.post(at("manage-player-leave", event, 2), data | {"action": "fly"})
    assert unknown.status_code == 400
    assert "There is no such step. Nothing was changed." in unknown.content.decode()
    assert desk.get(at("manage-player-leave", event, 2)).status_code == 405


def test_the_match_page_opens_the_player_whose_reason_is_missing(desk, event):
    match = Match.objects.filter(round__event=event).select_related("a", "b").first()
    data = {"number": match.b.number, "action": "disqualify", "reason": "  "}
    answer = desk.post(at("match-leave", event, match.pk), data)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert SENTENCE in beside(page, f"leave_{match.b.number}_reason")
    assert page.count("<details open><summary>") == 1
    match.b.refresh_from_db()
    assert match.b.plays
