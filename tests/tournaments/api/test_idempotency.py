"""Repeated POSTs with an Idempotency-Key take effect once; undo and redo through the API."""

from typing import Any

import pytest

from tests.callers import Callers
from tests.tournaments.api.endpoints import BODIES
from tests.tournaments.api.test_promises import views
from tournaments.archive.writer import archive
from tournaments.models import Event, GivenAnswer, LogLine
from tournaments.undo.selectors import last_act

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]

STORES_NOTHING = {
    *("rank", "tables", "validate", "exchange", "try-rules"),
    *("formula-check", "match-effects"),
}


def test_every_post_that_stores_takes_a_key() -> None:
    posts = {name: view.post for name, view in views().items() if hasattr(view, "post")}
    assert len(posts) > 15
    without = {name for name, post in posts.items() if not hasattr(post, "__wrapped__")}
    assert without == STORES_NOTHING


def twice(client: Any, address: str, body: object, other: object) -> Any:
    """Send a POST twice with a key, then another with the same; return the first answer."""
    key = {"HTTP_IDEMPOTENCY_KEY": f"key of {address}"}
    first = client.post(address, body, format="json", **key)
    assert first.status_code in (200, 201), (address, first.content)
    lines = LogLine.objects.count()
    again = client.post(address, body, format="json", **key)
    assert again["Idempotent-Replayed"] == "true"
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    reused = client.post(address, other, format="json", **key)
    assert (reused.status_code, reused.json()["code"]) == (422, "idempotency_key_reused")
    assert LogLine.objects.count() == lines
    return first


def test_a_key_lets_a_post_happen_once(around: Callers) -> None:
    client = around.clients["organiser"]
    for name in ("match-extensions", "apart", "round-clock", "stage-second-leg"):
        body = BODIES.get((name, "post"), {})
        twice(client, around.address(name), body, {"minutes": 59})
    event = {"name": "T", "format": "thoom", "formula": "single-group", "decklists": "off"}
    twice(client, "/api/v1/events/", event, {**event, "name": "U"})
    made = Event.objects.get(name="T")
    players = f"/api/v1/events/{made.slug}/players/"
    twice(client, players, [{"name": "Ada"}, {"name": "Bea"}], {"name": "Carlo"})
    assert made.entries.count() == 2
    client.post(players, {"name": "Carlo"}, format="json")
    started = twice(client, f"/api/v1/events/{made.slug}/start/", {"seed": "s"}, {})
    assert started.json()["status"] == "running"


def test_undo_and_redo_happen_once_and_need_the_version(around: Callers) -> None:
    client, address = around.clients["organiser"], around.address("undo")
    offered = client.get(address).json()
    assert offered["undo"]["action"] == "round.published"
    assert offered["redo"] is None
    done = twice(client, address, {"version": offered["undo"]["version"]}, {"version": 1})
    assert done.json()["undo"]["action"] == "round.drafted"
    assert around.event.rounds.get().state == "draft"
    again = done.json()["redo"]
    assert again["action"] == "round.published"
    stale = client.post(around.address("redo"), {"version": 3}, format="json")
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")
    twice(client, around.address("redo"), {"version": again["version"]}, {"version": 1})
    assert around.event.rounds.get().state == "published"


def test_what_has_to_stay_says_why(around: Callers) -> None:
    client, address = around.clients["organiser"], around.address("undo")
    while (act := last_act(Event.objects.get(pk=around.event.pk))) and act.why_not is None:
        client.post(address, {"version": act.line.number}, format="json")
    told = client.get(address).json()["undo"]
    assert (told["action"], bool(told["why_not"])) == ("draw.start", True)
    refused = client.post(address, {"version": told["version"]}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_undoable")


def test_restoring_happens_once(around: Callers) -> None:
    content = archive(around.event)
    client = around.clients["organiser"]
    key = {"HTTP_IDEMPOTENCY_KEY": "restore"}
    more = {"content_type": "application/json", **key}
    answers = [client.post("/api/v1/events/restore/?slug=copia", content, **more) for _ in "ab"]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[1]["Idempotent-Replayed"] == "true"
    assert Event.objects.filter(slug__startswith="copia").count() == 1
    other = client.post("/api/v1/events/restore/?slug=altra", content, **more)
    assert other.status_code == 422
    assert GivenAnswer.objects.filter(key="restore").count() == 1
