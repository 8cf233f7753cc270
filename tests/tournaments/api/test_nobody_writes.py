"""Whoever has no account is told so by every call that changes something, whatever they send."""

import pytest
from django.urls import reverse

from tests.callers import Callers
from tests.site_addresses import API_OF_AN_EVENT
from tests.tournaments.api.endpoints import MAY

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]
BODIES = (b"", b"{}", b"[]", b"null", b'{"x": 1}', b'{"broken', b"\xff\x00", b"[[[[]]]]")
CHANGES = ("post", "put", "patch", "delete")
OF_THE_SITE = (("events", "post"), ("restore", "post"), ("formulas", "post"))


def test_nobody_changes_anything_whatever_the_body(around: Callers) -> None:
    wrong = []
    for name in API_OF_AN_EVENT:
        for method in (each for each in CHANGES if (name, each) in MAY):
            for body in BODIES:
                answer = around.undone("anonymous", method, around.address(name), body)
                if answer.status_code != 401 or answer.json()["code"] != "not_authenticated":
                    wrong.append(f"{method} {name} {body!r}: {answer.status_code}")
    assert not "\n".join(wrong)


def test_nobody_makes_anything_of_the_site(around: Callers) -> None:
    wrong = []
    for name, method in OF_THE_SITE:
        for body in BODIES:
            address = reverse(f"tournaments_api:{name}")
            answer = around.undone("anonymous", method, address, body)
            if answer.status_code != 401:
                wrong.append(f"{method} {name} {body!r}: {answer.status_code}")
    assert not "\n".join(wrong)


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
