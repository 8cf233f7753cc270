"""Whatever is sent to the API: a refusal with a code, nothing stored, nothing broken.

Safety notes, T08, T35 and T36.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product

import pytest

from tests.around import tables
from tests.callers import Callers
from tests.tournaments.api.endpoints import BODIES, MAY

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]

REFUSED = {400, 409, 413, 415}
DEEP = 100_000
RAW = (
    *(
        b"{",
        b"null",
        b"1",
        b'"',
        b'"a"',
        b"true",
        b"[[]]",
        b"[1]",
        b"\xff\xfe",
        b"\x00",
        b"[" * DEEP,
    ),
    *(b'{"a":' * DEEP, b"[" * 990 + b"]" * 990, b'{"name": ' + b"[" * 900 + b"]" * 900 + b"}"),
    *(b'{"name": NaN}', b'{"name": Infinity}', b"9" * 5000, b" " * DEEP + b"!"),
)
STRANGE: tuple[object, ...] = (
    *(None, True, -1, 10**30, 1.5, "", " ", "\x00", "a\x00b", "\ud800", "x" * 100_001, "9" * 5000),
    *(
        [],
        {},
        [[]],
        [None],
        [10**30],
        ["\ud800"],
        {"a": 1},
        {"\ud800": 1},
        ["a"] * 5000,
        "١٢",
        "NaN",
    ),
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
    ("rounds", "post"): ("draft",),
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


def no_body_breaks(chosen: Collection[int]) -> None:
    """Send the bodies whose turn it is to each call; each is refused and stores nothing."""
    around = Callers()
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


def test_no_body_breaks_a_call() -> None:
    """Every call with every third body, so that neighbours meet others."""
    no_body_breaks({0})


@pytest.mark.deep
def test_no_other_body_breaks_a_call() -> None:
    no_body_breaks(range(1, THIRDS))


def spoilt(fields: Sequence[str], chosen: Collection[int]) -> Iterator[dict[str, object]]:
    """Yield what spoils one field: all with all, in parts; few fields are all in the first."""
    parts = PARTS if len(fields) >= 3 else 1
    for (turn, field), (at, value) in product(enumerate(fields), enumerate(STRANGE)):
        if (turn + at) % parts in chosen:
            yield {field: value}


def no_value_breaks(calls: Iterable[tuple[str, str]], chosen: Collection[int]) -> None:
    """Send each call with one field spoilt; each answer has to be a good one."""
    around = Callers()
    wrong = []
    for call in calls:
        name, method = call
        for change in spoilt(FIELDS[call], chosen):
            body = json.dumps({**BODIES.get(call, {}), **change}).encode()
            answer = around.undone("organiser", method, around.address(name), body)
            wrong.append(fault(answer, (call, body)))
    assert not "\n".join(filter(None, wrong))


def test_no_value_breaks_a_call() -> None:
    """Every field with every sixth value, so that nearly every call meets every value."""
    no_value_breaks(FIELDS, {0})


@pytest.mark.deep
def test_no_other_value_breaks_a_call() -> None:
    no_value_breaks([call for call in FIELDS if len(FIELDS[call]) >= 3], range(1, PARTS))


def no_event_breaks(chosen: Collection[int], raw: Iterable[bytes] = ()) -> None:
    """Make events with one field spoilt, or of no sense; each answer has to be a good one."""
    around = Callers()
    wrong = []
    for change in spoilt(FIELDS["event", "patch"], chosen):
        body = json.dumps({**NEW, **change}).encode()
        wrong.append(fault(around.undone("organiser", "post", "/api/v1/events/", body), body))
    for body, address in product(raw, ("/api/v1/events/", "/api/v1/events/restore/")):
        wrong.append(fault(around.undone("organiser", "post", address, body), body))
    assert not "\n".join(filter(None, wrong))


def test_no_value_breaks_the_making_of_an_event() -> None:
    no_event_breaks({2}, RAW)


@pytest.mark.deep
def test_no_other_value_breaks_the_making_of_an_event() -> None:
    no_event_breaks({*range(PARTS)} - {2})


def test_an_endless_body_is_refused() -> None:
    around = Callers()
    body = b'[{"name": "' + b"x" * 5_000_000 + b'"}]'
    answer = around.undone("organiser", "post", around.address("players"), body)
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_long")
    many = [{"name": f"N{number}"} for number in range(3000)]
    assert around.undone("organiser", "post", around.address("players"), many).status_code == 400


def test_another_kind_of_body_is_415() -> None:
    around = Callers()
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


def ask(questions: Iterable[tuple[int, int, int]]) -> None:
    """Ask for lists with keys and values, all by their places; each answer has to be a good one."""
    around = Callers()
    for at, key, value in questions:
        address = f"{around.address(READING[at])}?{KEYS[key]}={VALUES[value]}"
        answer = around.undone("organiser", "get", address)
        assert answer.status_code in (200, 304, 400, 404), address
        if answer.status_code >= 400:
            assert answer.json()["code"], address


def test_no_question_breaks_a_list() -> None:
    """Every twelfth question, so that lists, keys and values meet in turns."""
    ask(question for question in QUESTIONS if sum(question) % 12 == 0)


@pytest.mark.deep
def test_no_question_at_all_breaks_a_list() -> None:
    ask(QUESTIONS)


def test_pages_are_as_long_as_the_site_says() -> None:
    around = Callers()
    for name in ("players", "rounds", "matches"):
        past = around.undone("anonymous", "get", f"{around.address(name)}?page=-1")
        assert (past.status_code, past.json()["code"]) == (404, "not_found")
        all_at_once = f"{around.address(name)}?page_size={10**9}"
        assert around.undone("anonymous", "get", all_at_once).status_code == 200


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


def test_events_are_found_by_format(client) -> None:
    around = Callers()
    found = client.get(f"/api/v1/events/?format={around.event.format}").json()
    assert [row["slug"] for row in found["results"]] == [around.event.slug]


@pytest.mark.parametrize("digits", [10, 19, 20, 40, 4000])
def test_no_number_in_an_address_breaks(digits: int) -> None:
    around = Callers()
    for part in ("players/{}/", "players/{}/decklist/", "rounds/{}/", "matches/{}/"):
        address = f"/api/v1/events/{around.event.slug}/{part.format('9' * digits)}"
        answer = around.undone("organiser", "get", address)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
