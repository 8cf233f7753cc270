"""Tables of cards: rows, columns that say where a card is, and names of two parts."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.catalogue import CardFacts
from rules.deckbuilding.columns import RowZones, ZoneColumns, ignored_columns_note
from rules.deckbuilding.deck import Deck, DeckEntry
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.known_headings import USUAL_WORDS, HeadingRole, headings_with_role
from rules.deckbuilding.lines import (
    NO_CARDS,
    SIGN_RULE,
    add_part_headings,
    possible_zone_assignments,
    remove_part_breaks,
)
from rules.deckbuilding.render import section_heading
from rules.deckbuilding.rows import CardTableRow, deck_from_rows
from rules.deckbuilding.text import parse_decklist
from rules.errors import RuleError
from tests.rules.deckbuilding.reading import (
    COMMANDER,
    DOOMTROOPER,
    EXO,
    MAGIC,
    READY,
    THOOM,
    YUGIOH,
    cards,
    cards_of,
    named,
)


def row(line: int, **cells: str) -> CardTableRow:
    return CardTableRow(number=line, cells=cells, shown=" ".join(cells.values()))


def listed(deck: Deck) -> dict[str, list[tuple[int, str]]]:
    """Return the cards of each zone that has some, with their counts."""
    zones = {key: [(entry.count, entry.name) for entry in deck.zone(key)] for key in deck.zones}
    return {key: entries for key, entries in zones.items() if entries}


def problems(deck: Deck) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in deck.problems]


@pytest.mark.parametrize("count", ["4", "4.0", "4,0", "4,00x", "×4", "x 4", "4 X", "４"])
def test_a_count_in_the_notation_of_any_spreadsheet(count: str) -> None:
    deck = deck_from_rows([row(2, count=count, name="Lupo")], EXO)
    assert listed(deck) == {"main": [(4, "Lupo")]}


def test_cells_become_zones_counts_and_tags() -> None:
    deck = deck_from_rows(
        [
            row(2, zone="Side", count="x3", name="Lupo"),
            row(3, zone="mazzo", count="2.0", name="Brace (SET 12)", kind="Creatura"),
            row(4, name="Orso", expansion="DT", number="7", language="it"),
        ],
        EXO,
    )
    assert listed(deck) == {"side": [(3, "Lupo")], "main": [(2, "Brace"), (1, "Orso")]}
    brace, bear = deck.zone("main")
    assert brace == DeckEntry(
        name="Brace", count=2, kind="Creatura", expansion="SET", number="12", line=3
    )
    assert bear == DeckEntry(name="Orso", expansion="DT", number="7", language="it", line=4)
    assert deck.problems == ()


def test_a_row_without_zone_goes_where_its_kind_belongs() -> None:
    rows = [row(2, name="Regina"), row(3, name="Re", kind="Leader"), row(4, name="Brace")]
    queen = cards(CardFacts(name="Regina", kind="Leader"))
    assert listed(deck_from_rows(rows, EXO, queen)) == {
        "leader": [(1, "Regina"), (1, "Re")],
        "main": [(1, "Brace")],
    }
    assert listed(deck_from_rows(rows, EXO))["main"] == [(1, "Regina"), (1, "Brace")]


@pytest.mark.parametrize(
    "cells",
    [
        {"count": "0", "name": "Brace"},
        {"count": "-1", "name": "Brace"},
        {"count": "due", "name": "Brace"},
        {"count": "1000", "name": "Brace"},
        {"count": "2", "name": "123"},
        {"name": ""},
        {"name": "Brace", "number": "x" * 21},
    ],
)
def test_a_bad_row_is_a_problem_and_the_others_are_read(cells: dict[str, str]) -> None:
    deck = deck_from_rows([row(2, name="Lupo"), row(3, **cells), row(4, name="Orso")], EXO)
    assert listed(deck) == {"main": [(1, "Lupo"), (1, "Orso")]}
    assert problems(deck) == [("line.unreadable", 3)]


def test_a_row_that_its_reader_found_bad_keeps_the_reason() -> None:
    bad = CardTableRow(number=5, cells={"zone": "side", "name": "A"}, shown="A", fault=SIGN_RULE)
    (problem,) = deck_from_rows([bad], EXO).problems
    assert (problem.code, problem.zone, problem.line) == ("line.unreadable", "side", 5)
    assert str(SIGN_RULE) in str(problem.sentence)


def test_an_unknown_zone_keeps_its_cards_and_is_named() -> None:
    deck = deck_from_rows([row(2, zone="Varie", name="Brace")], EXO)
    assert listed(deck) == {"Varie": [(1, "Brace")]}
    assert problems(deck) == [("zone.unknown", 2)]


def test_rows_may_declare_one_language() -> None:
    deck = deck_from_rows(
        [
            row(2, name="Lingua: it"),
            row(3, zone="main", name="Language: en"),
            row(4, name="Language: Italiano"),
            row(5, name="Lingua: en"),
        ],
        EXO,
    )
    assert deck.language == "it"
    assert listed(deck) == {"main": [(1, "Language: en")]}, "a row with a zone is a card"
    assert problems(deck) == [("line.unreadable", 5)]


def test_cells_name_places_beside_the_zones() -> None:
    rows = [
        row(2, zone="mainboard", name="Lupo"),
        row(3, zone="Maybe", name="Orso", count="2"),
        row(4, zone="Companion", name="Volpe"),
        row(5, zone="side", name="Volpe"),
        row(6, zone="maybe", name="Gatto"),
    ]
    deck = deck_from_rows(rows, EXO)
    assert listed(deck) == {"main": [(1, "Lupo")], "side": [(1, "Volpe")]}
    assert problems(deck) == [("cards.left_out", 3)]
    assert [each.cards for each in deck.aside] == [3]


ASKED = "?"
KNOWN = {"name": 0, "count": 1}
SWU = READY["star-wars-unlimited"]


def places(
    heads: Sequence[str],
    *rows: Sequence[str],
    known: dict[str, int] | None = None,
    shape: DeckFormat = MAGIC,
) -> list[object]:
    """Return the places of each row, "?" where it is asked about."""
    columns = ZoneColumns(heads, rows, KNOWN if known is None else known, shape)
    return [_told(columns.placed(row)) for row in rows]


def _told(placed: RowZones) -> object:
    if placed.fault is not None:
        assert placed.places == ()
        return ASKED
    return [(word, count) if count else word for word, count in placed.places]


@pytest.mark.parametrize("head", ["Board", "Mazzo", "Sideboarded", "Pila", "", "Type of pile"])
def test_a_column_whose_values_are_zones_is_one(head: str) -> None:
    rows = [["A", "4", "main"], ["B", "1", "Side"], ["C", "1", "maybe"], ["D", "1", ""]]
    found = places(["Name", "Qty", head], *rows, ["E", "1"])
    assert found == [["main"], ["Side"], ["maybe"], [], []]


@given(
    st.lists(
        st.sampled_from(
            [
                *USUAL_WORDS["main"],
                *USUAL_WORDS["side"],
                *headings_with_role(HeadingRole.ASIDE),
                "",
                "Creatures",
            ]
        ),
        min_size=1,
    )
)
def test_all_words_of_zones_are_values(words: list[str]) -> None:
    rows = [[f"Carta {at}", "1", word] for at, word in enumerate(words)]
    columns = ZoneColumns(["Name", "Qty", "Dove"], rows, KNOWN, MAGIC)
    if {*words} <= {"", "Creatures"}:
        assert columns.unread == (("Dove",) if "Creatures" in words else ())
        return
    assert columns.unread == ()
    assert [columns.placed(row).places for row in rows] == [
        ((word, ""),) if word not in ("", "Creatures") else () for word in words
    ]


@pytest.mark.parametrize(("yes", "no"), [("Yes", "No"), ("TRUE", "FALSE"), ("x", ""), ("sì", "no")])
@pytest.mark.parametrize(
    ("head", "word"),
    [("Sideboarded", "Sideboarded"), ("In Sideboard?", "Sideboard"), ("maybeboard", "maybeboard")],
)
def test_a_column_called_after_a_place_says_yes_or_no(
    yes: str, no: str, head: str, word: str
) -> None:
    found = places(["Name", "Qty", head], ["A", "4", no], ["B", "1", yes])
    assert found == [[], [word]]


def test_no_to_the_main_zone_is_asked_about() -> None:
    found = places(["Name", "Qty", "Main"], ["A", "4", "yes"], ["B", "1", "no"], ["C", "1", ""])
    assert found == [["Main"], ASKED, []]


def test_columns_called_after_zones_hold_numbers() -> None:
    heads, only = ["Name", "Main Qty", "Sideboard"], {"name": 0}
    rows = [["A", "4", "0"], ["B", "2", "1"], ["C", "", "3.0"], ["D", "0", ""], ["E", "", ""]]
    assert places(heads, *rows, known=only) == [
        [("Main", "4")],
        [("Main", "2"), ("Sideboard", "1")],
        [("Sideboard", "3")],
        [("", "0")],
        [("", "0")],
    ]
    heads = ["Name", "Qty", "Sideboard"]
    rows = [["A", "4", "0"], ["B", "2", "2"], ["C", "3", "1"], ["D"]]
    assert places(heads, *rows) == [[], ["Sideboard"], ASKED, []]


def test_categories_may_name_a_place() -> None:
    rows = [["A", "4", "Ramp, Removal"], ["B", "1", "Ramp; Maybeboard"], ["C", "1", "Commander|X,"]]
    found = places(["Name", "Qty", "Categories"], *rows, ["D", "1", "main, Ramp"], shape=COMMANDER)
    assert found == [[], ["Maybeboard"], ["Commander"], []]


def test_another_column_that_names_a_place_now_and_then_is_asked_about() -> None:
    rows = [["A", "4", "veloce"], ["B", "1", "Side"], ["C", "1", "main"], ["D", "1", ""]]
    columns = ZoneColumns(["Name", "Qty", "Note"], rows, KNOWN, MAGIC)
    assert [_told(columns.placed(row)) for row in rows] == [[], ASKED, [], []]
    assert columns.unread == ("Note",)
    assert "“Note” (“Side”)" in str(columns.placed(rows[1]).fault)


def test_columns_that_contradict_each_other_are_asked_about() -> None:
    known = KNOWN | {"zone": 2}
    heads = ["Name", "Qty", "Zone", "Sideboarded", "Side"]
    rows = [["A", "4", "main", "No"], ["B", "1", "main", "Yes"], ["C", "1", "Side", "Yes"]]
    assert places(heads, *rows, known=known) == [["main"], ASKED, ["Side"]]
    rows = [["A", "4", "main", "", "3"], ["B", "", "Side", "", ""]]
    assert places(heads, *rows, known={"name": 0, "zone": 2}) == [ASKED, [("", "0")]]


def test_the_column_of_zones_keeps_words_that_nobody_knows() -> None:
    rows = [["A", "4", "Varie"], ["B", "1", "Creatures"], ["C", "1", "side"]]
    found = places(["Name", "Qty", "Zone"], *rows, known=KNOWN | {"zone": 2})
    assert found == [["Varie"], [], ["side"]]


def test_kinds_of_cards_may_be_zones() -> None:
    def of_kinds(*kinds: str, shape: DeckFormat = MAGIC) -> list[object]:
        rows = [["A", "1", kind] for kind in kinds]
        return places(["Name", "Qty", "Type"], *rows, known=KNOWN | {"kind": 2}, shape=shape)

    assert of_kinds("Main", "Side", "") == [["Main"], ["Side"], []]
    assert of_kinds("Creature", "Side") == [[], ["Side"]]
    assert of_kinds("Elfo", "Side", "Elfo") == [[], ASKED, []]
    assert of_kinds("Elfo", "Main", "Creature") == [[], [], []]
    assert of_kinds("") == [[]]
    assert of_kinds("Leader", "Creatura", "Side", shape=EXO) == [[], [], ["Side"]]
    assert of_kinds("Leader", "Base", "Unit", shape=SWU) == [["Leader"], ["Base"], []]
    heads = ["Name", "Qty", "Card Type"]
    assert places(heads, ["A", "1", "Leader"], ["B", "3", "Unit"], shape=SWU) == [["Leader"], []]


def test_columns_of_which_nothing_is_read_are_named() -> None:
    heads = ["Name", "Qty", "Foil", "Empty", "", "Board", "Deck"]
    rows = [["A", "4", "foil", "", "x", "main", "Lupi"], ["B", "1", "", " "]]
    columns = ZoneColumns(heads, rows, KNOWN, MAGIC)
    assert columns.unread == ("Foil", "5", "Deck")
    said = ignored_columns_note(columns.unread)
    assert (said.code, said.severity, said.found) == ("columns.left_out", "info", 3)
    assert "Foil, 5, Deck" in str(said.sentence)


def test_a_board_holds_the_card_of_a_zone_of_few() -> None:
    heads = ["Name", "Qty", "Board", "Commander"]
    rows = [["Lupo", "1", "main", "True"], ["Orso", "99", "main", ""], ["Gru", "1", "side", "True"]]
    assert places(heads, *rows, shape=COMMANDER) == [["Commander"], ["main"], ASKED]
    side = ["Name", "Qty", "Board", "Sideboard"]
    assert places(side, ["Lupo", "1", "main", "Yes"]) == [ASKED]


SPLIT = pytest.mark.parametrize("shape", [f for f in FORMATS if len(f.zones) > 1], ids=named)
MAIN = "\n".join(f"2 Mostro {letter}" for letter in "abcdefghijklmnopqrst")
SIDE = "\n".join(f"1 Magia {letter}" for letter in "abcdefghijklmno")
THREE = f"{MAIN}\n\n2 Drago a\n1 Drago b\n\n{SIDE}\n"


def lines_of(text: str, shape: DeckFormat = YUGIOH) -> list[tuple[int, int]]:
    """Return the lines of the parts that have no names, [] where nothing is asked."""
    found = [
        each for each in parse_decklist(text, shape).problems if each.code == "list.parts_unnamed"
    ]
    assert all(each.severity == "error" and each.line == each.lines[1][0] for each in found)
    return [lines for each in found for lines in each.lines]


def test_fifteen_cards_of_the_side_join_no_main_deck_unasked() -> None:
    deck = parse_decklist(THREE, YUGIOH)
    (asked,) = [v for v in YUGIOH.validate(deck) if v.severity == "error"]
    assert (asked.code, asked.found) == ("list.parts_unnamed", 3)
    assert asked.lines == ((1, 20), (22, 23), (25, 39))
    assert "(lines 1–20, 22–23, 25–39)" in str(asked.sentence)
    assert possible_zone_assignments(deck.parts, YUGIOH) == [("main", "fusion", "side")]
    named_list = add_part_headings(THREE, deck, ("main", "fusion", "side"), section_heading)
    again = parse_decklist(named_list, YUGIOH)
    assert again.counts() == {"main": 40, "fusion": 3, "side": 15}
    assert not any(v.severity == "error" for v in YUGIOH.validate(again))


@SPLIT
@pytest.mark.parametrize("empty", ["\n\n", "\n\n\n", "\n \t\n", "\r\n\r\n", "\n# nota\n\n"])
def test_one_empty_line_is_enough(shape: DeckFormat, empty: str) -> None:
    assert len(lines_of(f"3 Lupo{empty}2 Orso\n1 Volpe", shape)) == 2


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("\n\n3 Lupo\n2 Orso\n\n", []),
        ("3 Lupo\n# nota\n2 Orso", []),
        ("3 Lupo\n// Sideboard\n2 Orso", []),
        ("3 Lupo\n//15 Side\n2 Orso", []),
        ("3 Lupo\n// Sideboard\n// 1 Volpe\n2 Orso", [(1, 1), (3, 4)]),
        ("Main\n3 Lupo\n\n2 Orso\n\n1 Volpe", []),
        ("3 Lupo\n//\n2 Orso", [(1, 1), (3, 3)]),
        ("3 Lupo\n---\n2 Orso", [(1, 1), (3, 3)]),
        ("3 Lupo\n\nSide\n2 Orso\n\n1 Volpe", []),
        ("3 Lupo\n\n2 Orso\n\nSide\n1 Volpe", [(1, 1), (3, 3)]),
        ("3 Lupo\n\nSB: 1 Volpe", []),
        ("3 Lupo\n\nSB: 1 Volpe\n1 Orso", [(1, 1), (3, 4)]),
        ("Lingua: it\n\n3 Lupo", []),
        ("Mostri (3):\n\n3 Lupo\n\nMagie\n\n1 Dono", []),
        ("Mostri (3):\n\nLupo\n\nMagie\n\nDono", [(3, 3), (5, 5), (7, 7)]),
        ("Mostri (3):\n\n3 Lupo\n\nMagie:\n\n1 Dono", []),
        ("Mostri (3):\n3 Lupo\n\n# Magie\n1 Dono\n\n1 Raggio", [(1, 2), (4, 5), (7, 7)]),
        ("La mia lista\n\nLupo\nOrso", [(1, 1), (3, 4)]),
    ],
)
def test_what_parts_a_list(text: str, lines: list[tuple[int, int]]) -> None:
    assert lines_of(text) == lines
    assert lines_of(f"\ufeff{text}") == lines


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f"Main\n{MAIN}\n\n{SIDE}", 2),
        (f"Main\n{MAIN}\n#\n{SIDE}", 2),
        (f"Main\n{MAIN}\n\nSide\n{SIDE}", 0),
        (f"Main\n{MAIN}", 0),
        (f"Main\n3 Lupo\n\n{MAIN}", 0),
        (f"Main\nMostri:\n{MAIN}\n\nMagie:\n{SIDE}", 0),
    ],
)
def test_a_heading_above_all_is_asked_about_where_sizes_are_those_of_several(
    text: str, parts: int
) -> None:
    assert len(parse_decklist(text, YUGIOH).parts) == parts


def test_a_format_of_one_zone_asks_nothing() -> None:
    assert parse_decklist("3 Lupo\n\n2 Orso\n\n1 Volpe", THOOM).problems == ()


@pytest.mark.parametrize(
    ("shape", "text", "offered"),
    [
        (DOOMTROOPER, "3 Lupo\n\n2 Orso", [("deck", "reserve")]),
        (YUGIOH, f"{MAIN}\n\n{SIDE}", [("main", "fusion"), ("main", "side")]),
        (YUGIOH, f"{MAIN}\n\n2 Drago", [("main", "fusion"), ("main", "side")]),
        (YUGIOH, "Titolo\n\nLupo\nOrso", [(NO_CARDS, "main")]),
        (YUGIOH, "1 A\n\n1 B\n\n1 C\n\n1 D", []),
        (EXO, f"1 Re\n\n{MAIN}", [("leader", "main"), ("main", "evolution"), ("main", "side")]),
    ],
)
def test_what_the_parts_may_be(
    shape: DeckFormat, text: str, offered: list[tuple[str, ...]]
) -> None:
    assert possible_zone_assignments(parse_decklist(text, shape).parts, shape) == offered


def test_headings_stand_above_the_parts_and_nothing_else_changes() -> None:
    text = "\ufeffLa mia lista\r\n\r\n# forti\r\nLupo\r\n\r\nOrso\r\n\r\nSB: Volpe\r\nCorvo"
    zones = (NO_CARDS, "main", "main", "side")
    assert add_part_headings(text, parse_decklist(text, YUGIOH), zones, section_heading) == (
        "\ufeff// La mia lista\r\n\r\nMain\r\n# forti\r\nLupo\r\n\r\nOrso\r\n\r\n"
        "Side\r\nSB: Volpe\r\nCorvo"
    )


@pytest.mark.parametrize("zones", [("main",), ("main", "side", "side")])
def test_a_list_that_has_other_parts_by_now_is_let_be(zones: tuple[str, ...]) -> None:
    deck = parse_decklist("3 Lupo\n\n2 Orso", YUGIOH)
    with pytest.raises(RuleError) as refused:
        add_part_headings("3 Lupo\n\n2 Orso", deck, zones, section_heading)
    assert refused.value.code == "line_changed"
    with pytest.raises(RuleError) as joined:
        remove_part_breaks("3 Lupo", parse_decklist("3 Lupo", YUGIOH), YUGIOH)
    assert joined.value.code == "line_changed"


BLOCKS = st.lists(
    st.lists(
        st.sampled_from(["3 Lupo", "1 Orso", "1 Volpe {Leader}", "# nota", "2 Re"]), min_size=1
    ),
    min_size=1,
    max_size=6,
)


@given(st.sampled_from(list(FORMATS)), BLOCKS, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_no_answer_loses_a_card(
    shape: DeckFormat, blocks: list[list[str]], end: str, mark: bool
) -> None:
    text = ("\ufeff" if mark else "") + (end * 2).join(end.join(block) for block in blocks)
    deck = parse_decklist(text, shape)
    if not deck.parts:
        return
    joined = parse_decklist(remove_part_breaks(text, deck, shape), shape)
    assert (joined.problems, joined.zones) == ((), deck.zones)
    zones = [shape.zone_keys[at % len(shape.zones)] for at in range(len(deck.parts))]
    split = parse_decklist(add_part_headings(text, deck, zones, section_heading), shape)
    assert split.problems == ()
    for zone in shape.zone_keys:
        parts = [part.cards for part, known in zip(deck.parts, zones, strict=True) if known == zone]
        assert split.size(zone) == sum(parts)
    assert total(split) == total(deck)


def total(deck: Deck) -> int:
    """Return the number of cards of a deck."""
    return sum(count for _zone, count, _name in cards_of(deck))
