"""Every call about an event, every method, everybody who may call: who gets what.

Contracts, API. Safety notes, T01 and T07.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

from accounts.models import User
from tests.around import tables
from tests.callers import CALLERS, STAFF, TOKENS, Callers
from tests.site_addresses import API_OF_AN_EVENT
from tournaments.models import Entry, Event, Match, Round, Stage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]

METHODS = ("get", "post", "put", "patch", "delete")
EVERYBODY = frozenset(CALLERS)
SCOPED = frozenset(TOKENS)
MANAGE = frozenset({"organiser", "manage"})
RUN = MANAGE | {"head_judge", "scorekeeper"}
RULE = MANAGE | {"head_judge"}
JUDGES = MANAGE | {"head_judge", "judge"}
DECKS = JUDGES | {"player"}
EVERY_STAFF = frozenset({*STAFF, "manage"})
TABLE = frozenset({*STAFF, "player", "results", "manage"})

# (call, method): (who may, what they get in a running event); everybody else is refused.
MAY: dict[tuple[str, str], tuple[frozenset[str], int]] = {
    **{
        (name, "get"): (EVERYBODY, 200)
        for name in (
            *("event", "players", "player", "stages", "rounds", "round", "matches", "match"),
            *("standings", "tie-breaks", "scenarios", "ranking", "export", "information"),
        )
    },
    ("event", "patch"): (MANAGE, 200),
    ("event", "delete"): (MANAGE, 409),
    ("information", "put"): (MANAGE, 200),
    ("standings-release", "post"): (MANAGE, 409),
    ("start", "post"): (MANAGE, 409),
    ("players", "post"): (RUN, 409),
    ("player", "patch"): (RUN, 200),
    ("player", "delete"): (MANAGE, 409),
    ("decklist", "get"): (DECKS, 200),
    ("decklist", "put"): (JUDGES, 200),
    ("stage-close", "post"): (RUN, 409),
    ("stage-second-leg", "post"): (RUN, 200),
    ("stage-lots", "post"): (RULE, 409),
    ("stage-extra-matches", "post"): (RULE, 409),
    ("rounds", "post"): (RUN, 409),
    ("round", "delete"): (RUN, 204),
    ("round-publish", "post"): (RUN, 409),
    ("round-clock", "post"): (RUN | JUDGES, 200),
    ("round-check", "get"): (EVERY_STAFF, 404),
    ("round-changes", "post"): (RUN, 409),
    ("snapshots", "get"): (MANAGE, 200),
    ("snapshot", "get"): (MANAGE, 200),
    ("snapshot-restore", "post"): (MANAGE, 200),
    ("match-result", "put"): (TABLE, 200),
    ("match-effects", "post"): (RUN | JUDGES | {"results"}, 200),
    ("archive", "get"): (MANAGE, 200),
    ("match-extensions", "get"): (EVERY_STAFF, 200),
    ("match-extensions", "post"): (JUDGES, 201),
    ("match-extension", "delete"): (EVERY_STAFF, 404),
    ("player-strike", "post"): (MANAGE, 409),
    ("apart", "get"): (EVERY_STAFF, 200),
    ("apart", "post"): (MANAGE, 201),
    ("apart-pair", "delete"): (EVERY_STAFF, 404),
    ("undo", "get"): (MANAGE, 200),
    ("undo", "post"): (MANAGE, 409),
    ("redo", "post"): (MANAGE, 409),
}
CODES = {
    ("decklist", "put"): "deck_locked",
    ("event", "delete"): "event_started",
    ("standings-release", "post"): "nothing_held",
    ("start", "post"): "event_started",
    ("players", "post"): "event_started",
    ("player", "delete"): "event_started",
    ("stage-close", "post"): "results_missing",
    ("stage-lots", "post"): "not_tied",
    ("stage-extra-matches", "post"): "not_tied",
    ("rounds", "post"): "results_missing",
    ("round-publish", "post"): "round_published",
    ("round-check", "get"): "not_found",
    ("round-changes", "post"): "round_published",
    ("match-extension", "delete"): "not_found",
    ("apart-pair", "delete"): "not_found",
    ("player-strike", "post"): "half_played",
    ("undo", "post"): "stale",
    ("redo", "post"): "stale",
}
BODIES: dict[tuple[str, str], object] = {
    ("event", "patch"): {"venue": "Altrove"},
    ("information", "put"): {"text": "Premi"},
    ("standings-release", "post"): {"round": 1},
    ("players", "post"): {"name": "Zita"},
    ("player", "patch"): {"club": "Club"},
    ("decklist", "put"): {"text": "1 Carta", "reason": "Errore di copia"},
    ("round-clock", "post"): {"action": "start"},
    ("round-changes", "post"): {"action": "swap", "players": [1, 2]},
    ("match-extensions", "post"): {"minutes": 3, "reason": "Controllo"},
    ("player-strike", "post"): {"reason": "Voto"},
    ("apart", "post"): {"players": [1, 2]},
    ("undo", "post"): {"version": 9999},
    ("redo", "post"): {"version": 9999},
    ("match-result", "put"): {"version": 0, "games": ["a", "a"]},
    ("match-effects", "post"): {"version": 0, "games": ["a", "a"]},
}
# What nobody may bring in by naming it, beside the fields that a call knows.
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


@pytest.fixture
def around() -> Callers:
    """Return a running event with everybody around it."""
    return Callers()


def due(name: str, method: str, caller: str) -> int:
    """Return the status that is right."""
    reaches = caller not in SCOPED or caller == "manage" or method == "get"
    if not reaches and (caller, name) not in (
        ("results", "match-result"),
        ("results", "match-effects"),
    ):
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


def test_who_gets_what(around: Callers) -> None:
    """Every method of every call as everybody; one that a call lacks, as one of them by turns."""
    turns = len(CALLERS)
    assert not "\n".join(answered_wrongly(around, lambda known, turn: known or not turn % turns))


@pytest.mark.deep
def test_nobody_gets_what_a_call_lacks(around: Callers) -> None:
    turns = len(CALLERS)
    assert not "\n".join(answered_wrongly(around, lambda known, turn: not known and turn % turns))


def answered_wrongly(around: Callers, asked: Callable[[bool, int], object]) -> Iterator[str]:
    """Yield the wrong answers; ``asked`` is given whether a call has a method, and the turn."""
    everything = product(enumerate(API_OF_AN_EVENT), enumerate(METHODS), enumerate(CALLERS))
    for (call, name), (way, method), (turn, caller) in everything:
        if not asked((name, method) in MAY, call + way + turn):
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


def test_refusals_change_nothing(around: Callers) -> None:
    before = tables()
    for name, method in MAY:
        for caller in ("anonymous", "elsewhere", "read"):
            if method != "get":
                body = BODIES.get((name, method), {}) | SMUGGLED
                more = {"data": body, "format": "json"}
                getattr(around.clients[caller], method)(around.address(name), **more)
    assert tables() == before


def test_nothing_private_is_read(around: Callers) -> None:
    secret = [person.email for person in User.objects.all()]
    stage = Stage.objects.get(event=around.event, number=1)
    Stage.objects.filter(pk=stage.pk).update(seed="seme-non-ancora-pubblico")
    entry = around.event.entries.get(pk=around.match.a_id)
    secret += ["seme-non-ancora-pubblico", entry.submission.decklist.fingerprint]
    cards = entry.submission.decklist.deck["zones"]
    secret += [card["name"] for zone in cards.values() for card in zone]
    assert len(secret) > 20
    for caller in ("anonymous", "elsewhere"):
        for name, method in MAY:
            if method == "get" and name != "export":
                told = around.undone(caller, "get", around.address(name)).content.decode()
                assert not [words for words in secret if words in told], f"{name} as {caller}"


def smuggled(call: tuple[str, str]) -> dict[str, Any]:
    """Return what a call does not know: changes of an event ask for its version."""
    known = {"version"} if call in (("event", "patch"), ("information", "put")) else set()
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
    entry = around.event.entries.get(pk=around.match.a_id)
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


def test_what_belongs_to_another_event_is_not_there(around: Callers) -> None:
    for name, method in MAY:
        if name.startswith("match") and name not in ("matches", "match-extension"):
            body = BODIES.get((name, method), {})
            address = around.address(name, event=around.other)
            for caller in ("organiser", "elsewhere"):
                assert around.undone(caller, method, address, body).status_code == 404, name
            assert around.undone("anonymous", method, address, body).status_code in (401, 404)
        elif name.startswith(("snapshot", "match-")) and name != "snapshots":
            address = around.address(name, event=around.other)
            assert around.undone("elsewhere", method, address, {}).status_code == 404, name
            assert around.undone("anonymous", method, address, {}).status_code == 401
        elif API_OF_AN_EVENT[name] and name not in ("player", "decklist", "player-strike"):
            address = around.address(name, number=9)
            assert around.undone("organiser", method, address, {}).status_code == 404, name
            assert around.undone("anonymous", method, address, {}).status_code in (401, 404)


def test_a_token_of_one_event_finds_no_other(around: Callers) -> None:
    for name, method in MAY:
        for caller in TOKENS:
            address = around.address(name, event=around.other)
            answer = around.undone(caller, method, address, BODIES.get((name, method), {}))
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), name
