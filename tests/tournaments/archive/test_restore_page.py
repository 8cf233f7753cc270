"""The page that restores an event from its file, and what a restored event says to everybody."""

import json
from datetime import UTC, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests import factories as make
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.models import Event, Restoration
from tournaments.verification.event import event_notes, verify_event

pytestmark = pytest.mark.django_db
PAGE = "/events/restore/"


@pytest.fixture
def somebody():
    return make.user("somebody@example.org")


@pytest.fixture
def client(somebody):
    client = Client(headers={"accept-language": "en"})
    client.force_login(somebody)
    return client


def sent(client, content, slug=""):
    """Send a file by the page's form; return its answer."""
    file = SimpleUploadedFile("event.json", content)
    return client.post(PAGE, {"file": file, "slug": slug})


@pytest.mark.deep
def test_a_file_becomes_an_event_whose_organiser_restored_it(event, client, somebody):
    content = event_archive(event)
    event.delete()
    assert PAGE in client.get(reverse("tournaments:event-new")).content.decode()
    answer = sent(client, content)
    restored = Event.objects.get()
    assert answer.headers["Location"] == reverse("tournaments:manage", args=[restored.slug])
    assert "Event restored" in client.get(answer.headers["Location"], follow=True).content.decode()
    assert [role.user for role in restored.staff.all()] == [somebody]
    assert event_archive(restored) == content


@pytest.mark.deep
def test_an_address_that_is_taken_is_said_at_its_field(event, client):
    answer = sent(client, event_archive(event))
    assert answer.status_code == 409
    assert "Choose another." in answer.context["form"].errors["slug"][0]
    assert sent(client, event_archive(event), slug="Copia").status_code == 302
    assert Event.objects.filter(slug="copia").exists()


@pytest.mark.parametrize("content", [b"", b"{", b'{"girone": 2}', b"\xff\xfe\x00"])
def test_what_is_no_archive_is_said_at_the_file(client, content):
    answer = sent(client, content)
    assert answer.status_code == 400
    assert "This archive can’t be restored." in answer.context["form"].errors["file"][0]
    assert not Event.objects.exists()


def test_an_account_that_has_restored_enough_reads_so(event, client, settings):
    settings.CEILINGS = settings.CEILINGS | {"restores_a_day": 0}
    answer = sent(client, event_archive(event), slug="copia")
    assert answer.status_code == 400
    assert "Your limit is 0" in answer.content.decode()
    assert Event.objects.count() == 1


def test_only_those_who_may_make_events_restore_one(event, client):
    User.objects.update(can_create_events=False)
    assert client.get(PAGE).status_code == 403
    assert sent(client, event_archive(event), slug="copia").status_code == 403
    client.logout()
    assert sent(client, event_archive(event), slug="copia").status_code == 302
    assert Event.objects.count() == 1


DAY = datetime(2026, 11, 23, 22, 30, tzinfo=UTC)  # half past eleven in Rome
ENGLISH = {"headers": {"accept-language": "en"}}


@pytest.fixture
def document(by):
    return json.loads(event_archive(make.played(by, 4, formula="single-group")))


def restored(document):
    """Return an event restored on a certain day under another address."""
    event = restore_archive(json.dumps(document).encode(), slug="tornato")
    Restoration.objects.update(at=DAY)
    return event


def page(client, **more):
    return client.get("/events/tornato/", **more).content.decode()


@pytest.mark.deep
def test_page_transcript_and_verify_say_it(document, client, in_english):
    event = restored(document)
    words = "Restored on 23 November 2026 from an archive."
    assert words in [note.words for note in event_notes(event)]
    assert words in page(client, **ENGLISH)
    told = client.get("/events/tornato/transcript.json").json()["restored"]
    assert told == {"at": DAY.isoformat(), "line": event.version, "words": words}


def test_in_italian_too(document, client):
    restored(document)
    words = "Ripristinato il 23 novembre 2026 da un archivio."
    assert words in page(client, headers={"accept-language": "it"})


def test_an_archive_with_signatures_of_before_is_read(document):
    """Lines had a signature, which went: the log is the same without it."""
    for line in document["tables"]["log"]:
        line["signature"] = f"0123456789abcdef:{'0' * 64}"
    event = restored(document)
    assert list(verify_event(event)) == []
    told = [line["digest"] for line in document["tables"]["log"]]
    assert list(event.log.order_by("number").values_list("digest", flat=True)) == told
    assert not any(
        "signature" in line for line in json.loads(event_archive(event))["tables"]["log"]
    )


@pytest.mark.deep
def test_an_archive_that_was_changed_is_restored_and_named(document):
    """In rows and log alike every first match ended the other way."""
    lines = [row for line in document["tables"]["log"] for row in line["facts"]["rows"].values()]
    reports = [report for row in lines for report in row.get("reports", [])]
    for report in (*document["tables"]["reports"], *reports):
        report["winner"] = {"a": "b", "b": "a"}.get(report["winner"], report["winner"])
        report["score_a"], report["score_b"] = report["score_b"], report["score_a"]
    assert "chain" in {finding.check for finding in verify_event(restored(document))}


@pytest.mark.deep
def test_an_event_of_this_site_says_nothing(by, client):
    event = make.played(by, 4, formula="single-group")
    assert "Restored" not in client.get(f"/events/{event.slug}/", **ENGLISH).content.decode()
    assert client.get(f"/events/{event.slug}/transcript.json").json()["restored"] is None
