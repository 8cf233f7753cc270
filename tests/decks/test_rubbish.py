"""Five thousand malformed lists and files: refused or judged, soon, and nothing is stored.

Mutations of good lists of every game and type, the same ones each time; most go straight to the
readers, a part through the API and the upload form. ``make test`` tries every fourth as many.
"""

import json
import random
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO

import pytest
from django.test import Client

from decks.decklists.samples import sample_deck
from decks.models import Decklist
from decks.readers.base import READERS
from decks.readers.kinds import read_file
from decks.writers import WRITERS, write_deck
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.text import parse_decklist
from rules.errors import BadInput
from tests.decks.readers.files import shipped
from tests.decks.readers.nasty import NASTY

SEED = 20261121
STRAIGHT, SENT, UPLOADED = 4150, 600, 250
SECONDS = 2 if sys.gettrace() is None else 10  # counting covered lines slows it
MEMORY_KIB = 100 * 1024

KEYS = FORMATS.keys()
PIECES = [
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\x1a", b"\x0c", b"\r"),
    *(b"'", b'"', b",", b";", b"\t", b"=", b"{", b"}", b"[", b"]", b"<", b">", b"&", b"#", b":"),
    *(b"-1 ", b"0 ", b"1000 ", b"9" * 400, b"(" * 300, b" " * 5000, b"\n" * 500, b"SB: ", b"//"),
    *(b"NaN", b"1e400", b"null", b"true", b"<!DOCTYPE a>", b"&amp;", b"]]>", b"PK\x03\x04"),
    *("è".encode(), "\u202e".encode(), "\u0301\u0316".encode() * 200, "\U0001f98a".encode()),
    *(b"\nMain\n", b"\nReserve:\n", b"#main\n", b"!side\n", b"\nLanguage: en\n", b"nome,zona\n"),
]


class Sent(BytesIO):
    """A file as a browser sends one."""

    def __init__(self, name: str, content: bytes) -> None:
        super().__init__(content)
        self.name = name


def good_lists() -> list[tuple[str, str, bytes]]:
    """Return the format, the name and the content of a good list of every game and type."""
    found = []
    for key in KEYS:
        deck_format = FORMATS.get(key)
        deck = parse_decklist(sample_deck(key, 7), deck_format)
        for writer in WRITERS:
            written = write_deck(deck, deck_format, writer.key)
            found.append((key, written.name, written.content))
        cards = "".join(
            f'<card number="{entry.count}" name="{entry.name}"/>' for _zone, entry in deck
        )
        whole = f'<cockatrice_deck><zone name="main">{cards}</zone></cockatrice_deck>'
        found.append((key, "list.cod", whole.encode()))
        ids = "".join(f"{number * 7919}\n" for number in range(1, 41))
        found.append((key, "list.ydk", f"#main\n{ids}#extra\n1\n!side\n2\n".encode()))
    return found


def mutated(content: bytes, chance: random.Random) -> bytes:
    """Return a content in which one to six things are wrong."""
    made = bytearray(content)
    for _turn in range(chance.randint(1, 6)):
        at = chance.randrange(len(made) + 1)
        length = chance.choice([1, 1, 2, 8, 64, 512])
        chance.choice(WAYS)(made, at, length, chance)
    return bytes(made)


def _insert(made: bytearray, at: int, _length: int, chance: random.Random) -> None:
    made[at:at] = chance.choice(PIECES)


def _flip(made: bytearray, at: int, _length: int, chance: random.Random) -> None:
    if at < len(made):
        made[at] ^= 1 << chance.randrange(8)


def _drop(made: bytearray, at: int, length: int, _chance: random.Random) -> None:
    del made[at : at + length]


def _repeat(made: bytearray, at: int, length: int, chance: random.Random) -> None:
    made[at:at] = bytes(made[at : at + length]) * chance.randint(1, 20)


def _shuffle(made: bytearray, at: int, length: int, chance: random.Random) -> None:
    part = list(made[at : at + length])
    chance.shuffle(part)
    made[at : at + length] = bytes(part)


def _cut(made: bytearray, at: int, _length: int, _chance: random.Random) -> None:
    del made[at:]


WAYS: list[Callable[[bytearray, int, int, random.Random], None]] = [
    *(_insert, _insert, _insert, _flip, _drop, _repeat, _shuffle, _cut)
]


@pytest.fixture(scope="module")
def good() -> list[tuple[str, str, bytes]]:
    """Return good lists of every game and type."""
    return good_lists()


@pytest.fixture(params=[4, pytest.param(1, marks=pytest.mark.deep)])
def share(request: pytest.FixtureRequest) -> int:
    """Return by what the numbers of mutations are divided."""
    return int(request.param)


@pytest.fixture
def in_time() -> Iterator[Callable[[str], None]]:
    """Return what is called after each input: none took long, and memory stayed flat."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    last = time.process_time()

    def check(what: str) -> None:
        nonlocal last
        now = time.process_time()
        assert now - last < SECONDS, what
        last = now

    yield check
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MEMORY_KIB


@pytest.mark.deep
def test_readers_judge_or_refuse(
    good: list[tuple[str, str, bytes]], in_time: Callable[[str], None], share: int
) -> None:
    chance = random.Random(SEED)
    types = [None, None, None, *READERS.keys()]
    refusals: list[str] = []
    tries = STRAIGHT // share
    for number in range(tries):
        key, name, content = chance.choice(good)
        declared = chance.choice(types)
        try:
            read = read_file(mutated(content, chance), name, shipped(key), declared)
        except BadInput as fault:
            refusals.append(str(fault))
        else:
            assert all(str(violation.sentence) for violation in read.checked.violations)
            with suppress(BadInput):
                # What is kept of it is a list again, whatever was in the file.
                read_file(read.text.encode(), "", shipped(key), "text")
        in_time(f"{number}: {key} {name} {declared}")
    assert all(refusals)
    assert tries / 10 < len(refusals) < tries * 9 / 10


@pytest.mark.deep
@pytest.mark.django_db
def test_the_api_judges_or_refuses(
    client: Client, in_time: Callable[[str], None], share: int
) -> None:
    chance = random.Random(SEED + 1)
    for number in range(SENT // share):
        key = chance.choice(KEYS)
        text = sample_deck(key, number % 9)
        deck = parse_decklist(text, FORMATS.get(key))
        by_zones = write_deck(deck, FORMATS.get(key), "json").content
        body = chance.choice([json.dumps({"text": text}).encode(), by_zones])
        answer = client.post(
            f"/api/v1/formats/{key}/validate/",
            mutated(body, chance),
            content_type="application/json",
            REMOTE_ADDR=f"10.0.0.{number // 100}",  # no address asks more than it may
        )
        assert answer.status_code in (200, 400, 413), number
        assert ("violations" in answer.json()) is (answer.status_code == 200)
        assert answer.status_code == 200 or answer.json()["code"]
        in_time(f"{number}: {key}")
    assert not Decklist.objects.exists()


@pytest.mark.deep
@pytest.mark.django_db
def test_the_upload_form_judges_or_refuses(
    client: Client,
    good: list[tuple[str, str, bytes]],
    in_time: Callable[[str], None],
    share: int,
) -> None:
    chance = random.Random(SEED + 2)
    names = ["list.txt", "../../x", "a\u202etxt.csv", "n" * 300, "x.php", ""]
    for number in range(UPLOADED // share):
        key, name, content = chance.choice(good)
        file = Sent(chance.choice([name, name, *names]), mutated(content, chance))
        answer = client.post(f"/formats/{key}/", {"file": file, "text": ""})
        assert answer.status_code in (200, 400), number
        in_time(f"{number}: {key} {name}")
    assert not Decklist.objects.exists()


@pytest.mark.deep
@pytest.mark.django_db
def test_nasty_files_through_the_upload_form(
    client: Client, in_time: Callable[[str], None]
) -> None:
    for what, (name, make) in NASTY.items():
        file = Sent(name, make())
        in_time(f"making {what}")
        answer = client.post("/formats/creatures-of-exo/", {"file": file})
        assert answer.status_code == 400, what
        in_time(what)
    assert not Decklist.objects.exists()


PART = b"--x\r\nContent-Disposition: form-data; name="


@pytest.mark.django_db
@pytest.mark.parametrize(
    "body",
    [
        PART + b'"file"; filename="a\x00b"\r\n\r\na\r\n--x--',
        PART + b'"fi\xffle"\r\n\r\na\r\n--x--\r\n',
        PART + b'"file"; filename="a"\r\n\r\na',
        PART + b'"text"\r\n\r\na\x00b\r\n--x--\r\n',
        b"--x" * 10_000,
        b"",
    ],
)
def test_a_broken_form_is_a_bad_request(client: Client, body: bytes) -> None:
    answer = client.post(
        "/formats/creatures-of-exo/", body, content_type="multipart/form-data; boundary=x"
    )
    assert answer.status_code in (200, 400)
