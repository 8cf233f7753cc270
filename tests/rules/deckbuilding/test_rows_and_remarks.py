"""Rows of tables, copies in words and remarks behind names: read in one way, or asked about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.catalogue import CardCatalogue, CardFacts
from rules.deckbuilding.cells import split_quoted_cells
from rules.deckbuilding.deck import DeckEntry
from rules.deckbuilding.lines import read_card
from rules.deckbuilding.render import render_entry
from rules.deckbuilding.text import parse_decklist
from rules.names import card_key
from tests.rules.deckbuilding.reading import MAGIC, cards, zones


def asked(line: str, catalogue: CardCatalogue | None = None) -> tuple[str, ...]:
    """Return the answers that are offered to a line, each of which can be read in one way."""
    deck = parse_decklist(f"3 Volpe\n{line}", MAGIC, catalogue)
    assert zones(deck) == {"main": {"Volpe": 3}}
    (problem,) = deck.problems
    assert (problem.code, problem.line) == ("line.unclear", 2)
    for way in problem.suggestions:
        assert [one.code for one in parse_decklist(way, MAGIC, catalogue).problems] == []
    return problem.suggestions


def read(text: str, catalogue: CardCatalogue | None = None) -> dict[str, dict[str, int]]:
    """Return the cards of a list without problems."""
    deck = parse_decklist(text, MAGIC, catalogue)
    assert deck.problems == ()
    return zones(deck)


def known(*names: str) -> CardCatalogue:
    return cards(*(CardFacts(name=name) for name in names))


TWO_CELLS = [
    *('"3","Orso Bruno"', '"Orso Bruno","3"', '"3";"Orso Bruno"', '"3"\t"Orso Bruno"'),
    *(
        '"3", "Orso Bruno"',
        '3,"Orso Bruno"',
        '3, "Orso Bruno"',
        '"Orso Bruno",3',
        "“3”,“Orso Bruno”",
    ),
    *("'3','Orso Bruno'", "'Orso Bruno';'3'", '["3","Orso Bruno"],', '- "3","Orso Bruno"'),
    *('("Orso Bruno", 3),', '"3x","Orso Bruno"', '"3","Orso Bruno",""', '"3 Orso Bruno"'),
    *('"3 Orso Bruno",', '"3x Orso Bruno";', "«3»;«Orso Bruno»", '"3","3 copies of Orso Bruno"'),
]


@pytest.mark.parametrize("line", TWO_CELLS[:-1])
def test_a_number_and_a_name_in_quotation_marks_are_a_card(line: str) -> None:
    assert read(line) == {"main": {"Orso Bruno": 3}}
    assert read(f"{line}\nSide\n1 Lupo") == {"main": {"Orso Bruno": 3}, "side": {"Lupo": 1}}


def test_cells_may_hold_delimiters_quotation_marks_and_apostrophes() -> None:
    assert read('"2","Orso, il bruno"\n"1","Henzie ""Toolbox"" Torre"\n\'4\',\'Urza\'s Mine\'') == {
        "main": {"Orso, il bruno": 2, 'Henzie "Toolbox" Torre': 1, "Urza's Mine": 4}
    }


@pytest.mark.parametrize(
    "name",
    [
        *('Kongming, "Sleeping Dragon"', 'Kongming,"Sleeping Dragon"', 'Henzie "Toolbox" Torre'),
        *('"Ach! Hans, Run!"', '"Lifetime" Pass Holder', '"Orso"', 'Lupo; "Orso"', "Orso, 'l Lupo"),
    ],
)
def test_quotation_marks_within_a_name_belong_to_it(name: str) -> None:
    assert read(f"2 {name}") == {"main": {name: 2}}
    assert read(name) == {"main": {name: 1}}


@pytest.mark.parametrize(
    ("line", "ways"),
    [
        ('"2","Orso Bruno","DT"', ("2x Orso Bruno (DT)", "2x Orso Bruno")),
        ('"Orso Bruno";"DT";"2"', ("2x Orso Bruno (DT)", "2x Orso Bruno")),
        ('"2","Orso Bruno","DT","44"', ("2x Orso Bruno (DT 44)", "2x Orso Bruno")),
        ('2,"Orso, il bruno",DT,44', ("2x Orso, il bruno (DT 44)", "2x Orso, il bruno")),
        ('"2","Orso Bruno","Creature"', ("2x Orso Bruno", '// "2","Orso Bruno","Creature"')),
        ('"Orso Bruno","Lupo"', ("1x Orso Bruno", "1x Lupo")),
        ('"XYZ","2","44"', ("2x XYZ", "44x XYZ")),
        ("2,Orso Bruno,DT", ("2x Orso Bruno (DT)", "2x Orso Bruno")),
        ("Orso Bruno,DT,2", ("2x Orso Bruno (DT)", "2x Orso Bruno")),
    ],
)
def test_a_row_of_more_cells_is_asked_about(line: str, ways: tuple[str, ...]) -> None:
    assert asked(line)[: len(ways)] == ways


@pytest.mark.parametrize("line", ["2;Orso Bruno;DT", "2\tOrso Bruno\tDT", "2;Orso Bruno;;DT"])
def test_rows_of_more_cells_offer_their_cards(line: str) -> None:
    (problem,) = parse_decklist(line, MAGIC).problems
    assert problem.code == "line.unreadable"
    assert problem.suggestions == ("2x Orso Bruno (DT)", "2x Orso Bruno")


@pytest.mark.parametrize(
    "line", ['"side","2","Orso"', '"2","44"', '"0","Creature"', '"2","Orso {a,b,c}"']
)
def test_a_row_that_no_line_says_is_told(line: str) -> None:
    deck = parse_decklist(line, MAGIC)
    assert (zones(deck), [one.code for one in deck.problems]) == ({}, ["line.unreadable"])


@given(st.text(st.sampled_from("\"'“” ,;\t4aB[(-")))
def test_any_quotation_marks_are_cells_or_not(line: str) -> None:
    assert all(cell == cell.strip() and cell for cell in split_quoted_cells(line))


def test_quotation_marks_around_a_whole_name_are_not_of_it() -> None:
    assert card_key('"Orso"') == card_key("“Orso”") == card_key("Orso")
    assert card_key('"Orso" e "Lupo"') != card_key("Orso e Lupo")
    faults = MAGIC.validate(parse_decklist('58 Bosco\n3 Orso\n2 "Orso"', MAGIC))
    assert [(one.code, one.found) for one in faults if one.card == "Orso"] == [
        ("copies.too_many", 5)
    ]


COPIES = [
    *("3 copies of Orso", "3x Copies of Orso", "3 copie di Orso", "3 esemplari di Orso"),
    *("3 Kopien von Orso", "3 Exemplare von Orso", "3 copies de Orso", "3 exemplaires de Orso"),
    *("3 copias de Orso", "3 ejemplares de Orso", "3 cópias de Orso", "3 exemplares de Orso"),
    *("- 3 copies of Orso", "Orso (3 copies)", "Orso (3 Kopien)", '"3","copies of Orso"'),
]


@pytest.mark.parametrize("line", COPIES)
def test_copies_in_words_are_copies(line: str) -> None:
    assert read(line) == {"main": {"Orso": 3}}
    assert read(line, known("Orso")) == {"main": {"Orso": 3}}


@pytest.mark.parametrize(
    ("line", "ways"),
    [
        ("1 copy of Orso", ("1x Orso", "copy of Orso x1")),
        ("3 copie dell'Orso", ("3x Orso", "copie dell'Orso x3")),
        ("SB: 3 copies de l’Orso", ("SB: 3x l’Orso", "SB: copies de l’Orso x3")),
        ("3 exemplaires d'Orso (DT)", ("3x Orso (DT)", "exemplaires d'Orso (DT) x3")),
        ("1 copia de Orso", ("1x Orso", "copia de Orso x1")),
        ("1 Kopie vom Orso", ("1x Orso", "Kopie vom Orso x1")),
        ("Orso - 3 copies", ("3x Orso", "1x Orso - 3 copies")),
        ("Orso 3 copie", ("3x Orso", "1x Orso 3 copie")),
    ],
)
def test_what_may_be_a_name_is_asked_about(line: str, ways: tuple[str, ...]) -> None:
    assert asked(line) == ways


def test_a_card_of_the_catalogue_may_be_called_so() -> None:
    named = known("Copie di Orso", "Volpe")
    assert asked("3 copie di Orso", named) == ("3x Orso", "copie di Orso x3")
    assert read("copie di Orso x3", named) == {"main": {"copie di Orso": 3}}


@pytest.mark.parametrize("name", ["Copy Artifact", "Copycat", "Exemplar of Strength", "Copies"])
def test_other_names_begin_alike(name: str) -> None:
    assert read(f"3 {name}") == {"main": {name: 3}}


@pytest.mark.parametrize(
    ("line", "ways"),
    [
        ("3 Orso Bruno // the best", ("3x Orso Bruno", "Orso Bruno // the best x3")),
        ("3x Orso Bruno //ok?", ("3x Orso Bruno", "Orso Bruno //ok? x3")),
        ("3 Orso Bruno // 2nd", ("3x Orso Bruno", "Orso Bruno // 2nd x3")),
        ("3 Orso Bruno // Sideboard", ("3x Orso Bruno", "Orso Bruno // Sideboard x3")),
        ("3 Orso Bruno // Creature", ("3x Orso Bruno", "Orso Bruno // Creature x3")),
        ("3 Fire // Ice // great", ("3x Fire // Ice", "Fire // Ice // great x3")),
        ("SB: 3 Orso // bello (DT)", ("SB: 3x Orso (DT)", "SB: Orso // bello (DT) x3")),
    ],
)
def test_a_remark_behind_a_name_is_asked_about(line: str, ways: tuple[str, ...]) -> None:
    assert asked(line) == ways


def test_a_remark_in_a_list_without_numbers_is_asked_about() -> None:
    deck = parse_decklist("Lupo\nOrso // bello\nFire // Ice", MAGIC)
    assert zones(deck) == {"main": {"Lupo": 1, "Fire // Ice": 1}}
    assert [one.suggestions for one in deck.problems] == [("1x Orso", "Orso // bello x1")]


@pytest.mark.parametrize(
    "line", ["3 Orso (DT) 44 // bello", "3x Orso [a] // no", "3 Orso //", "3 Orso // ♥ !!"]
)
def test_behind_a_set_or_without_a_word_it_is_a_remark(line: str) -> None:
    assert read(line) == {"main": {"Orso": 3}}


@pytest.mark.parametrize(
    "line", ["3 Wear // Tear", "3 Wear // Tear (DGM) 135", "Wear // Tear x3", "3 Wear /// Tear"]
)
def test_faces_are_a_name(line: str) -> None:
    ((_zone, entry),) = parse_decklist(line, MAGIC)
    assert (entry.count, card_key(entry.name)) == (3, card_key("Wear // Tear"))


def test_the_catalogue_and_other_lines_tell_faces_from_remarks() -> None:
    faces = known("Wear // Tear", "Orso", "Volpe")
    assert read("3 wear // tear", faces) == {"main": {"wear // tear": 3}}
    assert read("1 Wear // Tear\n2 wear // tear") == {"main": {"Wear // Tear": 3}}
    assert asked("3 Orso // Bello", faces) == ("3x Orso", "Orso // Bello x3")
    assert read("3 Wear // Torn", faces) == {"main": {"Wear // Torn": 3}}
    front = cards(
        CardFacts(name="Wear // Tear", keys=("wear // tear", "wear")), CardFacts(name="Volpe")
    )
    assert asked("3 Wear // Torn", front) == ("3x Wear // Tear", "Wear // Torn x3")


@pytest.mark.parametrize(
    "name", ["Copies of Orso", "Orso // bello", "copia di Orso", "A // B // c"]
)
def test_a_card_called_so_is_written_with_its_count_behind(name: str) -> None:
    entry = DeckEntry(name=name, count=3, expansion="DT", number="4")
    assert render_entry(entry) == render_entry(entry, times=True) == f"{name} (DT 4) x3"
    assert read_card(render_entry(entry)).entry == entry
