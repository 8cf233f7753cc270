"""No file takes long, much memory, or anything but a sentence to be refused."""

import sys
import time
import tracemalloc
from contextlib import suppress

import pytest

from decks.decklists.services import store_decklist_file
from decks.models import Decklist
from rules.errors import BadInput
from tests.decks.readers.files import OPENED, names, read, shipped, with_parts
from tests.decks.readers.nasty import MEBIBYTE, NASTY, SMALL

SECONDS = 1 if sys.gettrace() is None else 5  # of the processor; counting covered lines slows it
MEMORY = 64 * MEBIBYTE
CODES = {"file_rejected", "file_too_large", "column_twice", "text_too_long", "text_unstorable"}


@pytest.mark.deep
@pytest.mark.parametrize("what", NASTY)
def test_a_nasty_file_is_refused_with_a_sentence(what: str) -> None:
    name, make = NASTY[what]
    content = make()
    began = time.process_time()
    with pytest.raises(BadInput) as refused:
        read(content, name)
    assert time.process_time() - began < SECONDS
    assert refused.value.code in CODES | {"wrong_type"}
    assert 15 < len(str(refused.value)) < 200

    tracemalloc.start()
    try:
        with pytest.raises(BadInput):
            read(content, name)
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()


@pytest.mark.django_db
@pytest.mark.parametrize("what", list(NASTY)[1::7])
def test_a_refused_file_leaves_nothing_behind(what: str) -> None:
    name, make = NASTY[what]
    with pytest.raises(BadInput):
        store_decklist_file(rules=shipped("creatures-of-exo"), content=make(), filename=name)
    assert not Decklist.objects.exists()


@pytest.mark.deep
def test_the_size_that_a_sheet_gives_itself_is_not_believed() -> None:
    sheet = f'{OPENED.replace("<sheetData>", "")}<dimension ref="A1:XFD1048576"/><sheetData>'
    row = '<row r="{0}"><c r="A{0}" t="inlineStr"><is><t>{1}</t></is></c></row>'
    rows = row.format(1, "nome") + row.format(1_048_576, "Brace")
    content = with_parts(
        SMALL, {"xl/worksheets/sheet1.xml": f"{sheet}{rows}</sheetData></worksheet>"}
    )
    began = time.process_time()
    deck = read(content).checked.deck
    assert time.process_time() - began < SECONDS
    assert names(deck) == {"main": [(1, "Brace")]}
    assert deck.zones["main"][0].line == 1_048_576


HARMLESS = {
    "a tower of accents": "2 Lupo" + "\u0316\u0301" * 16_000,
    "64 KiB of one line": "(" * 65_000,
    "10,000 lines": "1 a\n" * 13_000,
    "10,000 sections": "Leader\nMain\n" * 5_000,
    "10,000 cards": "\n".join(f"{number}" for number in range(9_000)),
    "turned text": "2 \u202eLupo\u202c {\u2066Creatura}",
    "invisible text": "2 \u200b\u2060\ufeff\n\u00ad",
    "old line ends": "2 Lupo\r3 Orso\x0b4 Faina\x0c",
    "a cell after a cell": "nome,copie\n" + "a,1\n" * 5_000,
    "a zone a row": "nome,zona\n" + "\n".join(f"a,z{number}" for number in range(5_000)),
    "a header of commas": "," * 900_000,
    "a .ydk file of ids": "#main\n" + "\n".join(str(10**9 + number) for number in range(4_000)),
}


@pytest.mark.deep
@pytest.mark.parametrize("what", HARMLESS)
@pytest.mark.parametrize("key", ["creatures-of-exo", "doomtrooper-free"])
def test_rubbish_that_is_a_list_is_read_soon(what: str, key: str) -> None:
    began = time.process_time()
    with suppress(BadInput):
        read(HARMLESS[what], key=key)
    assert time.process_time() - began < 2 * SECONDS
