"""One line of a list."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.deckbuilding.around import UnreadableLineError
from rules.deckbuilding.deck import Entry
from rules.deckbuilding.lines import LINE_END, read_card, read_plain_card
from rules.names import tidy


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("2 Fulminara", Entry(name="Fulminara", count=2)),
        ("2x Fulminara", Entry(name="Fulminara", count=2)),
        ("2xFulminara", Entry(name="Fulminara", count=2)),
        ("2X Fulminara", Entry(name="Fulminara", count=2)),
        ("2 x Fulminara", Entry(name="Fulminara", count=2)),
        ("2× Fulminara", Entry(name="Fulminara", count=2)),
        ("Fulminara x2", Entry(name="Fulminara", count=2)),
        ("Fulminara (2)", Entry(name="Fulminara", count=2)),
        ("Fulminara", Entry(name="Fulminara")),
        ("007 Spie", Entry(name="Spie", count=7)),
        ("Legione 13", Entry(name="Legione 13")),
        ("2 Legione 13", Entry(name="Legione 13", count=2)),
        ("2 Fulminara x3", Entry(name="Fulminara x3", count=2)),
        ("2 Fulminara (3)", Entry(name="Fulminara", count=2, number="3")),
        ("Fulminara (2) x3", Entry(name="Fulminara", count=3, number="2")),
        ("2 X", Entry(name="X", count=2)),
        ("3 X-Ala", Entry(name="X-Ala", count=3)),
        ("2X2 Robot", Entry(name="2X2 Robot")),
        ("2 Fulminara (DT)", Entry(name="Fulminara", count=2, expansion="DT")),
        ("Fulminara (DT 12) x2", Entry(name="Fulminara", count=2, expansion="DT", number="12")),
        ("Fulminara x2 (2ND)", Entry(name="Fulminara", count=2, expansion="2ND")),
        ("1 Fulminara (Paradise Lost)", Entry(name="Fulminara", expansion="Paradise Lost")),
        ("1 Fulminara {Tattica}", Entry(name="Fulminara", kind="Tattica")),
        ("1 Fulminara {Aiuto, Luce}", Entry(name="Fulminara", kind="Aiuto", genus="Luce")),
        ("1 Fulminara {, Luce}", Entry(name="Fulminara", genus="Luce")),
        ("1 Fulminara {lang=it}", Entry(name="Fulminara", language="it")),
        (
            "1 Fulminara [A] {Aiuto, Luce, lang=it} (DT 3)",
            Entry(
                name="Fulminara",
                kind="Aiuto",
                genus="Luce",
                language="it",
                expansion="DT",
                number="3",
                version="A",
            ),
        ),
        ("1 Tempesta (del caos) (INQ)", Entry(name="Tempesta (del caos)", expansion="INQ")),
        ("1 Fulminara {}", Entry(name="Fulminara {}")),
        ("1 Fulminara {A} {B, C}", Entry(name="Fulminara {A}", kind="B", genus="C")),
        ("1 Fulminara [A] [B]", Entry(name="Fulminara [A]", version="B")),
        ("1 Fulminara {,}", Entry(name="Fulminara {,}")),
        ("1 Fulminara {lang=}", Entry(name="Fulminara {lang=}")),
        ("- Main", Entry(name="Main")),
        ("* 3 Fulminara", Entry(name="Fulminara", count=3)),
        ("_____ Goblin x4", Entry(name="_____ Goblin", count=4)),
        ("4 +2 Mace", Entry(name="+2 Mace", count=4)),
        ("1 # Fulminara", Entry(name="# Fulminara")),
    ],
)
def test_a_line_is_a_card(line: str, entry: Entry) -> None:
    assert read_card(line).entry == entry


PIECES = [
    *("2", "02", "999", "1000", "x", "X", "×", " ", " ", " ", "(", ")", "{", "}", "[", "]", ","),
    *("DT", "12", "Brace", "Lupo", "à", "_", ":", "-", "x2", "(DT)", "{Tattica}", "{A, B}", "[A]"),
    *("lang=it", "=", "'", "!", "²"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text())
@example("2 Brace (DT) {Vice Leader}")
@example("2 x Brace")
@example("2 Brace {A }")
@example("2 Brace ( DT)")
@example("2 ²")
@example("2 Brace (²)")
def test_a_plain_line_is_read_as_any_line_is(written: str) -> None:
    line = tidy(written)
    plain = read_plain_card(line)
    assert plain is None or plain == read_card(line)


@pytest.mark.parametrize(
    "line", ["2 Brace", "2x Brace", "2 Brace (DT)", "2 Brace {Vice Leader}", "2 L'Oro (DT) {A}"]
)
def test_most_lines_are_plain(line: str) -> None:
    assert read_plain_card(line) == read_card(line)


@pytest.mark.parametrize(
    "line", ["SB: 2 Fulminara", "sb:2 Fulminara", "- SB: Fulminara x2", "SB: * 2 Fulminara"]
)
def test_a_marked_line_belongs_to_the_side(line: str) -> None:
    card = read_card(line)
    assert card.side
    assert card.entry == Entry(name="Fulminara", count=2)


@pytest.mark.parametrize(
    "line",
    [
        "0 Fulminara",
        "Fulminara x0",
        "Fulminara (0)",
        "Fulminara (-2)",
        "1000 Fulminara",
        "Fulminara (1000)",
        "9" * 5000 + " Fulminara",
        "-2 Fulminara",
        "+2 Fulminara",
        "- -2 Fulminara",
        "12",
        "2 x 3",
        "(DT)",
        "2 (DT)",
        "SB:",
        "1 Fulminara:",
        "Fulminara: x2",
        "Creature varie:",
        "1 Fulminara {a, b, c}",
        "1 Fulminara {lang=it, lang=en}",
    ],
)
def test_a_line_that_holds_no_card_says_why(line: str) -> None:
    with pytest.raises(UnreadableLineError) as fault:
        read_card(line)
    assert str(fault.value).endswith(".")


@given(st.text(alphabet="ab\r\n\v\f\x85\u2028\u2029"))
def test_a_carriage_return_and_a_newline_end_one_line(text: str) -> None:
    ends = "[\r\n\v\f\x85\u2028\u2029]"
    assert LINE_END.split(text) == re.split(ends, text.replace("\r\n", "\n"))
