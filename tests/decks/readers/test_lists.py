"""Lists out of files of other programs, texts and JSON, and how each is told from the others."""

import json
from base64 import b64encode
from collections.abc import Sequence
from struct import pack

import pytest

from decks.readers.base import READERS
from decks.readers.kinds import read_file
from decks.rulebook import DeckRules, deck_format
from rules.deckbuilding.catalogue import CardFacts
from rules.errors import BadInput
from tests.decks.readers.files import names, problems, read, workbook

YDK = "#created by Luca\n#main\n89631139\n89631139\r\n5053103\n#extra\n23995346\n!side\n12580477\n"


def test_a_ydk_list_names_its_cards_by_the_catalogue() -> None:
    known = {
        "id89631139": "Drago Bianco",
        "id5053103": "Bue",
        "id23995346": "Drago Finale",
        "id12580477": "Raigeki",
    }
    found = read(YDK, key="yugioh-2009", **known)
    assert found.type == "ydk"
    assert names(found.checked.deck) == {
        "main": [(2, "Drago Bianco"), (1, "Bue")],
        "fusion": [(1, "Drago Finale")],
        "side": [(1, "Raigeki")],
    }
    assert found.checked.deck.problems == ()
    assert found.text.startswith("Mazzo principale\n2 Drago Bianco\n")


def test_an_unknown_id_is_an_unknown_card_counted_under_its_id() -> None:
    found = read(YDK, key="yugioh-2009", id5053103="Bue")
    deck = found.checked.deck
    assert names(deck)["main"] == [(2, "id 89631139"), (1, "Bue")]
    assert problems(deck) == [("card.unknown", line) for line in (3, 7, 9)]
    assert names(read(found.text, key="yugioh-2009", declared="text").checked.deck) == names(deck)


def test_other_games_take_the_zones_of_a_ydk_list_that_they_have() -> None:
    deck = read("#main\n1\n#extra\n2\n!side\n3", key="doomtrooper-free").checked.deck
    assert names(deck) == {
        "deck": [(1, "id 1")],
        "reserve": [(1, "id 3")],
        "fusion": [(1, "id 2")],
    }
    assert ("zone.unknown", 4) in problems(deck)


def test_a_line_of_a_ydk_list_that_is_no_id_is_unreadable() -> None:
    deck = read("#main\nDrago\n12", "lista.ydk", key="yugioh-2009").checked.deck
    assert problems(deck)[0] == ("line.unreadable", 2)
    assert names(deck) == {"main": [(1, "id 12")]}


COD = """<?xml version="1.0" encoding="UTF-8"?>
<cockatrice_deck version="1">
    <deckname>Prova</deckname>
    <zone name="main">
        <card number="2" name="Brace &amp; Città" setShortName="DT" collectorNumber="12"/>
        <card number="1" name="Re"/>
    </zone>
    <zone name="side"><card number="0" name="Nulla"/><card name="Lupo"/></zone>
    <zone name="tokens"><card number="1" name="Gettone"/></zone>
</cockatrice_deck>
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize(
    ("key", "main", "side"),
    [("creatures-of-exo", "main", "side"), ("doomtrooper-open", "deck", "reserve")],
)
def test_a_cockatrice_list_has_main_and_side(key: str, main: str, side: str, encoding: str) -> None:
    found = read(COD.encode(encoding), key=key)
    deck = found.checked.deck
    assert found.type == "cod"
    assert names(deck) == {
        main: [(2, "Brace & Città"), (1, "Re")],
        side: [(1, "Lupo")],
    }
    assert problems(deck) == [("line.unreadable", 8), ("cards.left_out", 9)]
    assert found.text.endswith("\n1x Gettone\n")
    again = read(found.text, key=key, declared="text").checked.deck
    assert (names(again), again.aside[0].cards) == (names(deck), 1)
    brace = deck.zones[main][0]
    assert (brace.expansion, brace.number, brace.line) == ("DT", "12", 5)


DEK = """<?xml version="1.0" encoding="utf-8"?>
<Deck xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <NetDeckID>0</NetDeckID>
  <Cards CatID="1" Quantity="2" Sideboard="false" Name="Brace &amp; Città" Annotation="0" />
  <Cards CatID="2" Quantity="1" Sideboard="true" Name="Lupo" />
  <Cards CatID="3" Quantity="0" Sideboard="false" Name="Nulla" />
</Deck>
"""


@pytest.mark.parametrize("content", [DEK, DEK.partition("\n")[2]])
def test_a_list_of_magic_online_has_main_and_side(content: str) -> None:
    found = read(content, key="creatures-of-exo")
    assert found.type == "dek"
    assert names(found.checked.deck) == {"main": [(2, "Brace & Città")], "side": [(1, "Lupo")]}
    assert [code for code, _line in problems(found.checked.deck)] == ["line.unreadable"]


def test_entities_and_other_documents_are_refused() -> None:
    for content in ("<?xml version='1.0'?><!DOCTYPE d [<!ENTITY a 'b'>]><Deck/>", "<Deck"):
        with pytest.raises(BadInput) as refused:
            read(content, "lista.dek")
        assert refused.value.code == "file_rejected"


ARENA = """About
Name Prova

Deck
2 Brace di Fuoco (EXO) 12
1 Re (P1) 3a

Sideboard
1 Lupo (EXO) 7
"""


@pytest.mark.parametrize("content", [ARENA, ARENA.partition("\n\n")[2]])
def test_an_export_of_arena_has_sets_and_numbers(content: str) -> None:
    found = read(content, key="creatures-of-exo")
    assert found.type == "text"
    assert names(found.checked.deck) == {
        "main": [(2, "Brace di Fuoco"), (1, "Re")],
        "side": [(1, "Lupo")],
    }
    assert problems(found.checked.deck) == []
    printed = [(entry.expansion, entry.number) for _zone, entry in found.checked.deck]
    assert printed == [("EXO", "12"), ("P1", "3a"), ("EXO", "7")]
    assert found.text == content


def test_an_address_of_yugioh_is_a_list_of_ids() -> None:
    def packed(*numbers: int) -> str:
        return b64encode(pack(f"<{len(numbers)}I", *numbers)).decode()

    parts = (packed(5053103, 5053103, 89631139), packed(23995346), packed(12580477))
    known = {"id5053103": "Bue", "id12580477": "Raigeki", "id23995346": "Finale"}
    found = read(f" ydke://{'!'.join(parts)}!\n", key="yugioh-2009", **known)
    assert found.type == "ydke"
    assert names(found.checked.deck) == {
        "main": [(2, "Bue"), (1, "id 89631139")],
        "fusion": [(1, "Finale")],
        "side": [(1, "Raigeki")],
    }
    for broken in ("ydke://abc", "ydke://AAA=!!!", "ydke://è!!!"):
        with pytest.raises(BadInput) as refused:
            read(broken, key="yugioh-2009")
        assert refused.value.code == "file_rejected"


@pytest.mark.parametrize(
    "content",
    [
        {"text": "Main\n2 Brace"},
        {"zones": {"main": [{"name": "Brace", "count": 2}]}},
        {"text": "Main\n2 Brace", "zones": {"main": []}, "violations": []},
    ],
)
def test_json_is_a_list_as_the_api_takes_it(content: dict[str, object]) -> None:
    found = read(json.dumps(content | {"language": "it"}))
    assert found.type == "json"
    assert names(found.checked.deck) == {"main": [(2, "Brace")]}
    again = read(found.text, declared="text").checked.deck
    assert (again.zones, again.language) == (found.checked.deck.zones, "it")


@pytest.mark.parametrize(
    ("content", "name", "type"),
    [
        ("2 Brace", "", "text"),
        ("2 Brace", "lista", "text"),
        ("nome,quantità\nBrace,2", "lista.txt", "csv"),
        ("nome", "lista.txt", "text"),
        ("nome", "LISTA.CSV", "csv"),
        ("#main\n2 Brace", "lista.txt", "text"),
        ("#main\n123", "lista.txt", "ydk"),
        ("", "lista.ydk", "ydk"),
        (' {"text": "Brace"}', "lista.txt", "json"),
        (workbook([["nome"]]), "lista.txt", "xlsx"),
        ("<cockatrice_deck/>", "lista", "cod"),
    ],
)
def test_the_content_tells_the_type(content: str | bytes, name: str, type: str) -> None:
    assert read(content, name).type == type


def test_a_declared_type_is_taken_at_its_word() -> None:
    assert read("nome,quantità\nBrace,2", declared="text").type == "text"
    with pytest.raises(BadInput) as refused:
        read("2 Brace", declared="xlsx")
    assert refused.value.code == "file_rejected"
    with pytest.raises(BadInput) as unknown:
        read("2 Brace", declared="pdf")
    assert unknown.value.code == "unknown_file_type"
    known = {"text", "csv", "xlsx", "ydk", "ydke", "cod", "dek", "json"}
    assert set(READERS.keys()) == known


class Cards(dict[str, CardFacts]):
    """A catalogue of a few cards."""

    def nearest(self, key: str, limit: int, /) -> Sequence[str]:
        return ()


@pytest.mark.parametrize(
    "content",
    [
        "nome,copie\nRE,1\nLupo,2",
        '<cockatrice_deck><zone name="main"><card name="Re"/></zone></cockatrice_deck>',
    ],
)
def test_cards_of_known_kinds_go_home(content: str) -> None:
    cards = Cards({"re": CardFacts(name="Re", kind="Leader")})
    rules = DeckRules(format=deck_format("creatures-of-exo"), catalogue=cards)
    found = read_file(content.encode(), "", rules)
    assert [entry.name.lower() for entry in found.checked.deck.zones["leader"]] == ["re"]
