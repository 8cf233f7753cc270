"""Lists out of files of other programs, texts and JSON; tables and workbooks."""

import json
from base64 import b64encode
from collections.abc import Sequence
from struct import pack

import pytest

from decks.readers.base import READERS
from decks.readers.kinds import may_be_foreign_file, read_file
from decks.rulebook import DeckRules
from decks.stored_formats import load_format
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
    rules = DeckRules(format=load_format("creatures-of-exo"), catalogue=cards)
    found = read_file(content.encode(), "", rules)
    assert [entry.name.lower() for entry in found.checked.deck.zones["leader"]] == ["re"]


TABLE = [
    ["Zona", "Numero di copie", "Nome", "Tipo", "Espansione", "Genere", "Versione", "Lingua"],
    ["Mazzo", 2, "Brace", "Creatura", "SET 12", "Fuoco", "A", "it"],
    ["", "", "Re", "Leader", "", "", "", ""],
    ["Riserva", "x3", "Lupo", "", "", "", "", ""],
]


def as_csv(delimiter: str) -> str:
    return "\n".join(delimiter.join(map(str, row)) for row in TABLE)


@pytest.mark.parametrize("content", [as_csv(","), as_csv(";"), as_csv("\t"), workbook(TABLE)])
def test_a_table_is_a_list(content: str | bytes) -> None:
    found = read(content)
    deck = found.checked.deck
    assert found.type == ("csv" if isinstance(content, str) else "xlsx")
    assert names(deck) == {"leader": [(1, "Re")], "main": [(2, "Brace")], "reserve": [(3, "Lupo")]}
    brace = deck.zones["main"][0]
    assert (brace.kind, brace.expansion, brace.number) == ("Creatura", "SET", "12")
    assert (brace.genus, brace.version, brace.language, brace.line) == ("Fuoco", "A", "it", 2)
    assert problems(deck) == [("zone.unknown", 4)]


@pytest.mark.parametrize("header", ["name", "Nome", "carta", "CARD"])
def test_only_the_name_is_needed(header: str) -> None:
    found = read(f"{header}\nBrace\n\nLupo (DT) {{Creatura}}", "lista.csv")
    assert names(found.checked.deck) == {"main": [(1, "Brace"), (1, "Lupo")]}
    assert [entry.line for entry in found.checked.deck.zones["main"]] == [2, 4]
    assert found.checked.deck.zones["main"][1].expansion == "DT"


@pytest.mark.parametrize(
    "head",
    [
        "card_name,set_code,set_name,collector_number,amount",  # deckstats
        "Card Name,Edition Code,Edition Name,Collector #,Quantity",  # Archidekt, Magic Online
        "cardname;set;printing;card_number;cardq",
        "Card Name,Set Code,Set Name,Card Number,Quantity,Printing",  # Dragon Shield
    ],
)
def test_columns_of_other_programs_are_known(head: str) -> None:
    rows = ["Brace,DT,Doomtrooper,A25-141,４,Foil", "Lupo,,Inquisition,63★,2.0,Normal"]
    if not head.endswith("Printing"):
        rows = [row.rpartition(",")[0] for row in rows]
    text = "\n".join([head, *rows])
    found = read(text.replace(",", ";") if ";" in head else text)
    assert found.type == "csv"
    brace, wolf = found.checked.deck.zones["main"]
    assert (brace.count, brace.expansion, brace.number) == (4, "DT", "A25-141")
    assert (wolf.count, wolf.expansion, wolf.number) == (2, "Inquisition", "63★")
    assert problems(found.checked.deck) == []


def test_a_name_without_its_picture_goes_before_the_other() -> None:
    text = "Quantity,Name,Simple Name\n3,Brace (JP Alternate Art),Brace\n2,Brace,Brace\n1,Lupo,"
    assert names(read(text).checked.deck) == {"main": [(5, "Brace"), (1, "Lupo")]}


def test_columns_come_in_any_order_and_others_are_let_be() -> None:
    deck = read("note,expansion,number,name,count\nbella,DT,12,Brace,2").checked.deck
    entry = deck.zones["main"][0]
    assert (entry.count, entry.name, entry.expansion, entry.number) == (2, "Brace", "DT", "12")


@pytest.mark.parametrize(
    "row",
    [
        "0,Brace,",
        "-1,Brace,",
        "1000,Brace,",
        "due,Brace,",
        "2,123,",
        "2,,",
        "1,Brace,A25-141-of-too-many-signs",
    ],
)
def test_a_bad_row_is_named_and_kept_in_the_text(row: str) -> None:
    found = read(f"count,name,number\n1,Lupo,\n{row}\n1,Orso,")
    deck = found.checked.deck
    assert names(deck) == {"main": [(1, "Lupo"), (1, "Orso")]}
    assert problems(deck) == [("line.unreadable", 3)]
    again = read(found.text, declared="text").checked.deck
    assert names(again) == names(deck)
    assert [code for code, _line in problems(again)] == ["line.unreadable"]


def test_a_row_that_is_wider_than_the_header_is_bad() -> None:
    deck = read("count,name\n2,Lupo, il grigio\n1,Orso,,").checked.deck
    assert names(deck) == {"main": [(1, "Orso")]}
    assert problems(deck) == [("line.unreadable", 2)]


def test_a_zone_that_nobody_knows_is_kept_under_its_name() -> None:
    deck = read("zone,name\nVarie,Brace").checked.deck
    assert names(deck) == {"Varie": [(1, "Brace")]}
    assert problems(deck) == [("zone.unknown", 2)]


def test_a_row_may_declare_the_language_of_the_list() -> None:
    deck = read(
        "zone,name\n,Lingua: it\nmain,Language: en\n,Language: it\n,Lingua: en"
    ).checked.deck
    assert deck.language == "it"
    assert names(deck) == {"main": [(1, "Language: en")]}
    assert problems(deck) == [("line.unreadable", 5)]


@pytest.mark.parametrize("content", ["", "\n\n", workbook([[]])])
def test_an_empty_table_is_an_empty_list(content: str | bytes) -> None:
    found = read(content, "lista.csv")
    assert names(found.checked.deck) == {}
    assert found.text == ""
    assert not found.checked.legal


MTGO = """Card Name,Quantity,ID #,Rarity,Set,Collector #,Premium,Sideboarded,Annotation
"Lupo, il grigio",4,65649,Rare,EXO,24/274,No,No,0
Orso,1,65650,Rare,EXO,25/274,Yes,Yes,0
"""


def test_a_table_that_says_yes_to_the_sideboard() -> None:
    for name in ("lista.csv", ""):
        found = read(MTGO, name)
        deck = found.checked.deck
        assert found.type == "csv"
        assert names(deck) == {"main": [(4, "Lupo, il grigio")], "side": [(1, "Orso")]}
        assert problems(deck) == [("columns.left_out", None)]
        again = read(found.text, declared="text").checked.deck
        assert (names(again), again.problems) == (names(deck), deck.problems)
        assert found.text.splitlines()[-1].endswith(": ID #, Rarity, Premium, Annotation")


def test_cards_aside_stay_in_the_text() -> None:
    found = read("Board,Qty,Name\nmain,4,Lupo\nmaybe,1,Orso\nMaybe,2,Volpe\nCompanion,1,Re\n")
    deck = found.checked.deck
    assert names(deck) == {"main": [(4, "Lupo")], "side": [(1, "Re")]}
    assert problems(deck) == [("cards.left_out", 3)]
    again = read(found.text, declared="text").checked.deck
    assert (names(again), again.aside[0].cards) == (names(deck), 3)


def test_a_table_has_a_column_for_each_zone() -> None:
    found = read("Name,Main,Side\nLupo,4,\nOrso,2,1\nRe,,\nLanguage: it,,\n")
    deck = found.checked.deck
    assert names(deck) == {"main": [(4, "Lupo"), (2, "Orso")], "side": [(1, "Orso")]}
    assert problems(deck) == [("line.unreadable", 4)]
    assert deck.language == "it"


def test_a_kind_that_is_a_zone_is_no_kind() -> None:
    deck = read("Name,Qty,Type\nLupo,4,Creatura\nOrso,1,Side\n").checked.deck
    found = [(zone, entry.name, entry.kind) for zone, entry in deck]
    assert found == [("main", "Lupo", "Creatura"), ("side", "Orso", "")]


def test_a_row_whose_zone_is_unclear_is_asked_about() -> None:
    found = read("Name,Qty,Note\nLupo,4,bello\nOrso,1,Side\n")
    deck = found.checked.deck
    assert names(deck) == {"main": [(4, "Lupo")]}
    assert problems(deck) == [("line.unreadable", 3), ("columns.left_out", None)]


def test_a_line_that_announces_the_delimiter_is_no_card_where_a_table_is_pasted() -> None:
    text = '"sep=;"\nFolder Name;Quantity;Card Name;Set Code\nLupi;4;Lupo;EXO\n'
    assert may_be_foreign_file(text)
    assert names(read(text, "").checked.deck) == {"main": [(4, "Lupo")]}
    assert not may_be_foreign_file("sep=;\n4 Lupo")


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("Binder Name,Binder Type,Name,Quantity\nA,list,Lupo,4\nA,list,Orso,1", "Binder Type"),
        ("Binder Name,Binder Type,Name,Quantity\nA,deck,Lupo,4\nB,binder,Orso,1", "Binder Type"),
        ("Name;Quantity;Raccolta\nLupo;4;Collezione\nOrso;1;Lista", "Raccolta"),
        ("Count,Tradelist Count,Name,Edition\n4,0,Lupo,EXO\n1,1,Orso,EXO", "Tradelist Count"),
        ("Folder Name,Quantity,Trade Quantity,Card Name\nA,4,0,Lupo", "Trade Quantity"),
        ("Name,Qty,Wishlist\nLupo,4,No\nOrso,1,No", "Wishlist"),
        ("Name,Qty,Type\nLupo,4,Binder\nOrso,1,List", "Type"),
    ],
)
def test_a_table_of_a_collection_is_asked_about(table: str, column: str) -> None:
    for text in (table, table.replace("\n", "\n\n", 2)):
        found = read(text)
        asked = [one for one in found.checked.deck.problems if one.code == "line.unreadable"]
        assert [(one.line, one.severity) for one in asked] == [(1, "error")]
        assert f"“{column}”" in str(asked[0].sentence)
        again = read(found.text, declared="text").checked.deck
        assert [one.code for one in again.problems].count("line.unreadable") == 1
        kept = [line for line in found.text.splitlines() if not line.startswith("? ")]
        mended = read("\n".join(kept), declared="text").checked.deck
        assert "line.unreadable" not in [one.code for one in mended.problems]
        assert names(mended) == names(found.checked.deck)


@pytest.mark.parametrize(
    "table",
    [
        "Binder Name,Binder Type,Name,Quantity\nA,deck,Lupo,4",
        "Name,Qty,Board\nLupo,4,main\nOrso,1,Wishlist",
        "Name,Qty,Tradelist\nLupo,4,",
        "Count,Tradelist Count,Name\n4,4,Lupo\n1,1,Orso",
        "Name,Qty,Tag\nLupo,4,list\nOrso,1,fast",
    ],
)
def test_other_tables_are_decks(table: str) -> None:
    deck = read(table).checked.deck
    assert names(deck)["main"][0] == (4, "Lupo")
    assert {code for code, _line in problems(deck)} <= {"cards.left_out", "columns.left_out"}
