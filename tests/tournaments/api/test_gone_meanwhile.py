"""Who comes second where something was deleted: it is not there, and nothing breaks.

Safety notes, 0 (finding 5).
"""

import pytest

from tests import factories as make
from tournaments.events import api as events
from tournaments.events.services.events import delete_event
from tournaments.models import Event
from tournaments.players import api as players
from tournaments.players.services.entries import remove_entry

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    event = make.event(by)
    make.players(event, 2, by)
    return event


def test_an_event_deleted_twice_is_gone_the_second_time(api, event, monkeypatch):
    def meanwhile(**asked):
        delete_event(**asked)
        delete_event(**asked)

    monkeypatch.setattr(events, "delete_event", meanwhile)
    answer = api.delete(f"/api/v1/events/{event.slug}/")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert not Event.objects.exists()


def test_a_player_removed_meanwhile_is_gone(api, by, event, monkeypatch):
    change = players.change_entry

    def meanwhile(**asked):
        remove_entry(entry=asked["entry"], by=by)
        return change(**asked)

    monkeypatch.setattr(players, "change_entry", meanwhile)
    answer = api.patch(f"/api/v1/events/{event.slug}/players/2/", {"club": "Lupi"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
