"""Every call about an event, every method, everybody who may call: who gets what."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from tests.around import tables
from tests.callers import CALLERS, TOKENS, Callers
from tests.site_addresses import API_OF_AN_EVENT
from tests.tournaments.api.endpoints import BODIES, CODES, MAY
from tournaments.models import Entry, Event, Match, Round, Stage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]


METHODS = ("get", "post", "put", "patch", "delete")
SCOPED = frozenset(TOKENS)
OF_RESULTS = ("match-result", "match-effects", "match-confirm", "match-contradict")
"""Calls that a token of results reaches."""


def due(name: str, method: str, caller: str) -> int:
    """Return the status that is right."""
    reaches = caller not in SCOPED or caller == "manage" or method == "get"
    if not reaches and not (caller == "results" and name in OF_RESULTS):
        return 403
    if (caller, name, method) == ("player", "decklist", "put"):
        return 409  # may hand in a list, but not after the start
    if (name, method) not in MAY:
        return 405
    who, status = MAY[name, method]
    unknown = caller == "anonymous" and (name, method) != ("decklist", "get")
    return status if caller in who else 401 if unknown else 403


def test_the_table_names_every_call() -> None:
    assert {name for name, _method in MAY} == set(API_OF_AN_EVENT)


@pytest.mark.parametrize("deep", [False, pytest.param(True, marks=pytest.mark.deep)])
def test_who_gets_what(around: Callers, deep: bool) -> None:
    """Every method of every call as everybody; one that a call lacks, as one of them by turns."""
    assert not "\n".join(answered_wrongly(around, deep))


def answered_wrongly(around: Callers, deep: bool) -> Iterator[str]:
    everything = product(enumerate(API_OF_AN_EVENT), enumerate(METHODS), enumerate(CALLERS))
    for (call, name), (way, method), (turn, caller) in everything:
        by_turns = (name, method) not in MAY and (call + way + turn) % len(CALLERS)
        if bool(by_turns) is not deep:
            continue
        body = BODIES.get((name, method), {})
        answer = around.undone(caller, method, around.address(name), body)
        right = due(name, method, caller)
        if answer.status_code != right:
            yield f"{method} {name} as {caller}: {answer.status_code}, not {right}"
        elif right >= 400:
            code = answer.json()["code"]
            usual = {403: ("permission_denied", "forbidden", "token_scope")}
            usual |= {401: ("not_authenticated",), 405: ("method_not_allowed",)}
            if code not in usual.get(right, (CODES.get((name, method)),)):
                yield f"{method} {name} as {caller}: {code}"


def test_nothing_private_is_read(around: Callers) -> None:
    secret = [person.email for person in User.objects.all()]
    stage = Stage.objects.get(event=around.event, number=1)
    Stage.objects.filter(pk=stage.pk).update(seed="seme-non-ancora-pubblico")
    entry = around.event.entries.get(pk=around.match.seats[0])
    secret += ["seme-non-ancora-pubblico", entry.submission.decklist.fingerprint]
    cards = entry.submission.decklist.deck["zones"]
    secret += [card["name"] for zone in cards.values() for card in zone]
    assert len(secret) > 20
    for caller in ("anonymous", "elsewhere"):
        for name, method in MAY:
            if method == "get" and name != "export":
                told = around.undone(caller, "get", around.address(name)).content.decode()
                assert not [words for words in secret if words in told], f"{name} as {caller}"


@pytest.mark.deep
def test_what_belongs_to_another_event_is_not_there(around: Callers) -> None:
    for name, method in MAY:
        if name.startswith("match") and name not in ("matches", "matches-csv", "match-extension"):
            body = BODIES.get((name, method), {})
            address = around.address(name, event=around.other)
            for caller in ("organiser", "elsewhere"):
                assert around.undone(caller, method, address, body).status_code == 404, name
            assert around.undone("anonymous", method, address, body).status_code in (401, 404)
        elif name.startswith(("snapshot", "match-")) and name != "snapshots":
            address = around.address(name, event=around.other)
            assert around.undone("elsewhere", method, address, {}).status_code == 404, name
            assert around.undone("anonymous", method, address, {}).status_code == 401
        elif API_OF_AN_EVENT[name] and name not in (
            "player",
            "decklist",
            "player-strike",
            "player-enter",
            "player-return",
        ):
            address = around.address(name, number=9)
            assert around.undone("organiser", method, address, {}).status_code == 404, name
            assert around.undone("anonymous", method, address, {}).status_code in (401, 404)


@pytest.mark.deep
def test_a_token_of_one_event_finds_no_other(around: Callers) -> None:
    for name, method in MAY:
        for caller in TOKENS:
            address = around.address(name, event=around.other)
            answer = around.undone(caller, method, address, BODIES.get((name, method), {}))
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), name


RAW = (b"", b"{}", b"[]", b"null", b'{"x": 1}', b'{"broken', b"\xff\x00", b"[[[[]]]]")
CHANGES = ("post", "put", "patch", "delete")
OF_THE_SITE = (("events", "post"), ("restore", "post"), ("formulas", "post"))


@pytest.mark.deep
def test_nobody_changes_or_makes_anything_whatever_the_body(around: Callers) -> None:
    wrong = []
    for name in API_OF_AN_EVENT:
        for method in (each for each in CHANGES if (name, each) in MAY):
            for body in RAW:
                answer = around.undone("anonymous", method, around.address(name), body)
                if (name, answer.status_code) == ("join", 400):
                    continue  # anybody may, and it is no request
                if answer.status_code != 401 or answer.json()["code"] != "not_authenticated":
                    wrong.append(f"{method} {name} {body!r}: {answer.status_code}")
    assert not "\n".join(wrong)
    for name, method in OF_THE_SITE:
        for body in RAW:
            address = reverse(f"tournaments_api:{name}")
            answer = around.undone("anonymous", method, address, body)
            if answer.status_code != 401:
                wrong.append(f"{method} {name} {body!r}: {answer.status_code}")
    assert not "\n".join(wrong)


@pytest.mark.deep
def test_who_may_not_changes_nothing_with_an_empty_body_either(around: Callers) -> None:
    wrong = []
    for (name, method), (who, _status) in MAY.items():
        for caller in {"player", "elsewhere", "judge", "scorekeeper"} - who:
            if method == "get" or (caller, name) == ("player", "decklist"):
                continue
            for body in (b"", b"{}", b"[]", b'{"status": "registered"}'):
                answer = around.undone(caller, method, around.address(name), body)
                if b"status" in body and (caller, name) == ("player", "player"):
                    continue  # their own, and unchanged
                if answer.status_code < 400:
                    wrong.append(f"{method} {name} as {caller} {body!r}: {answer.status_code}")
    assert not "\n".join(wrong)


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


@pytest.mark.deep
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


BY_CHANCE = ("code", "claim", "expires")
"""Of a phone that asks to be signed in."""


def facts_of(entry: Entry) -> dict[str, Any]:
    """Return what a call could change of a player."""
    return Entry.objects.filter(pk=entry.pk).values()[0]


@pytest.mark.deep
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
            chance = BY_CHANCE if name == "join" else ()
            for field in (*times, *chance, "request_id", "fingerprint", "id"):
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
