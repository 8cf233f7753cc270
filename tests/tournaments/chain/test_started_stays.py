"""A started event stays: nobody of it deletes it, whatever was taken back."""

from io import StringIO

import pytest
from django.core.management import call_command

from tests import factories as make
from tournaments.models import Event
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db


def taken_back(event, by):
    """Take back act by act as far as that goes; return how many acts were."""
    taken = 0
    while (act := last_act(event)) and act.why_not is None:
        undo(event=event, expected=act.line.number, by=by)
        taken += 1
    return taken


def test_an_event_whose_start_was_taken_back_is_the_operators_to_delete(by, client):
    event = make.playing(by, 4, formula="single-group")
    make.play_round(event.rounds.get(), by)
    assert taken_back(event, by) == 5
    assert Event.objects.get(pk=event.pk).plan is None
    client.force_login(by.user)
    address = f"/api/v1/events/{event.slug}/"
    refused = client.delete(address)
    assert refused.status_code == 409
    assert refused.json()["code"] == "event_started"
    assert Event.objects.filter(pk=event.pk).exists()
    call_command("delete_event", event.slug, stdout=StringIO())
    assert client.get(address).status_code == 404
