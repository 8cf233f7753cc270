"""Lists out of tables: files with commas, semicolons or tabs, and workbooks."""

import pytest

from decks.readers.kinds import of_another_program
from tests.decks.readers.files import names, problems, read, workbook

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
    assert of_another_program(text)
    assert names(read(text, "").checked.deck) == {"main": [(4, "Lupo")]}
    assert not of_another_program("sep=;\n4 Lupo")


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
