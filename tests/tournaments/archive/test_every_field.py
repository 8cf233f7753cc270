"""Each field of each table of an archive with twenty wrong values: refused, with its path."""

import json
from itertools import islice
from typing import Any

import pytest
from django.test import Client

from rules.errors import BadInput
from tests import factories as make
from tests.tournaments.archive.filled import filled_event
from tests.tournaments.archive.spoilt import Field, fields_of, spoilt
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.permissions import Actor
from tournaments.core.valid_columns import ARCHIVED
from tournaments.models import Event

pytestmark = pytest.mark.django_db
A_FIELD = 20
"""Wrong values of each field at least."""
BY_API = 9
"""Every ninth field is tried by the API as well."""
Document = dict[str, Any]


@pytest.fixture
def document(by: Actor) -> Document:
    """Return the archive of an event in which no table is empty; the event itself is gone."""
    event = filled_event(by)
    kept: Document = json.loads(event_archive(event))
    Event.objects.filter(pk=event.pk).delete()
    return kept


def answered(content: bytes) -> tuple[str, str]:
    """Return the code and path of the refusal of an archive; "stored" if there is none."""
    try:
        restore_archive(content).delete()  # the next one is not to find it
    except BadInput as refused:
        return refused.code, str(refused.sentence.values["path"])
    return "stored", ""


def wrongly_answered(document: Document, field: Field) -> list[str]:
    """Return which wrong values were not refused as they should be."""
    found = []
    for value, content in spoilt(document, field):
        code, path = answered(content)
        if code != "archive_invalid" or not path.startswith(field.path):
            found.append(f"{field.path} = {str(value)[:60]!r}: {code} {path}")
    return found


def test_no_table_of_the_archive_is_empty(document: Document) -> None:
    empty = {t.key for t in ARCHIVED if not t.here_only and not document["tables"][t.key]}
    assert empty == set()
    assert min(len(field.wrong()) for field in fields_of(document)) >= A_FIELD


@pytest.mark.deep
def test_what_is_not_spoilt_comes_back_to_the_byte(document: Document) -> None:
    again = restore_archive(json.dumps(document).encode())
    assert json.loads(event_archive(again)) == document


@pytest.mark.deep
def test_every_field_refuses_every_wrong_value(document: Document) -> None:
    wrong = [each for f in fields_of(document) for each in wrongly_answered(document, f)]
    assert wrong == []
    assert not Event.objects.exists()


@pytest.mark.deep
def test_the_api_says_where_it_is_wrong(document: Document, client: Client) -> None:
    client.force_login(make.user())
    client.raise_request_exception = False
    for at, field in islice(enumerate(fields_of(document)), 0, None, BY_API):
        _value, content = next(islice(spoilt(document, field), at % A_FIELD, None))
        answer = client.post("/api/v1/events/restore/", content, "application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "archive_invalid")
        assert answer.json()["path"].startswith(field.path)
        assert field.path in answer.json()["detail"]
    assert not Event.objects.exists()
