"""The slug of an event: as it was asked for, or not at all.

Contracts, API.
"""

import pytest
from django.db import connection

from tests import factories as make
from tournaments.events import api as endpoints
from tournaments.events.services import events
from tournaments.models import Event

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/events/"
BODY = {"name": "Coppa", "format": "thoom", "formula": "single-group"}


@pytest.mark.parametrize("taken", ["dup", "DUP", "restore", "new"])
def test_a_slug_asked_for_that_is_taken_is_refused(api, taken):
    assert api.post(ROOT, BODY | {"slug": "dup"}).json()["slug"] == "dup"
    refused = api.post(ROOT, BODY | {"slug": taken})
    assert (refused.status_code, refused.json()["code"]) == (409, "slug_taken")
    assert refused.json()["slug"] == taken.lower()
    assert "Nothing was stored" in refused.json()["detail"]
    assert Event.objects.count() == 1


def test_a_slug_made_from_the_name_gets_a_number(api):
    assert [api.post(ROOT, BODY).json()["slug"] for _time in "ab"] == ["coppa", "coppa-2"]
    assert api.post(ROOT, BODY | {"slug": "coppa-3"}).json()["slug"] == "coppa-3"


@pytest.mark.parametrize("empty", ["---", "_", ""])
def test_a_slug_needs_a_letter_or_a_digit(api, empty):
    refused = api.post(ROOT, BODY | {"slug": empty})
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["slug"])


def test_the_slug_of_an_event_stays(api, by):
    event = make.event(by)
    refused = api.patch(f"{ROOT}{event.slug}/", {"slug": "altro", "venue": "Qui"})
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["slug"])
    event.refresh_from_db()
    assert event.venue != "Qui"
    same = api.patch(f"{ROOT}{event.slug}/", {"slug": event.slug, "venue": "Qui"})
    assert (same.status_code, same.json()["venue"]) == (200, "Qui")


def test_who_comes_second_in_a_race_is_refused_not_lost(api, by, monkeypatch):
    """Another event takes the slug between the question and the answer."""
    make.event(by, slug="dup")
    monkeypatch.setattr(endpoints, "check_slug", lambda _slug: None)
    monkeypatch.setattr(events, "free_slug", lambda name: name)
    refused = api.post(ROOT, BODY | {"slug": "dup"})
    assert (refused.status_code, refused.json()["code"]) == (409, "slug_taken")
    assert connection.is_usable()
    assert Event.objects.count() == 1
