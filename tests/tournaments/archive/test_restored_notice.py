"""A restored event says so to everybody: when, and from whose archive."""

import json
from datetime import UTC, datetime

import pytest

from tests import factories as make
from tests.tournaments.chain.forging import content, signed_again, verified, winners_exchanged
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.models import Restoration
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db

DAY = datetime(2026, 11, 23, 22, 30, tzinfo=UTC)  # half past eleven in Rome
ENGLISH = {"headers": {"accept-language": "en"}}


@pytest.fixture
def document(by):
    return json.loads(archive(make.played(by, 4, formula="single-group")))


def restored(document):
    """Return an event restored on a certain day under another address."""
    event = restore(content(document), slug="tornato")
    Restoration.objects.update(at=DAY)
    return event


def page(client, **more):
    return client.get("/events/tornato/", **more).content.decode()


@pytest.mark.parametrize(
    ("secret", "words"),
    [
        ("another site's", "Restored on 23 November 2026 from an archive of another site."),
        ("", "Restored on 23 November 2026 from an archive of this site."),
    ],
)
def test_page_transcript_and_verify_say_it(document, client, in_english, secret, words):
    restored(signed_again(document, secret))
    assert words in verified("tornato")[1]
    assert words in page(client, **ENGLISH)
    transcript = client.get("/events/tornato/transcript.json").json()
    assert transcript["restored"]["words"] == words


def test_in_italian_too(document, client):
    restored(signed_again(document, "another site's"))
    words = "Ripristinato il 23 novembre 2026 da un archivio di un altro sito."
    assert words in page(client, headers={"accept-language": "it"})


def test_one_line_of_another_key_is_another_site(document):
    brought = signed_again(document, "another site's", after=len(document["tables"]["log"]) - 1)
    assert restored(brought).restoration.origin == "another_site"


def test_what_was_changed_is_not_said_to_be_this_site_s(document):
    event = restored(winners_exchanged(document))
    assert event.restoration.origin == ""
    assert "chain" in {finding.check for finding in verify_event(event)}


def test_rows_that_the_log_does_not_tell_are_not_said_to_be_this_site_s(document):
    document["tables"]["entries"][0]["name"] = "Somebody Else"
    event = restored(document)
    assert event.restoration.origin == ""
    assert "ledger" in {finding.check for finding in verify_event(event)}


def test_where_no_key_tells_none_is_named(document, client):
    document["tables"]["events"][0]["head"] = ""
    empty = {"facts": {}, "words": {}, "salt": "", "closed_digest": "", "digest": ""}
    for line in document["tables"]["log"]:
        line |= empty | {"signature": "", "player": None}
    event = restored(document)
    assert "Restored on 23 November 2026 from an archive." in page(client, **ENGLISH)
    again = json.loads(archive(event))  # its lines are signed here, long after they were written
    event.delete()
    assert restored(again).restoration.origin == ""


def test_an_event_of_this_site_says_nothing(by, client):
    event = make.played(by, 4, formula="single-group")
    assert "Restored" not in client.get(f"/events/{event.slug}/", **ENGLISH).content.decode()
    assert client.get(f"/events/{event.slug}/transcript.json").json()["restored"] is None
