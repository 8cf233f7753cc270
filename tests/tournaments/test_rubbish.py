"""Malformed input: refused with a sentence, nothing stored; scripts come out as plain text.

Safety notes, T08, T28, T35 and T36. The rubbish is drawn from a fixed seed.
"""

import json
import random
from collections.abc import Collection, Iterator
from http.cookies import SimpleCookie
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from tests.around import Around, tables
from tests.event_addresses import BODIES, EVENT_PAGES, NOBODY, PLAYER
from tests.storing import Writes
from tournaments.models import Event, Match
from tournaments.models.tables import clear_row_marks
from tournaments.players.services import entries
from tournaments.rounds.services import publish_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]

RUBBISH = (
    *("", " ", "\x00", "a\x00b", "\ud800", "-1", "0", "1.5", "1e9", "NaN", "²", "٣", "١٢"),
    *("9" * 30, "9" * 5000, "-" + "9" * 400, "x" * 100_001, "<b>", "%00", "null", "[]", "{}"),
    *("2026-02-30T25:61", "9999-12-31T23:59", "0001-01-01T00:00", "\u202eabc", "é" * 81, "1,1,1"),
)
EXTRA = {
    "manage-players-seeds": ("seed_1", "seed_x", "seed_" + "9" * 5000, "seed_²"),
    "manage-settings": (
        *("name", "starts_at", "venue", "time_zone", "format", "formula", "minutes", "capacity"),
        *("criterion_points", "decklist_deadline", "points_win", "decklists"),
        *("fee", "registration_opens", "registration_closes"),
    ),
    "manage-start-hand": ("witnesses", "note", "place_1", "place_2"),
    "lots-hand": ("tied", "place_1", "place_²", "witnesses", "note"),
    "lots-draw": ("tied", "seed"),
    "lots-correct": ("tied", "place_1", "reason", "confirm", "later", "shown", "typed", "again"),
    "match-bye": ("player", "reason", "confirm", "later", "shown", "typed", "again"),
    "manage-seeds-correct": ("seed_1", "reason", "confirm", "later", "shown", "typed", "again"),
    "manage-player-not-in": ("comes", "name", "reason", "confirm", "later", "shown", "typed"),
    "match-correct": (
        *("version", "score_a", "winner", "ended_by", "reason", "confirm", "later", "shown"),
        *("typed", "again"),
    ),
    "desk-result": ("winner", "ended_by", "tie_break", "note", "text", "battle_a"),
    "my-report": ("winner", "tie_break", "preset", "sure"),
    "my-confirm": ("version",),
    "my-contradict": ("version",),
    "my-deck": ("text", "expected"),
    "my-deck-mend": ("text", "mend"),
    "manage-player-decklist": ("text", "expected", "reason"),
    "manage-start-go": ("draw", "absent", "seen", "despite", "override"),
    "manage-player-link": ("revoke",),
    "register": ("club",),
    "my-call": ("reason",),
    "rulings": ("rulings", "seen"),
    "penalties": ("note", "considered"),
    "desk-clock": ("minutes",),
}
TRIES = 4
EVERY = 32  # of which ``make test`` sends one
SCRIPT = "<script>xss()</script>"
NO_PAGES = {"application/json", "application/pdf", "image/png", "text/calendar"}
NO_PAGES |= {"text/csv", "text/plain"}
IMAGE = "\"'><img src=x onerror=xss()>"
JSON_RUBBISH = (
    *(b"", b"{", b"null", b"[]", b"1", b'"', b"[" * 50_000, b'{"a":' * 50_000, b"\xff\xfe"),
    *(b'{"text": 1e400}', b'{"text": "\\ud800"}', b'{"players": 1}', b'{"matches": {}}'),
    *(b'{"text": NaN}', b"9" * 5000, b'{"text": ' + b"9" * 5000 + b"}", b" " * 100_000),
    *(b'{"players": ["a"], "matches": [{"a": "a", "b": "z"}]}', b'{"zones": {"main": [1]}}'),
    b'{"players": ["a", "b"], "matches": [{"a": "a", "b": "b", "score": [1e400, true]}]}',
)


def bodies(name: str, chance: random.Random) -> Iterator[dict[str, str]]:
    """Yield a right body with one field gone or spoilt, several times."""
    usual = dict(BODIES.get(name, {}))
    fields = [*usual, *EXTRA.get(name, ())] or ["nothing"]
    yield {}
    for _ in range(TRIES):
        body = dict(usual)
        spoilt = chance.choice(fields)
        body[spoilt] = chance.choice(RUBBISH)
        if chance.random() < 0.2:
            body.pop(chance.choice(fields), None)
        yield body
    for field in EXTRA.get(name, ()):
        yield usual | {field: chance.choice(RUBBISH)}
        yield usual | {field: "9" * 5000}


def sent(browser: Client, address: str, body: dict[str, str]) -> int:
    """Send a form as bytes, so that half characters get through; return the status."""
    raw = urlencode(body, errors="surrogatepass").encode()
    form = "application/x-www-form-urlencoded"
    return browser.post(address, data=raw, content_type=form).status_code


STATES = ("registration", "running")


@pytest.mark.deep
@pytest.mark.parametrize("state", STATES)
def test_no_form_breaks_and_what_is_refused_is_not_stored(state: str) -> None:
    """Every form, with every thirty-second of the bodies, of each form others."""
    assert not "\n".join(broken(state, [0]))


@pytest.mark.deep
@pytest.mark.parametrize("state", STATES)
def test_no_form_breaks_by_the_other_bodies_either(state: str) -> None:
    assert not "\n".join(broken(state, range(1, EVERY)))


def broken(state: str, rests: Collection[int]) -> Iterator[str]:
    """Send the bodies whose turn it is; yield the forms that break or store what they refuse."""
    around, chance = Around(state), random.Random(7)
    before = tables()
    for page, (name, (_reads, sends)) in enumerate(EVENT_PAGES.items()):
        if sends == NOBODY:
            continue
        role = "player" if sends == PLAYER else "organiser"
        browser = around.browsers[role]
        browser.raise_request_exception = False
        session = {key: kept.value for key, kept in browser.cookies.items()}
        every = enumerate(bodies(name, chance), start=page)
        for body in (each for at, each in every if at % EVERY in rests):
            cache.clear()
            writes = Writes()
            with transaction.atomic():
                with connection.execute_wrapper(writes):
                    status = sent(browser, around.address(name), body)
                stored = status >= 400 and writes.tables and tables() != before
                transaction.set_rollback(True)
            browser.cookies = SimpleCookie(session)
            if status >= 500 or stored:
                yield f"{name}: {status} for {str(body)[:120]!r}"


@pytest.mark.deep
@pytest.mark.parametrize("name", ["log", "manage-players", "desk-tables", "desk-battle", "event"])
@pytest.mark.parametrize("value", ["\x00", "9" * 5000, "-1", "²", "%", "_", "x" * 3000])
def test_no_address_breaks(name: str, value: str) -> None:
    around = Around("running")
    keys = ("word", "page", "filter", "next", "seeds", "since", "score_a", "text")
    query = urlencode(dict.fromkeys(keys, value))
    assert around.browsers["organiser"].get(f"{around.address(name)}?{query}").status_code == 200


@pytest.mark.deep
@pytest.mark.parametrize("digits", [10, 19, 20, 40, 5000])
def test_no_number_in_an_address_breaks(digits: int) -> None:
    around = Around("running")
    for part in ("pairings", "desk/rounds", "matches", "manage/players"):
        address = f"/events/{around.event.slug}/{part}/{'9' * digits}/"
        assert around.browsers["organiser"].get(address).status_code == 404


@pytest.mark.parametrize("address", ["/api/v1/rank/", "/api/v1/formats/creatures-of-exo/validate/"])
@pytest.mark.parametrize("at", range(len(JSON_RUBBISH)))
def test_no_json_breaks(client: Client, address: str, at: int) -> None:
    body = JSON_RUBBISH[at]
    answer = client.post(address, data=body, content_type="application/json")
    assert answer.status_code in (200, 400)
    assert json.loads(answer.content)


@pytest.mark.deep
def test_scripts_come_out_as_text() -> None:
    around = Around("registration")
    payload = SCRIPT + IMAGE
    browser = around.browsers["organiser"]
    Event.objects.filter(pk=around.event.pk).update(
        name=payload, venue=payload, about=payload, minutes=50
    )
    around.event.entries.update(name=payload[:80], club=payload[:80])
    clear_row_marks()
    around.by.user.name = payload[:80]
    around.by.user.save()
    event = Event.objects.get(pk=around.event.pk)
    entries.add_entry(event=event, name="Zita", by=around.by)
    event = started(event, around, payload)
    match = Match.objects.filter(round__event=event, match_seats__number=2)[0]
    around.parts |= {"match_id": match.pk, "number": 1}
    seen = 0
    for role in ("anonymous", "player", "organiser"):
        for name, (reads, _sends) in EVENT_PAGES.items():
            if reads and name != "workbook":
                answer = around.browsers[role].get(around.address(name))
                if answer.headers.get("Content-Type", "").partition(";")[0] in NO_PAGES:
                    assert answer.headers["X-Content-Type-Options"] == "nosniff", name
                    continue  # no browser reads it as a page
                page = answer.content.decode()
                assert SCRIPT not in page, name
                assert "<img src=x" not in page, name
                seen += "&lt;script&gt;xss()" in page
    lists = browser.get(reverse("tournaments:event-list")).content.decode()
    assert SCRIPT not in lists
    assert seen > 40


def started(event: Event, around: Around, payload: str) -> Event:
    """Start the event, with a draw by hand before witnesses, and report a result with a note."""
    numbers = list(event.entries.values_list("number", flat=True))
    browser = around.browsers["organiser"]
    hand = {f"place_{number}": str(at) for at, number in enumerate(numbers, start=1)}
    hand |= {"witnesses": payload, "note": payload}
    assert browser.post(around.address("manage-start-hand"), hand).status_code == 302
    assert browser.post(around.address("manage-start-go"), {"draw": "1"}).status_code == 302
    event = Event.objects.get(pk=event.pk)
    item = publish_round(event=event, ordinal=1, by=around.by)
    match = item.matches.filter(match_seats__number=2)[0]
    around.parts["match_id"] = match.pk
    body = {"version": "0", "score_a": "10", "score_b": "40", "winner": "a", "note": payload}
    browser.post(around.address("desk-result"), body | {"ended_by": "concession"})
    return event
