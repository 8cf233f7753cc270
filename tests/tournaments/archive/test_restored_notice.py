"""A restored event says so to everybody, and when."""

import json
from datetime import UTC, datetime

import pytest

from tests import factories as make
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.models import Restoration
from tournaments.verification.event import notes_on, verify_event

pytestmark = pytest.mark.django_db

DAY = datetime(2026, 11, 23, 22, 30, tzinfo=UTC)  # half past eleven in Rome
ENGLISH = {"headers": {"accept-language": "en"}}


@pytest.fixture
def document(by):
    return json.loads(archive(make.played(by, 4, formula="single-group")))


def restored(document):
    """Return an event restored on a certain day under another address."""
    event = restore(json.dumps(document).encode(), slug="tornato")
    Restoration.objects.update(at=DAY)
    return event


def page(client, **more):
    return client.get("/events/tornato/", **more).content.decode()


def test_page_transcript_and_verify_say_it(document, client, in_english):
    event = restored(document)
    words = "Restored on 23 November 2026 from an archive."
    assert words in [note.words for note in notes_on(event)]
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
    assert not any("signature" in line for line in json.loads(archive(event))["tables"]["log"])


def test_an_archive_that_was_changed_is_restored_and_named(document):
    """In rows and log alike every first match ended the other way."""
    lines = [row for line in document["tables"]["log"] for row in line["facts"]["rows"].values()]
    reports = [report for row in lines for report in row.get("reports", [])]
    for report in (*document["tables"]["reports"], *reports):
        report["winner"] = {"a": "b", "b": "a"}.get(report["winner"], report["winner"])
        report["score_a"], report["score_b"] = report["score_b"], report["score_a"]
    assert "chain" in {finding.check for finding in verify_event(restored(document))}


def test_an_event_of_this_site_says_nothing(by, client):
    event = make.played(by, 4, formula="single-group")
    assert "Restored" not in client.get(f"/events/{event.slug}/", **ENGLISH).content.decode()
    assert client.get(f"/events/{event.slug}/transcript.json").json()["restored"] is None
