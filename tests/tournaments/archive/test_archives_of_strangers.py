"""An archive that nobody could show is refused, and nothing of it is stored."""

from typing import Any

import pytest
from django.apps import apps
from django.test import Client

from tests import factories as make
from tests.tournaments.archive.documents import content, taken_out
from tournaments.models import Event

pytestmark = pytest.mark.django_db

FINISHED = {"state": "finished"}
BROKEN: tuple[tuple[str, dict[str, Any]], ...] = (
    ("time_zone", FINISHED | {"time_zone": "Nowhere/X"}),
    ("starts_at", {"starts_at": "9999-12-31T23:59:59+00:00"}),
    ("name", {"name": "Coppa\x00"}),
    ("options", {"options": []}),
    ("registration_opens", {"registration_opens": "9999-12-31T23:59:59+00:00"}),
    ("breaks", {"breaks": [1]}),
)
LISTS = ("/", "/feed/", "/events.ics", "/api/v1/events/")


def stored() -> dict[str, int]:
    """Return the number of rows of each table of events and lists."""
    models = [*apps.get_app_config("tournaments").get_models(), *_of_decks()]
    return {model.__name__: model._default_manager.count() for model in models}


def _of_decks() -> Any:
    return apps.get_app_config("decks").get_models()


@pytest.mark.parametrize(("column", "changes"), BROKEN, ids=[each for each, _ in BROKEN])
def test_an_event_that_cannot_be_shown_is_refused(
    event: Event, client: Client, column: str, changes: dict[str, Any]
) -> None:
    document = taken_out(event)
    document["tables"]["events"][0] |= changes
    client.force_login(make.user())
    client.raise_request_exception = False
    before = stored()
    answer = client.post("/api/v1/events/restore/", content(document), "application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "archive_invalid")
    assert answer.json()["path"].startswith(f"tables.events[0].{column}")
    assert stored() == before
    assert [client.get(address).status_code for address in LISTS] == [200] * len(LISTS)
