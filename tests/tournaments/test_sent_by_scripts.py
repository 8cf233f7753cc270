"""A form sent by a script: a refusal is the same answer whatever headers came with it."""

from typing import Any

import pytest
from django.db import transaction
from django.test import RequestFactory

from config.middleware import Refusals
from rules.errors import BadInput, RuleError
from tests.around import Around
from tests.event_addresses import BODIES, EVENT_PAGES, NOBODY, PLAYER
from tests.report_table import Table
from tournaments.models import Report

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]
JSON = {"Accept": "application/json"}
KEYS = ({}, {"Idempotency-Key": "k-1"})
POSTED = [name for name, (_read, send) in EVENT_PAGES.items() if send != NOBODY]
STRANGE = {"preset": "9-9", "own": "x", "text": "?", "version": "-1", "number": "999", "change": ""}


def answers(around: Around, name: str, body: dict[str, Any]) -> list[tuple[int, bytes]]:
    """Return status and body of a form sent with and without a key; whatever it did is undone."""
    role = "player" if EVENT_PAGES[name][1] == PLAYER else "organiser"
    found = []
    for key in KEYS:
        with transaction.atomic():
            browser = around.browsers[role]
            answer = browser.post(around.address(name), body, headers={**JSON, **key})
            transaction.set_rollback(True)
        is_json = answer.headers["Content-Type"].startswith("application/json")
        refused = is_json and answer.status_code >= 400
        found.append((answer.status_code, answer.content if refused else b""))
    return found


@pytest.mark.parametrize("state", ["running", "registration"])
@pytest.mark.parametrize("body", [{}, STRANGE], ids=["empty", "strange"])
def test_no_form_of_a_script_is_an_error_of_ours(state: str, body: dict[str, Any]) -> None:
    around = Around(state, format="creatures-of-exo")
    around.browsers["organiser"].raise_request_exception = False
    around.browsers["player"].raise_request_exception = False
    wrong = []
    for name in POSTED:
        plain, keyed = answers(around, name, body | BODIES.get(name, {}) if body else {})
        if plain[0] >= 500 or plain != keyed:
            wrong.append((name, plain, keyed))
    assert wrong == []


@pytest.mark.parametrize("key", KEYS, ids=["plain", "keyed"])
@pytest.mark.parametrize("fields", [{"preset": "9-9"}, {"own": "x", "sure": "1"}, {}])
def test_a_report_that_says_nothing_is_refused(key: dict[str, str], fields: dict[str, str]) -> None:
    table = Table("games")
    answer = table.phones["a"].post(table.url("my-report"), fields, headers={**JSON, **key})
    assert (answer.status_code, answer.json()["status"]) == (400, "refused")
    assert not Report.objects.exists()


@pytest.mark.parametrize("key", KEYS, ids=["plain", "keyed"])
def test_a_page_that_asks_is_no_error_for_a_script(key: dict[str, str]) -> None:
    table = Table("games")
    for fields in ({"preset": "2-1", "change": "1"}, {"own": "2", "other": "1"}):
        answer = table.phones["a"].post(table.url("my-report"), fields, headers={**JSON, **key})
        assert answer.status_code in (200, 400)
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    ("error", "status"), [(BadInput("a", "No."), 400), (RuleError("a", "No."), 409)]
)
@pytest.mark.parametrize(
    ("path", "accept", "kind"),
    [
        ("/events/x/desk/", "text/html", "text/html"),
        ("/events/x/desk/", "application/json", "application/json"),
        ("/api/v1/rank/", "*/*", "application/problem+json"),
    ],
)
def test_a_refusal_that_no_view_catches_is_an_answer(
    error: RuleError, status: int, path: str, accept: str, kind: str
) -> None:
    request = RequestFactory().post(path, headers={"accept": accept})
    answer = Refusals(lambda _request: None).process_exception(request, error)
    assert answer is not None
    assert answer.status_code == status
    assert answer.headers["Content-Type"].startswith(kind)
    assert Refusals(lambda _request: None).process_exception(request, ValueError()) is None
