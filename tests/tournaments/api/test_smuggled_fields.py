"""What nobody may bring in by naming it beside the fields that a call knows."""

from typing import Any

import pytest

from accounts.models import User
from tests.around import tables
from tests.callers import Callers
from tests.tournaments.api.endpoints import BODIES, MAY
from tournaments.models import Entry, Event, Match, Round, Stage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]
SMUGGLED = {
    "role": "organiser",
    "is_staff": True,
    "is_superuser": True,
    "can_create_events": True,
    "event": 1,
    "event_id": 1,
    "id": 1,
    "pk": 1,
    "number": 99,
    "version": 99,
    "state": "final",
    "user": 1,
    "by": 1,
    "started_at": None,
    "plan": {},
    "decision": 1,
    "fingerprint": "x",
    "deck_open_until": "2199-01-01T00:00Z",
    "submission": None,
    "locked_at": None,
    "places": {},
    "created_at": "1999-01-01T00:00Z",
}


def test_refusals_change_nothing(around: Callers) -> None:
    before = tables()
    for name, method in MAY:
        for caller in ("anonymous", "elsewhere", "read"):
            if method != "get":
                body = BODIES.get((name, method), {}) | SMUGGLED
                more = {"data": body, "format": "json"}
                getattr(around.clients[caller], method)(around.address(name), **more)
    assert tables() == before


def smuggled(call: tuple[str, str]) -> dict[str, Any]:
    """Return what a call does not know: changes of an event ask for its version."""
    known = {"version"} if call in (("event", "patch"), ("information", "put")) else set()
    if call[0] in ("match-result", "match-effects", "match-correction"):  # places of a table
        known = {"places"}
    return {key: value for key, value in SMUGGLED.items() if key not in known}


def facts_of(entry: Entry) -> dict[str, Any]:
    """Return what a call could change of a player."""
    return Entry.objects.filter(pk=entry.pk).values()[0]


def test_unknown_fields_change_nothing(around: Callers) -> None:
    """Each call as the organiser, once as it is and once with everything that could be smuggled."""
    times = {"version", "at", "created_at", "submitted_at", "decided_at", "started_at"}
    kinds = (Event, Entry, Match, Round, Stage, User)
    for call, body in BODIES.items():
        name, method = call
        seen = []
        for sent in (body, smuggled(call) | body):
            around.undone("organiser", method, around.address(name), sent)
            seen.append([list(kind.objects.order_by("pk").values()) for kind in kinds])
        assert seen[0] == seen[1], call
        answers = [
            around.undone("organiser", method, around.address(name), sent).json()
            for sent in (body, smuggled(call) | body)
        ]
        for answer in answers:
            # "id": PostgreSQL takes no number of a sequence back.
            for field in (*times, "request_id", "fingerprint", "id"):
                answer.pop(field, None)
        assert answers[0] == answers[1], call


def test_smuggled_fields_are_not_stored(around: Callers) -> None:
    entry = around.event.entries.get(pk=around.match.seats[0])
    before = facts_of(entry)
    client = around.clients["organiser"]
    address = around.address("player")
    assert client.patch(address, SMUGGLED | {"club": "Club"}, format="json").status_code == 200
    assert facts_of(entry) == before | {"club": "Club"}
    event = Event.objects.filter(pk=around.event.pk)
    before = event.values()[0]
    body = smuggled(("event", "patch"))
    answer = client.patch(around.address("event"), body | {"venue": "Qui"}, format="json")
    assert answer.status_code == 200
    after = event.values()[0]
    assert after["head"] != before["head"]  # of the chain of lines
    moved = {"version": before["version"] + 1, "head": after["head"]}
    kept = before | {"venue": "Qui"} | moved
    assert {key: after[key] for key in kept if "updated" not in key} == {
        key: value for key, value in kept.items() if "updated" not in key
    }
    person = User.objects.get(pk=around.player.pk)
    assert (person.is_staff, person.is_superuser) == (False, False)
