"""An event that has never started is deleted by its name; the file of an event is on Manage."""

import pytest

from tests import factories as make
from tests.browsers import page, signed_in, text, url
from tournaments.models import Event

pytestmark = pytest.mark.django_db


def test_a_draft_is_deleted_once_its_name_is_typed(by):
    event = make.event(by)
    client = signed_in(by)
    assert url("manage-delete", event) in page(client, "manage", event)
    refused = client.post(url("manage-delete", event), {"confirm": "another"})
    assert refused.status_code == 400
    assert f"type “{event.name}”" in text(refused)
    assert Event.objects.filter(pk=event.pk).exists()
    answer = client.post(url("manage-delete", event), {"confirm": event.name}, follow=True)
    assert f"The event is deleted: {event.name}." in text(answer)
    assert not Event.objects.filter(pk=event.pk).exists()


def test_an_event_that_has_started_stays(by):
    event = make.started(by, 4)
    client = signed_in(by)
    assert url("manage-delete", event) not in page(client, "manage", event)
    assert client.post(url("manage-delete", event), {"confirm": event.name}).status_code == 409
    assert Event.objects.filter(pk=event.pk).exists()


def test_an_event_whose_order_is_drawn_has_not_started(by):
    event = make.open_event(by)
    make.players(event, 4, by)
    make.draws.draw_start_order(event=event, by=by)
    client = signed_in(by)
    assert url("manage-delete", event) in page(client, "manage", event)
    assert client.post(url("manage-delete", event), {"confirm": event.name}).status_code == 302
    assert not Event.objects.filter(pk=event.pk).exists()


def test_the_file_of_the_event_is_on_manage_and_restores_a_copy(by, tmp_path):
    event = make.started(by, 4)
    client = signed_in(by)
    shown = page(client, "manage", event)
    address = f"/api/v1/events/{event.slug}/archive.json"
    assert address in shown
    file = tmp_path / "event.json"
    file.write_bytes(client.get(address).content)
    with file.open("rb") as content:
        sent = {"file": content, "slug": "the-copy"}
        answer = client.post("/events/restore/", sent, follow=True)
    assert answer.status_code == 200
    assert Event.objects.filter(slug="the-copy").exists()


def test_information_and_questions_are_lines_of_their_own_in_the_settings(by):
    shown = page(signed_in(by), "manage-settings", make.event(by))
    folded = shown[
        shown.index('id="group-rest"') : shown.index("</details>", shown.index('id="group-rest"'))
    ]
    for name in ("manage-information", "manage-questions"):
        address = url(name, Event.objects.get())
        assert address in shown
        assert address not in folded
