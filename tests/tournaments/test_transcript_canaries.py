"""Nothing private stands in the transcript of a finished event, whoever of twelve asks for it.

Penalties, calls, notes, minutes, reasons, addresses of people, links and tokens, lists and their
fingerprints, drafts as they were, the seed of a draw to come: each is a canary. Planted faults
show that every one of them would be found.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.urls import reverse

from config.shown_once import token_hash
from tests.canary import told
from tests.crawling import everything
from tests.matrix import CLOSED_LISTS, DRAFT, FOUND, LATER, READERS, Matrix, stands_in
from tournaments.chain.lines import private_part
from tournaments.exports import views as downloads
from tournaments.models import Draw, Event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]

whole_transcript = downloads.event_transcript
HASHED = {"personal link", "invitation", "token"}
"""What stands in no row: its hash does."""


def played() -> Matrix:
    """Return the event played to its end."""
    around = Matrix()
    around.draft()
    around.finish()
    return around


def secrets_of(around: Matrix) -> dict[str, str]:
    """Return all that must not stand in the transcript, by what it is."""
    entry = around.event.entries.get(number=1)
    lists = [each.decklist.fingerprint for each in entry.submissions.all()]
    return {
        **{name: canary.words for name, canary in (FOUND | LATER).items()},
        **{words: words for words in CLOSED_LISTS},
        **{f"fingerprint of list {index}": print_ for index, print_ in enumerate(lists, 1)},
        **around.tokens,
        "draft": DRAFT.words,
        "seed of a draw to come": around.event.draws.get(state=Draw.State.ANNOUNCED).seed,
        "account of the organiser": around.by.user.email,
    }


def asked(around: Matrix, reader: str) -> bytes:
    """Return all that the transcript's answer to a reader holds."""
    cache.clear()
    address = reverse("tournaments:transcript", args=[around.event.slug])
    answer = around.browsers[reader].get(address)
    assert answer.status_code == 200, reader
    return everything(answer)


def found_in(content: bytes, secrets: dict[str, str]) -> set[str]:
    """Return which of the secrets stand in an answer."""
    return {name for name, words in secrets.items() if stands_in(words, content)}


@pytest.mark.deep
def test_nothing_private_is_in_the_transcript_for_any_of_twelve_readers() -> None:
    around = played()
    secrets = secrets_of(around)
    assert len(secrets) == len(set(secrets.values())) > 25
    contents = {reader: asked(around, reader) for reader in READERS}
    assert {reader: found_in(content, secrets) for reader, content in contents.items()} == {
        reader: set() for reader in READERS
    }


@pytest.mark.deep
def test_the_transcript_does_not_tell_who_called_a_judge() -> None:
    around = played()
    lines = json.loads(asked(around, "anonymous").partition(b"]")[2])["log"]["lines"]
    assert [line["player"] for line in lines if line["action"] == "call.made"] == [None]
    assert 1 in [line["player"] for line in lines if line["action"] == "result.reported"]


def rows_of_tables(event: Event) -> Any:
    """Return every value of every table."""
    return [value for _column, value in told()]


def closed_words(event: Event) -> Any:
    """Return what the lines of the log keep closed."""
    return [private_part(line) for line in event.log.all()]


@pytest.mark.parametrize(
    ("planted", "least"),
    [
        (rows_of_tables, set()),
        (
            closed_words,
            {"penalty", "note of a penalty", "call", "minutes", "draft thrown away", "draft"}
            | {"note of a report", "reason of a correction", "seed of a draw to come"},
        ),
    ],
    ids=["rows", "closed words"],
)
def test_what_gets_into_the_transcript_is_found(
    planted: Callable[[Event], Any], least: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    around = played()
    secrets = secrets_of(around)
    monkeypatch.setattr(
        downloads,
        "event_transcript",
        lambda event: whole_transcript(event) | {"planted": planted(event)},
    )
    found = found_in(asked(around, "anonymous"), secrets)
    assert found >= (least or set(secrets) - HASHED)


def test_a_link_or_token_that_gets_into_the_transcript_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    around = played()
    kept = {value for _column, value in told()}
    assert {token_hash(around.tokens[name]) for name in ("personal link", "invitation")} <= kept
    monkeypatch.setattr(
        downloads,
        "event_transcript",
        lambda event: whole_transcript(event) | {"planted": list(around.tokens.values())},
    )
    assert found_in(asked(around, "anonymous"), secrets_of(around)) == HASHED
