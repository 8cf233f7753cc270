"""What “Lists in and out” of the deck construction rules says of single lines."""

from itertools import permutations

import pytest

from rules.deckbuilding.deck import Entry
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.text import parse
from tests.rules.deckbuilding.reading import EXO, GAMES, THOOM, cards_of, named, only


# --- One card a line ---------------------------------------------------------------------
@pytest.mark.parametrize(
    "line",
    [
        *("2 Fulminara", "2x Fulminara", "2 x Fulminara", "Fulminara x2", "Fulminara (2)"),
        *("2X Fulminara", "2× Fulminara", "2 × Fulminara", "Fulminara X2", "Fulminara ×2"),
        *("02 Fulminara", "  2   Fulminara  ", "2\tFulminara", "2\u00a0Fulminara", "Fulminara x 2"),
    ],
)
def test_the_count_stands_first_or_last(line: str) -> None:
    assert only(line) == Entry(name="Fulminara", count=2)


@pytest.mark.parametrize(
    ("line", "count", "name"),
    [
        ("Fulminara", 1, "Fulminara"),
        ("Fulminara 2", 1, "Fulminara 2"),
        ("3 Fulminara 2", 3, "Fulminara 2"),
        ("2 Fulminara x3", 2, "Fulminara x3"),
        ("Fulminara x2 (3)", 3, "Fulminara x2"),
        ("999 Fulminara", 999, "Fulminara"),
        ("Fulminara x999", 999, "Fulminara"),
    ],
)
def test_a_bare_number_at_the_end_and_a_second_count_belong_to_the_name(
    line: str, count: int, name: str
) -> None:
    assert only(line) == Entry(name=name, count=count)


TAGS = ("(DT 12)", "{Aiuto, Luce, lang=it}", "[A]")
TAGGED = Entry(
    name="Fulminara",
    count=2,
    expansion="DT",
    number="12",
    kind="Aiuto",
    genus="Luce",
    language="it",
    version="A",
)


@pytest.mark.parametrize("tags", list(permutations(TAGS)), ids=" ".join)
@pytest.mark.parametrize(
    "counted", ["2 Fulminara {tags}", "Fulminara x2 {tags}", "Fulminara {tags} x2"]
)
def test_behind_the_name_in_any_order(tags: tuple[str, ...], counted: str) -> None:
    assert only(counted.replace("{tags}", " ".join(tags)), THOOM) == TAGGED


@pytest.mark.parametrize(
    ("behind", "expansion", "number"),
    [
        ("(SET)", "SET", ""),
        ("(SET 12)", "SET", "12"),
        ("(Paradise Lost)", "Paradise Lost", ""),
        ("(Paradise Lost 7)", "Paradise Lost", "7"),
        ("(2ND)", "2ND", ""),
        ("(2ND 40)", "2ND", "40"),
        ("(SET 12a)", "SET", "12a"),
        ("(Core Set M21)", "Core Set M21", ""),
        ("(set)", "set", ""),
    ],
)
def test_brackets_with_a_letter_are_the_expansion(behind: str, expansion: str, number: str) -> None:
    expected = Entry(name="Fulminara", count=2, expansion=expansion, number=number)
    assert only(f"2 Fulminara {behind}") == expected
    assert only(f"2 Fulminara{behind}") == expected


@pytest.mark.parametrize("behind", ["(!)", "(...)", "()", "(12 40)"])
def test_brackets_without_a_letter_belong_to_the_name(behind: str) -> None:
    assert only(f"2 Fulminara {behind}") == Entry(name=f"Fulminara {behind}", count=2)


@pytest.mark.parametrize(
    ("behind", "kind", "genus", "language"),
    [
        ("{Tattica}", "Tattica", "", ""),
        ("{Tattica, Luce}", "Tattica", "Luce", ""),
        ("{Tattica,Luce}", "Tattica", "Luce", ""),
        ("{Tattica, lang=it}", "Tattica", "", "it"),
        ("{Tattica, Luce, lang=Italiano}", "Tattica", "Luce", "Italiano"),
        ("{lang=it}", "", "", "it"),
        ("{Tattica, LANG=it}", "Tattica", "", "it"),
    ],
)
def test_braces_hold_kind_genus_and_language(
    behind: str, kind: str, genus: str, language: str
) -> None:
    expected = Entry(name="Fulminara", kind=kind, genus=genus, language=language)
    assert only(f"Fulminara {behind}") == expected


# --- The side, bullets -------------------------------------------------------------------
@pytest.mark.parametrize("shape", GAMES, ids=named)
@pytest.mark.parametrize("section", ["", "Main\n", "Cosmo\n"])
def test_sb_before_a_card_is_the_side_or_the_reserve(shape: DeckFormat, section: str) -> None:
    deck = parse(f"{section}SB: 2 Fulminara\n1 Brace", shape)
    assert (shape.side or "side", 2, "Fulminara") in cards_of(deck)
    sides = [problem for problem in deck.problems if problem.zone == "side"]
    assert [problem.code for problem in sides] == ([] if shape.side else ["zone.unknown"])


@pytest.mark.parametrize("bullet", ["- ", "* "])
@pytest.mark.parametrize("word", ["Main", "Side", "Lingua: it", "Creature", "Fulminara"])
def test_a_bullet_makes_a_line_a_card(bullet: str, word: str) -> None:
    deck = parse(f"Evolution\n{bullet}{word}\n{bullet}{word} {{Ignota}}", EXO)
    assert [(count, name) for _zone, count, name in cards_of(deck)] == [(1, word), (1, word)]
    assert deck.language == ""


def test_a_bullet_may_stand_before_sb() -> None:
    assert cards_of(parse("- SB: 2 Fulminara", EXO)) == [("side", 2, "Fulminara")]


def test_the_same_card_on_two_lines_of_a_zone_is_summed() -> None:
    deck = parse("Main\n2 Fulminara\nfulminara x3\nSide\n1 Fulminara", EXO)
    assert cards_of(deck) == [("main", 5, "Fulminara"), ("side", 1, "Fulminara")]


# --- Lines that are no card --------------------------------------------------------------
@pytest.mark.parametrize("line", ["# Nota", "#Fulminara", "// Fulminara", "//Mai", "#", "", "  "])
def test_comments_and_blank_lines_are_skipped(line: str) -> None:
    deck = parse(f"Side\n{line}\nFulminara", EXO)
    assert (cards_of(deck), deck.problems) == ([("side", 1, "Fulminara")], ())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029"])
def test_any_line_ending(end: str) -> None:
    deck = parse(end.join(["\ufeffMain", "2 Fulminara", "", "Side", "1 Brace"]), EXO)
    assert cards_of(deck) == [("main", 2, "Fulminara"), ("side", 1, "Brace")]
    assert [entry.line for _zone, entry in deck] == [2, 5]


@pytest.mark.parametrize("first", ["Side", "SB: 1 Lupo", "# Lupo", "Lingua: it", "2 Lupo"])
def test_a_byte_order_mark_changes_nothing(first: str) -> None:
    text = f"{first}\n1 Fulminara"
    marked, plain = parse(f"\ufeff{text}", EXO), parse(text, EXO)
    assert marked == plain


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("Lingua: it", "it"),
        ("Language: it", "it"),
        ("LINGUA:Italiano", "Italiano"),
        ("language : English", "English"),
    ],
)
@pytest.mark.parametrize("text", ["{line}\nMain\nFulminara", "Main\nFulminara\n{line}"])
def test_a_language_line_is_for_the_whole_list(line: str, language: str, text: str) -> None:
    deck = parse(text.replace("{line}", line), EXO)
    assert (deck.language, cards_of(deck)) == (language, [("main", 1, "Fulminara")])
    assert deck.problems == ()
