"""Lists without headings that empty lines split: what each part is, is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.lines import NO_CARDS, name_parts, possible_zones, without_parts
from rules.deckbuilding.render import section_word
from rules.deckbuilding.text import parse
from rules.errors import RuleError
from tests.rules.deckbuilding.reading import DOOMTROOPER, EXO, THOOM, YUGIOH, cards_of, named

SPLIT = pytest.mark.parametrize("shape", [f for f in FORMATS if len(f.zones) > 1], ids=named)
MAIN = "\n".join(f"2 Mostro {letter}" for letter in "abcdefghijklmnopqrst")
SIDE = "\n".join(f"1 Magia {letter}" for letter in "abcdefghijklmno")
THREE = f"{MAIN}\n\n2 Drago a\n1 Drago b\n\n{SIDE}\n"


def lines_of(text: str, shape: DeckFormat = YUGIOH) -> list[tuple[int, int]]:
    """Return the lines of the parts that have no names, [] where nothing is asked."""
    found = [each for each in parse(text, shape).problems if each.code == "list.parts_unnamed"]
    assert all(each.severity == "error" and each.line == each.lines[1][0] for each in found)
    return [lines for each in found for lines in each.lines]


def test_fifteen_cards_of_the_side_join_no_main_deck_unasked() -> None:
    deck = parse(THREE, YUGIOH)
    (asked,) = [v for v in YUGIOH.validate(deck) if v.severity == "error"]
    assert (asked.code, asked.found) == ("list.parts_unnamed", 3)
    assert asked.lines == ((1, 20), (22, 23), (25, 39))
    assert "(lines 1–20, 22–23, 25–39)" in str(asked.sentence)
    assert possible_zones(deck.parts, YUGIOH) == [("main", "fusion", "side")]
    named_list = name_parts(THREE, deck, ("main", "fusion", "side"), section_word)
    again = parse(named_list, YUGIOH)
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
    assert len(parse(text, YUGIOH).parts) == parts


def test_a_format_of_one_zone_asks_nothing() -> None:
    assert parse("3 Lupo\n\n2 Orso\n\n1 Volpe", THOOM).problems == ()


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
    assert possible_zones(parse(text, shape).parts, shape) == offered


def test_headings_stand_above_the_parts_and_nothing_else_changes() -> None:
    text = "\ufeffLa mia lista\r\n\r\n# forti\r\nLupo\r\n\r\nOrso\r\n\r\nSB: Volpe\r\nCorvo"
    zones = (NO_CARDS, "main", "main", "side")
    assert name_parts(text, parse(text, YUGIOH), zones, section_word) == (
        "\ufeff// La mia lista\r\n\r\nMain\r\n# forti\r\nLupo\r\n\r\nOrso\r\n\r\n"
        "Side\r\nSB: Volpe\r\nCorvo"
    )


@pytest.mark.parametrize("zones", [("main",), ("main", "side", "side")])
def test_a_list_that_has_other_parts_by_now_is_let_be(zones: tuple[str, ...]) -> None:
    deck = parse("3 Lupo\n\n2 Orso", YUGIOH)
    with pytest.raises(RuleError) as refused:
        name_parts("3 Lupo\n\n2 Orso", deck, zones, section_word)
    assert refused.value.code == "line_changed"
    with pytest.raises(RuleError) as joined:
        without_parts("3 Lupo", parse("3 Lupo", YUGIOH), YUGIOH)
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
    deck = parse(text, shape)
    if not deck.parts:
        return
    joined = parse(without_parts(text, deck, shape), shape)
    assert (joined.problems, joined.zones) == ((), deck.zones)
    zones = [shape.zone_keys[at % len(shape.zones)] for at in range(len(deck.parts))]
    split = parse(name_parts(text, deck, zones, section_word), shape)
    assert split.problems == ()
    for zone in shape.zone_keys:
        parts = [part.cards for part, known in zip(deck.parts, zones, strict=True) if known == zone]
        assert split.size(zone) == sum(parts)
    assert total(split) == total(deck)


def total(deck: Deck) -> int:
    """Return the number of cards of a deck."""
    return sum(count for _zone, count, _name in cards_of(deck))
