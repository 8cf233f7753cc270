"""A started event stays: nobody deletes it, and nothing forged takes its address unseen."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from tests import factories as make
from tests.tournaments.chain.forging import (
    INVENTED,
    content,
    signed_again,
    verified,
    winners_exchanged,
)
from tournaments.archive.writer import archive
from tournaments.models import Event
from tournaments.undo.selectors import last_act
from tournaments.undo.services.undo import undo

pytestmark = pytest.mark.django_db


def taken_back(event, by):
    """Take back act by act as far as that goes; return how many acts were."""
    taken = 0
    while (act := last_act(event)) and act.why_not is None:
        undo(event=event, expected=act.line.number, by=by)
        taken += 1
    return taken


@pytest.mark.django_db(transaction=True)
def test_a_forged_event_does_not_take_the_place_of_one_that_was_deleted(client, in_english):
    by = make.organiser()
    event = make.playing(by, 4, formula="single-group")
    make.play_round(event.rounds.get(), by)
    kept = Event.objects.get(pk=event.pk)
    original = json.loads(archive(kept))
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
    forged = content(signed_again(winners_exchanged(original), INVENTED))
    send = {"data": forged, "content_type": "application/json"}
    assert client.post("/api/v1/events/restore/", **send).status_code == 201
    code, said = verified(event.slug)
    assert code == 1
    assert "address" in said
    assert "unknown_key" in said
    client.logout()
    address = reverse("tournaments:event", args=[event.slug])
    page = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert "from an archive of another site" in " ".join(page.split())
