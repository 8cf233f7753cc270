"""Names with what may be a mark of an unknown program, where copies would not add up."""

import pytest

from rules.deckbuilding.catalogue import CardFacts
from rules.deckbuilding.deck import Violation
from rules.deckbuilding.text import parse
from tests.rules.deckbuilding.known_cards import cards
from tests.rules.deckbuilding.ready import MAGIC

BESIDE = [
    *("~foil~", "foil", "- Etched", "= nice", "@M10", r"\ foil", "*a, b*", "% 12", "+ 1", "> x"),
    *("(M10) 146 foil", "(SLD) 84 NM", "(Weird) (M10) 146", "[A] 146", "|weird", "^"),
    *("M10 146", "- M10", ": SLD 63★", "★", "\U0001f525"),
]
AHEAD = ["M10 146 ", "M10:146 ", "SLD-63★ ", "~", "★ ", "*"]


def asked(*lines: str, known: object = None) -> list[Violation]:
    faults = MAGIC.validate(parse("\n".join(lines), MAGIC), known)  # type: ignore[arg-type]
    return [one for one in faults if one.code == "line.unclear"]


@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("other", ["Lightning Bolt", "Lightning Bolt (LEA) 161 reverse holofoil"])
def test_a_card_with_something_beside_it_is_asked_about(beside: str, other: str) -> None:
    lines = ("52 Mountain", f"4 {other}", f"1 Lightning Bolt {beside}")
    found = asked(*lines)
    assert (found[-1].line, found[-1].severity) == (3, "error")
    assert {one.suggestions for one in found} == {("Lightning Bolt",)}
    assert asked(*lines[:1], "2 Lightning Bolt", "1 Lightning Bolt ~foil~") == []


@pytest.mark.parametrize("ahead", AHEAD)
def test_what_stands_before_a_card_is_asked_about_too(ahead: str) -> None:
    (found,) = asked("52 Mountain", "4 Lightning Bolt", f"1 {ahead}Lightning Bolt")
    assert found.suggestions == ("Lightning Bolt",)


@pytest.mark.parametrize("beside", ["Bis", "13", "XL", ", Lord of Bolts", "- Storm Bolt", "II"])
def test_other_words_make_another_card(beside: str) -> None:
    assert asked("4 Lightning Bolt", f"4 Lightning Bolt {beside}") == []


def test_what_a_catalogue_knows_is_not_asked_about() -> None:
    known = cards(CardFacts(name="Lightning Bolt"), CardFacts(name="Lightning Bolt = nice"))
    assert asked("4 Lightning Bolt", "4 Lightning Bolt = nice", known=known) == []
    assert asked("4 Lightning Bolt", "4 Lightning Bolt = bad", known=known) != []


def test_a_name_of_marks_alone_is_let_be() -> None:
    assert asked("4 Lightning Bolt", "4 1 = Bolt", "4 7 Lightning Bolt") == []
