"""Every call about an event, every method, everybody who may call: who gets what.

Contracts, API. Safety notes, T01 and T07.
"""

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from accounts.models import User
from tests.callers import CALLERS, TOKENS, Callers
from tests.site_addresses import API_OF_AN_EVENT
from tests.tournaments.api.endpoints import BODIES, CODES, MAY
from tournaments.models import Stage

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


def test_a_token_of_one_event_finds_no_other(around: Callers) -> None:
    for name, method in MAY:
        for caller in TOKENS:
            address = around.address(name, event=around.other)
            answer = around.undone(caller, method, address, BODIES.get((name, method), {}))
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), name
