"""Whatever is sent to the API: a refusal with a code, nothing stored, nothing broken."""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import product
from typing import Any

import pytest

from rules.json_reader import LARGE
from tests.around import tables
from tests.callers import Callers
from tests.schema_numbers import Numbers, replaced
from tests.tournaments.api.endpoints import BODIES, MAY

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]


REFUSED = {400, 409, 413, 415}
DEEP = 100_000
RAW = (
    *(b"{", b"null", b"1", b'"', b'"a"', b"true", b"[[]]", b"[1]", b"\xff\xfe", b"\x00"),
    b"[" * DEEP,
    *(b'{"a":' * DEEP, b"[" * 990 + b"]" * 990, b'{"name": ' + b"[" * 900 + b"]" * 900 + b"}"),
    *(b'{"name": NaN}', b'{"name": Infinity}', b"9" * 5000, b" " * DEEP + b"!"),
)
STRANGE: tuple[object, ...] = (
    *(None, True, -1, 10**30, 1.5, "", " ", "\x00", "a\x00b", "\ud800", "x" * 100_001, "9" * 5000),
    *([], {}, [[]], [None], [10**30], ["\ud800"], {"a": 1}, {"\ud800": 1}, ["a"] * 5000),
    *("١٢", "NaN"),
    *(list(range(1, 3000)), [[1] * 1000] * 30, "9999-12-31T23:59:59+00:00", "0001-01-01T00:00"),
    {"legs": {"a": [10**30]}},
)
FIELDS = {
    ("event", "patch"): (
        *("name", "slug", "about", "format", "formula", "legs", "starts_at", "time_zone", "venue"),
        *("capacity", "decklists", "minutes", "criteria", "points", "options", "status", "reason"),
        *("show_prospects", "confirm_after", "fee", "registration_opens", "registration_closes"),
        "version",
    ),
    ("start", "post"): ("seed", "groups", "witnesses", "note", "override"),
    ("players", "post"): ("name", "club", "seed", "status", "reason", "late"),
    ("player", "patch"): ("name", "club", "seed", "status", "reason", "late"),
    ("decklist", "put"): ("text", "zones", "language", "reason"),
    ("stage-lots", "post"): ("order", "note", "witnesses"),
    ("stage-extra-matches", "post"): ("players", "draft"),
    ("rounds", "post"): ("draft", "pairings"),
    ("round-clock", "post"): ("action", "minutes"),
    ("match-result", "put"): (
        *("version", "score", "games", "winner", "ended_by", "tie_break", "note", "later"),
    ),
    ("match-effects", "post"): ("version", "score", "games", "winner", "ended_by", "battle_cards"),
    ("match-correction", "post"): ("version", "games", "way", "shown", "void", "confirm"),
    ("match-bye", "post"): ("player", "way", "shown", "void", "note", "confirm"),
    ("draw-correction", "post"): ("order", "way", "shown", "void", "note", "confirm"),
    ("seeds-correction", "post"): ("seeds", "order", "way", "shown", "void", "note", "confirm"),
    ("player-correction", "post"): ("comes", "name", "way", "shown", "void", "note", "confirm"),
}
NEW = {"name": "Torneo", "format": "thoom", "formula": "single-group", "starts_at": "2027-01-09"}
THIRDS = 3
PARTS = 6  # of all bodies; ``make test`` sends one
SENDING = [call for call in MAY if call[1] in ("post", "put", "patch")]


def fault(answer: object, sent: object) -> str:
    """Return what is wrong with an answer to rubbish; nothing where it is as it should be."""
    status = answer.status_code
    if status >= 500 or (status >= 400 and not answer.json().get("code")):
        return f"{status} for {str(sent)[:100]!r}: {answer.content[:200]!r}"
    return ""


def in_turns(first: object, others: object) -> pytest.MarkDecorator:
    """Let a test choose what is sent by ``make test``, and all else by ``make test-all``."""
    parts = [first, pytest.param(others, marks=pytest.mark.deep)]
    return pytest.mark.parametrize("chosen", parts, ids=["first", "others"])


@pytest.mark.deep
@in_turns({0}, range(1, THIRDS))
def test_no_body_breaks_a_call(around: Callers, chosen: Collection[int]) -> None:
    """Every call with every third body, so that neighbours meet others; nothing is stored."""
    before, wrong = tables(), []
    for (turn, call), (at, body) in product(enumerate(SENDING), enumerate(RAW)):
        if (turn + at) % THIRDS not in chosen:
            continue
        name, method = call
        answer = around.undone("organiser", method, around.address(name), body)
        wrong.append(fault(answer, (call, body)))
        if call in FIELDS and answer.status_code not in REFUSED:
            wrong.append(f"{call}: {answer.status_code} for {body[:40]!r}")
    assert not "\n".join(filter(None, wrong))
    assert tables() == before


def spoilt(fields: Sequence[str], chosen: Collection[int]) -> Iterator[dict[str, object]]:
    """Yield what spoils one field: all with all, in parts; few fields are all in the first."""
    parts = PARTS if len(fields) >= 3 else 1
    for (turn, field), (at, value) in product(enumerate(fields), enumerate(STRANGE)):
        if (turn + at) % parts in chosen:
            yield {field: value}


@pytest.mark.deep
@in_turns({0}, range(1, PARTS))
def test_no_value_breaks_a_call(around: Callers, chosen: Collection[int]) -> None:
    """Every field with every sixth value, so that nearly every call meets every value."""
    wrong = []
    for call in FIELDS:
        name, method = call
        for change in spoilt(FIELDS[call], chosen):
            body = json.dumps({**BODIES.get(call, {}), **change}).encode()
            answer = around.undone("organiser", method, around.address(name), body)
            wrong.append(fault(answer, (call, body)))
    assert not "\n".join(filter(None, wrong))


@pytest.mark.deep
@in_turns({2}, {*range(PARTS)} - {2})
def test_no_value_breaks_the_making_of_an_event(around: Callers, chosen: Collection[int]) -> None:
    wrong = []
    for change in spoilt(FIELDS["event", "patch"], chosen):
        body = json.dumps({**NEW, **change}).encode()
        wrong.append(fault(around.undone("organiser", "post", "/api/v1/events/", body), body))
    for body, address in product(RAW, ("/api/v1/events/", "/api/v1/events/restore/")):
        wrong.append(fault(around.undone("organiser", "post", address, body), body))
    assert not "\n".join(filter(None, wrong))


def test_a_body_that_is_endless_or_of_another_kind_is_refused(around: Callers) -> None:
    body = b'[{"name": "' + b"x" * 5_000_000 + b'"}]'
    answer = around.undone("organiser", "post", around.address("players"), body)
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_long")
    many = [{"name": f"N{number}"} for number in range(3000)]
    assert around.undone("organiser", "post", around.address("players"), many).status_code == 400
    for kind in ("text/plain", "multipart/form-data", "application/x-www-form-urlencoded"):
        answer = around.clients["organiser"].post(
            around.address("players"), data=b"name=Zita", content_type=kind
        )
        assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


WHOLE = ("archive", "export")  # ask nothing, and take long
READING = [name for name, method in MAY if method == "get" and name not in WHOLE]
KEYS = ("page", "page_size", "stage", "group", "round", "player", "status", "format", "search")
VALUES = ("-1", "0", "9" * 30, "9" * 5000, "²", "%00", "%ED%A0%80", "a", "", "1.5", "xml")
QUESTIONS = [*product(range(len(READING)), range(len(KEYS)), range(len(VALUES)))]


@pytest.mark.deep
@in_turns({0}, range(1, 12))
def test_no_question_breaks_a_list(around: Callers, chosen: Collection[int]) -> None:
    """Every twelfth question, so that lists, keys and values meet in turns."""
    for at, key, value in (each for each in QUESTIONS if sum(each) % 12 in chosen):
        address = f"{around.address(READING[at])}?{KEYS[key]}={VALUES[value]}"
        answer = around.undone("organiser", "get", address)
        assert answer.status_code in (200, 304, 400, 404), address
        if answer.status_code >= 400:
            assert answer.json()["code"], address


def test_pages_are_as_long_as_the_site_says_and_events_found_by_format(around, client) -> None:
    for name in ("players", "rounds", "matches"):
        past = around.undone("anonymous", "get", f"{around.address(name)}?page=-1")
        assert (past.status_code, past.json()["code"]) == (404, "not_found")
        all_at_once = f"{around.address(name)}?page_size={10**9}"
        assert around.undone("anonymous", "get", all_at_once).status_code == 200
    found = client.get(f"/api/v1/events/?format={around.event.format}").json()
    assert [row["slug"] for row in found["results"]] == [around.event.slug]


@pytest.mark.parametrize("key", ["status", "format", "formula", "search", "page"])
@pytest.mark.parametrize("value", ["%00", "%ED%A0%80", "9" * 5000, "x" * 3000, "%25", "²", ""])
def test_no_question_breaks_the_events(client, key: str, value: str) -> None:
    answer = client.get(f"/api/v1/events/?{key}={value}")
    refused = {"page": 404, "status": 400 if value else 200}
    assert answer.status_code in (200, refused.get(key, 200))
    assert answer.status_code == refused["status"] or key != "status"


@pytest.mark.parametrize(
    "value", ["nan", "inf", "-inf", "1e400", "9" * 30, "-1", "%00", "²", "", "1.5"]
)
@pytest.mark.parametrize("key", ["players", "minutes", "tables", "hours", "turn_round"])
def test_no_number_breaks_the_advice(client, key: str, value: str) -> None:
    asked = {"players": "16", key: value}
    query = "&".join(f"{name}={text}" for name, text in asked.items())
    answer = client.get(f"/api/v1/formulas/advice/?{query}")
    assert answer.status_code in (200, 400)
    assert answer.status_code == 200 or key in answer.json()
    assert b"NaN" not in answer.content


@pytest.mark.parametrize("digits", [10, 19, 20, 40, 4000])
def test_no_number_in_an_address_breaks(around: Callers, digits: int) -> None:
    for part in ("players/{}/", "players/{}/decklist/", "rounds/{}/", "matches/{}/"):
        address = f"/api/v1/events/{around.event.slug}/{part.format('9' * digits)}"
        answer = around.undone("organiser", "get", address)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


OUTSIDE = (
    *(-1, 0, 32_767, 32_768, LARGE, LARGE + 1, -LARGE - 2, 2**53 + 1),
    *(2**63 - 1, 2**63, -(2**63) - 1, 10**30, 1e308, -1.5),
)
SEVENTHS = 7  # of all values; ``make test`` sends one
ONE = {"name": "Brace", "count": 1}
RULES = {
    "zones": [{"key": "main", "name": "Main", "min": 40, "max": 60}],
    "copies": {"max": 4, "own": {"Brace": 9}},
    "kinds": [{"key": "a", "name": "A", "zones": ["main"], "min": 0, "max": 9}],
    "sums": [{"zones": ["main"], "min": 40, "max": 60}],
    "match": {"best_of": 3, "score": "points", "target": 9, "minutes": 50},
    "standings": {"points": {"win": 3, "draw": 1, "loss": 0}, "criteria": ["points"]},
}
FREE: dict[str, Any] = {
    "rank/": {
        "players": [1, 2, 3, 4],
        "points": {"win": 3, "draw": 1, "loss": 0},
        "matches": [
            {"round": 1, "a": 1, "b": 2, "score": [3, 1], "games": [2, 1, 0]},
            {"round": 2, "a": 1, "b": None},
        ],
        "penalties": {"1": 2},
        "lots": [2, 1],
    },
    "tables/": {
        "players": [
            {"player": 7, "points": 5, "met": {"4": 1}, "small": 1, "byes": 1, "seats": [[1, 4]]},
            *({"player": number} for number in (4, 5, 6)),
        ],
        "sizes": [4, 3],
        "apart": [[7, 4]],
    },
    "formats/try/": {"rules": RULES, "zones": {"main": [ONE]}},
    "formats/creatures-of-exo/validate/": {"zones": {"main": [ONE]}},
    "formats/creatures-of-exo/exchange/": {
        "registered": {"main": [ONE], "side": [ONE]},
        "out": {"main": [ONE]},
        "in": {"side": [ONE]},
        "games_played": 1,
    },
    "formats/": {"game": "A", "name": "A", "lists": "counted", "rules": RULES},
}
FREE["rank/?tables"] = {
    "players": [1, 2, 3],
    "points": {"win": 5, "draw": 1, "loss": 1, "bye": 5},
    "usual": 3,
    "matches": [{"round": 1, "seats": [1, 2, 3], "scores": [9, 3, 1]}],
}


@pytest.fixture
def numbers(client) -> list[Any]:
    return [*Numbers(client.get("/api/schema/", headers={"accept": "application/json"}).json())]


def test_every_number_that_is_sent_has_bounds_that_the_database_has(numbers) -> None:
    assert len(numbers) > 100
    without = [
        (each.method, each.path, each.where, each.name)
        for each in numbers
        if not each.shape.get("minimum", -LARGE - 1) >= -LARGE
        or not each.shape.get("maximum", LARGE + 1) <= LARGE
    ]
    assert without == []


def ask(around: Callers, number: Any, value: Any) -> str:
    """Send a number in its place; return what is wrong with the answer."""
    known = {
        "slug": "creatures-of-exo" if "/formats/" in number.path else around.event.slug,
        "match_id": around.match.pk,
    }

    def part(found: re.Match[str]) -> str:
        name = found[1]
        return str(value if number.where == "path" and number.name == name else known.get(name, 1))

    address = re.sub(r"{(\w+)}", part, number.path)
    body: Any = None
    if number.where == "query":
        address += f"?players=16&{number.name}={value}"
    if number.where == "body":
        usual = NEW if number.path == "/api/v1/events/" else body_of(number)
        made = number.made(value)
        body = {**usual, **made} if isinstance(made, dict) else made
    answer = around.undone("organiser", number.method, address, body)
    return fault(answer, (number.method, address, number.name, value, body))


def body_of(number: Any) -> dict[str, Any]:
    """Return what a call is sent in other tests."""
    of = number.path.removesuffix("/").rpartition("/")[2]
    found = {name: body for (name, method), body in BODIES.items() if method == number.method}
    names = (of, f"match-{of}", f"round-{of}", f"player-{of}", f"stage-{of}")
    return next((dict(found[name]) for name in names if isinstance(found.get(name), dict)), {})


@pytest.mark.deep
@in_turns({0}, range(1, SEVENTHS))
def test_no_number_breaks_a_call(around: Callers, numbers, chosen: Collection[int]) -> None:
    """Every number with every seventh value, so that all values are sent somewhere."""
    wrong = []
    for (turn, number), (at, value) in product(enumerate(numbers), enumerate(OUTSIDE)):
        if (turn + at) % SEVENTHS in chosen:
            wrong.append(ask(around, number, value))
    assert not "\n".join(filter(None, wrong))


@pytest.mark.deep
@pytest.mark.parametrize("call", FREE)
def test_no_number_breaks_a_document(around: Callers, call: str) -> None:
    wrong = []
    for (_name, made), value in product(replaced(FREE[call]), OUTSIDE):
        body = made(value)
        answer = around.undone("organiser", "post", f"/api/v1/{call}", body)
        wrong.append(fault(answer, body))
    assert not "\n".join(filter(None, wrong))


@pytest.mark.deep
@pytest.mark.parametrize("players", [3, 702 * 4 + 1, 2_900, 5_000])
def test_every_number_of_players_is_advised(client, players: int) -> None:
    answer = client.get(f"/api/v1/formulas/advice/?players={players}")
    assert (answer.status_code, bool(answer.json())) == (200, True)
