"""Lists as tables: a card in each row, its zone, count and tags in cells."""

import pytest

from rules.deckbuilding.catalogue import CardFacts
from rules.deckbuilding.deck import Deck, Entry
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.lines import SIGN_RULE
from rules.deckbuilding.rows import CardRow, deck_from_rows
from tests.rules.deckbuilding.known_cards import cards

EXO = FORMATS.get("creatures-of-exo")


def row(line: int, **cells: str) -> CardRow:
    return CardRow(number=line, cells=cells, shown=" ".join(cells.values()))


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
    assert brace == Entry(
        name="Brace", count=2, kind="Creatura", expansion="SET", number="12", line=3
    )
    assert bear == Entry(name="Orso", expansion="DT", number="7", language="it", line=4)
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
    bad = CardRow(number=5, cells={"zone": "side", "name": "A"}, shown="A", fault=SIGN_RULE)
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
