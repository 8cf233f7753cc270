"""Lists as text: lines read and written again, and lines or names that are replaced."""

import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.deckbuilding.around import UnreadableLineError
from rules.deckbuilding.catalogue import CardFacts
from rules.deckbuilding.deck import Deck, DeckEntry
from rules.deckbuilding.deck_json import deck_from_json, deck_to_json
from rules.deckbuilding.edits import replace_name
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.lines import LINE_END, read_card, read_plain_card, replace_line
from rules.deckbuilding.render import render_deck, sort_deck
from rules.deckbuilding.text import parse_decklist
from rules.errors import RuleError
from rules.names import clean_line
from tests.effort import examples
from tests.rules.deckbuilding.reading import cards

EXO = FORMATS.get("creatures-of-exo")
ORIGINAL = FORMATS.get("doomtrooper-original")
FORMAT = st.sampled_from(list(FORMATS))


def names(deck: Deck) -> dict[str, list[tuple[int, str]]]:
    return {
        zone: [(entry.count, entry.name) for entry in entries]
        for zone, entries in deck.zones.items()
        if entries
    }


def codes(deck: Deck) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in deck.problems]


@pytest.mark.parametrize(
    "line",
    [
        "Main 30",
        "Main: 30",
        "Main (30)",
        "Main (30 carte)",
        "Mazzo principale (30):",
        "MAIN DECK",
        "main-deck:",
        "Deck",
        "mazzo",
    ],
)
def test_a_section_line_opens_its_zone(line: str) -> None:
    deck = parse_decklist(f"Side\n{line}\nFulminara {{Leader}}", EXO)
    assert names(deck) == {"main": [(1, "Fulminara")]}
    assert deck.problems == ()


@pytest.mark.parametrize("line", ["30x Main", "Main {Tattica}", "- Main", "SB: Main"])
def test_a_line_with_a_count_braces_or_bullet_is_a_card(line: str) -> None:
    deck = parse_decklist(f"Evolution\n{line}", EXO)
    assert sum(deck.counts().values()) in (1, 30)


@pytest.mark.parametrize(
    ("line", "zone"),
    [
        ("Deck", "deck"),
        ("Main", "deck"),
        ("Mazzo da combattimento", "deck"),
        ("Side deck (25)", "reserve"),
        ("Riserva", "reserve"),
    ],
)
def test_doomtrooper_has_its_own_words(line: str, zone: str) -> None:
    assert names(parse_decklist(f"{line}\nFulminara", ORIGINAL)) == {zone: [(1, "Fulminara")]}


def test_a_section_of_another_game_is_kept_and_named() -> None:
    deck = parse_decklist("Fusione:\n2 Fulminara\nRiserve\n1 Brace", EXO)
    assert names(deck) == {"fusion": [(2, "Fulminara")], "reserve": [(1, "Brace")]}
    assert codes(deck) == [("zone.unknown", 1), ("zone.unknown", 3)]


def test_headings_change_nothing_and_other_colons_are_unreadable() -> None:
    deck = parse_decklist("Side\nCreature (14):\nTattiche: 3\nBrace\nVarie:\nLupo", EXO)
    assert names(deck) == {"side": [(1, "Brace"), (1, "Lupo")]}
    assert codes(deck) == [("line.unreadable", 5)]


def test_a_bare_word_of_a_kind_is_a_card() -> None:
    assert names(parse_decklist("Main\nCreature", EXO)) == {"main": [(1, "Creature")]}


def test_without_sections_a_card_with_one_home_goes_there() -> None:
    deck = parse_decklist(
        "Re {Leader}\nAla {Carta Evoluzione}\nLupo {creature}\nX {Drago}\nSB: Y", EXO
    )
    assert names(deck) == {
        "leader": [(1, "Re")],
        "main": [(1, "Lupo"), (1, "X")],
        "evolution": [(1, "Ala")],
        "side": [(1, "Y")],
    }


def test_the_catalogue_brings_a_card_home() -> None:
    catalogue = cards(CardFacts(name="Re", kind="Leader"))
    assert names(parse_decklist("RE", EXO, catalogue)) == {"leader": [(1, "RE")]}


def test_equal_cards_of_a_zone_are_summed_where_nothing_differs() -> None:
    deck = parse_decklist(
        "Main\n1 METTI GIU'\n2 Metti giù\n1 Metti giù (DT)\nSide\n1 Metti giù", EXO
    )
    assert names(deck) == {
        "main": [(3, "METTI GIU'"), (1, "Metti giù")],
        "side": [(1, "Metti giù")],
    }
    assert deck.zones["main"][0].line == 2


def test_comments_blank_lines_marks_and_line_ends_are_skipped() -> None:
    deck = parse_decklist("\ufeff# uno\r\n// due\r\r\n \t\nLingua: Italiano\n2 Brace\r", EXO)
    assert names(deck) == {"main": [(2, "Brace")]}
    assert deck.language == "Italiano"
    assert deck.problems == ()
    assert deck.zones["main"][0].line == 6


def test_a_second_language_is_a_problem() -> None:
    deck = parse_decklist("Language: it\nLingua: Italian\nLingua: en\nBrace", EXO)
    assert deck.language == "it"
    assert codes(deck) == [("line.unreadable", 3)]


def test_unreadable_lines_are_all_named_with_their_text() -> None:
    deck = parse_decklist("Side\n0 Nulla\n-1 Meno\n" + "9" * 200, EXO)
    assert codes(deck) == [("line.unreadable", line) for line in (2, 3, 4)]
    assert "“0 Nulla”" in str(deck.problems[0].sentence)
    assert len(str(deck.problems[2].sentence)) < 200
    assert [violation.zone for violation in deck.problems] == ["side"] * 3


def test_two_orders_of_one_list_have_one_canonical_text() -> None:
    one = parse_decklist("Main\n2 Brace {Creatura}\n1 Ala {Tattica}\nSide\n1 Lupo", EXO)
    other = parse_decklist(
        "Side\nLupo x1\nMain\nAla {Tattica}\nBrace {Creatura}\nBrace {Creatura}", EXO
    )
    assert render_deck(sort_deck(one), EXO) == render_deck(sort_deck(other), EXO)


def test_a_zone_that_no_word_opens_stays_in_comments() -> None:
    deck = deck_from_json({"main": [{"name": "Brace"}], "Varie": [{"name": "Lupo"}]}, EXO)
    assert render_deck(deck, EXO) == "Main\n1 Brace\n\n# Varie\n# 1 Lupo\n"


PIECES = st.one_of(
    st.sampled_from(
        [
            *("2", "x", "2x", "x2", "(2)", "(DT)", "(DT 3)", "(", ")", "{", "}", "{K}", "{K, G}"),
            *("[A]", "{a,b,c}", "{lang=it}", "SB:", "-", "*", "#", "//", ":", "Main", "Leader"),
            *("Foo", "é", "Creature", "Language: it", "=", ",", "[", "]", "0", "-1", "\u200b"),
            *("×", "Fusione"),
        ]
    ),
    st.text(max_size=4),
)
NAMES = st.lists(PIECES, max_size=6).flatmap(
    lambda pieces: st.sampled_from([" ".join(pieces), "".join(pieces)])
)
ENTRIES = st.fixed_dictionaries(
    {"name": NAMES},
    optional={
        "count": st.integers(-1, 1001),
        "kind": NAMES,
        "expansion": NAMES,
        "number": st.from_regex(r"[0-9]{1,3}", fullmatch=True),
        "genus": NAMES,
        "language": NAMES,
        "version": NAMES,
    },
)


@examples(2)
@given(
    deck_format=FORMAT,
    entries=st.lists(st.tuples(st.sampled_from(["leader", "main", "side", "deck"]), ENTRIES)),
    language=NAMES,
)
def test_a_deck_becomes_text_and_the_same_deck(
    deck_format: DeckFormat, entries: list[tuple[str, dict[str, object]]], language: str
) -> None:
    zones: dict[str, list[object]] = {}
    for at, (zone, entry) in enumerate(entries):
        known = deck_format.zone_keys[at % len(deck_format.zones)]
        zones.setdefault(zone if zone in deck_format.zone_keys else known, []).append(entry)
    deck = deck_from_json(zones, deck_format, language)
    again = parse_decklist(render_deck(deck, deck_format), deck_format)
    assert again == Deck(zones=deck.zones, language=deck.language)
    assert deck_from_json(deck_to_json(deck), deck_format, deck.language) == again


@examples(2)
@given(deck_format=FORMAT, lines=st.lists(NAMES, max_size=12))
@example(deck_format=EXO, lines=["x : x2"])
@example(deck_format=EXO, lines=["x (DT)"])
def test_whatever_was_read_reads_back(deck_format: DeckFormat, lines: list[str]) -> None:
    deck = parse_decklist("\n".join(lines), deck_format)
    again = parse_decklist(render_deck(deck, deck_format), deck_format)
    assert (again.zones, again.language) == (deck.zones, deck.language)
    assert all(problem.code == "zone.unknown" for problem in again.problems)


@given(deck_format=FORMAT, text=st.text())
def test_no_text_is_too_strange(deck_format: DeckFormat, text: str) -> None:
    deck = parse_decklist(text, deck_format)
    assert all(str(violation.sentence) for violation in deck_format.validate(deck))


@pytest.mark.parametrize("piece", ["(", "((a)", "1 ", "x1 ", "{a,", "[", "-", "\n", "1 a\n", "9"])
def test_long_rubbish_is_read_in_no_time(piece: str) -> None:
    text = piece * (10_000 // len(piece))
    deck = parse_decklist(text, EXO)
    assert EXO.validate(deck)


def test_a_count_over_999_stays_on_two_lines() -> None:
    deck = parse_decklist("600 Brace\n600 Brace\n399 Brace", EXO)
    assert deck.zones["main"] == (
        DeckEntry(name="Brace", count=600),
        DeckEntry(name="Brace", count=999),
    )


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("2 Fulminara", DeckEntry(name="Fulminara", count=2)),
        ("2x Fulminara", DeckEntry(name="Fulminara", count=2)),
        ("2xFulminara", DeckEntry(name="Fulminara", count=2)),
        ("2X Fulminara", DeckEntry(name="Fulminara", count=2)),
        ("2 x Fulminara", DeckEntry(name="Fulminara", count=2)),
        ("2× Fulminara", DeckEntry(name="Fulminara", count=2)),
        ("Fulminara x2", DeckEntry(name="Fulminara", count=2)),
        ("Fulminara (2)", DeckEntry(name="Fulminara", count=2)),
        ("Fulminara", DeckEntry(name="Fulminara")),
        ("007 Spie", DeckEntry(name="Spie", count=7)),
        ("Legione 13", DeckEntry(name="Legione 13")),
        ("2 Legione 13", DeckEntry(name="Legione 13", count=2)),
        ("2 Fulminara x3", DeckEntry(name="Fulminara x3", count=2)),
        ("2 Fulminara (3)", DeckEntry(name="Fulminara", count=2, number="3")),
        ("Fulminara (2) x3", DeckEntry(name="Fulminara", count=3, number="2")),
        ("2 X", DeckEntry(name="X", count=2)),
        ("3 X-Ala", DeckEntry(name="X-Ala", count=3)),
        ("2X2 Robot", DeckEntry(name="2X2 Robot")),
        ("2 Fulminara (DT)", DeckEntry(name="Fulminara", count=2, expansion="DT")),
        ("Fulminara (DT 12) x2", DeckEntry(name="Fulminara", count=2, expansion="DT", number="12")),
        ("Fulminara x2 (2ND)", DeckEntry(name="Fulminara", count=2, expansion="2ND")),
        ("1 Fulminara (Paradise Lost)", DeckEntry(name="Fulminara", expansion="Paradise Lost")),
        ("1 Fulminara {Tattica}", DeckEntry(name="Fulminara", kind="Tattica")),
        ("1 Fulminara {Aiuto, Luce}", DeckEntry(name="Fulminara", kind="Aiuto", genus="Luce")),
        ("1 Fulminara {, Luce}", DeckEntry(name="Fulminara", genus="Luce")),
        ("1 Fulminara {lang=it}", DeckEntry(name="Fulminara", language="it")),
        (
            "1 Fulminara [A] {Aiuto, Luce, lang=it} (DT 3)",
            DeckEntry(
                name="Fulminara",
                kind="Aiuto",
                genus="Luce",
                language="it",
                expansion="DT",
                number="3",
                version="A",
            ),
        ),
        ("1 Tempesta (del caos) (INQ)", DeckEntry(name="Tempesta (del caos)", expansion="INQ")),
        ("1 Fulminara {}", DeckEntry(name="Fulminara {}")),
        ("1 Fulminara {A} {B, C}", DeckEntry(name="Fulminara {A}", kind="B", genus="C")),
        ("1 Fulminara [A] [B]", DeckEntry(name="Fulminara [A]", version="B")),
        ("1 Fulminara {,}", DeckEntry(name="Fulminara {,}")),
        ("1 Fulminara {lang=}", DeckEntry(name="Fulminara {lang=}")),
        ("- Main", DeckEntry(name="Main")),
        ("* 3 Fulminara", DeckEntry(name="Fulminara", count=3)),
        ("_____ Goblin x4", DeckEntry(name="_____ Goblin", count=4)),
        ("4 +2 Mace", DeckEntry(name="+2 Mace", count=4)),
        ("1 # Fulminara", DeckEntry(name="# Fulminara")),
    ],
)
def test_a_line_is_a_card(line: str, entry: DeckEntry) -> None:
    assert read_card(line).entry == entry


LINE_PIECES = [
    *("2", "02", "999", "1000", "x", "X", "×", " ", " ", " ", "(", ")", "{", "}", "[", "]", ","),
    *("DT", "12", "Brace", "Lupo", "à", "_", ":", "-", "x2", "(DT)", "{Tattica}", "{A, B}", "[A]"),
    *("lang=it", "=", "'", "!", "²"),
]


@given(st.lists(st.sampled_from(LINE_PIECES), max_size=12).map("".join) | st.text())
@example("2 Brace (DT) {Vice Leader}")
@example("2 x Brace")
@example("2 Brace {A }")
@example("2 Brace ( DT)")
@example("2 ²")
@example("2 Brace (²)")
def test_a_plain_line_is_read_as_any_line_is(written: str) -> None:
    line = clean_line(written)
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
    assert card.entry == DeckEntry(name="Fulminara", count=2)


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


def test_everything_else_stays_as_written() -> None:
    text = "\ufeff2 Lupo\r\n 3  Orso \n\n1 Volpe"
    assert replace_line(text, 2, "3 Orso", "2 Orso") == "\ufeff2 Lupo\r\n2 Orso\n\n1 Volpe"
    assert replace_line(text, 1, "2 Lupo", "1 Lupo") == "\ufeff1 Lupo\r\n 3  Orso \n\n1 Volpe"


@pytest.mark.parametrize(("line", "was"), [(0, "2 Lupo"), (3, "2 Lupo"), (1, "3 Lupo")])
def test_a_line_that_is_another_one_is_not_changed(line: int, was: str) -> None:
    with pytest.raises(RuleError) as refused:
        replace_line("2 Lupo\n1 Volpe", line, was, "1 Orso")
    assert refused.value.code == "line_changed"


@pytest.mark.parametrize(
    ("written", "mended"),
    [
        ("Fulminera", "Fulminara"),
        ("2 Fulminera", "2 Fulminara"),
        ("  2x   Fulminera  (DT 12) {Creatura, Luce, lang=it} [A] ", None),
        ("Fulminera x2", "Fulminara x2"),
        ("- SB: 3 × Fulminera", "- SB: 3 × Fulminara"),
        ("FULMINERA (2)", "Fulminara (2)"),
        ("Fulminera (Fulminera 3)", "Fulminara (Fulminera 3)"),
        ("\ufeff2 Fulminera", "\ufeff2 Fulminara"),
        ("2 Ful\u200bminera", "2 Fulminara"),
    ],
)
def test_everything_but_the_name_stays_as_written(written: str, mended: str | None) -> None:
    wanted = mended if mended is not None else written.replace("Fulminera", "Fulminara")
    assert replace_name(written, 1, "Fulminera", "Fulminara") == wanted


def test_only_the_given_line_changes() -> None:
    text = "# Fulminera\r\nMain 30\r\n2 Fulminera\rFulminera\n\n// Fulminera"
    assert replace_name(text, 4, "fulminera", "Brace") == text.replace("\rFulminera\n", "\rBrace\n")


def test_a_name_of_two_words_keeps_what_stands_around_it() -> None:
    assert replace_name("2\tCorvo   del\tGello [A]", 1, "corvo del gello", "Corvo del Gelo") == (
        "2\tCorvo del Gelo [A]"
    )


@pytest.mark.parametrize(
    ("written", "new", "mended"),
    [
        ("Samurai", "7 Samurai", "1 7 Samurai"),
        ("SB: Samurai", "7 Samurai", "SB: 1 7 Samurai"),
        ("Samurai", "- Samurai", "1x - Samurai"),
        ("3 Samurai {Creatura}", "x Samurai", "3x x Samurai {Creatura}"),
        ("Samurai", "Side", "1 Side"),
    ],
)
def test_a_name_that_reads_as_something_else_gets_its_count(
    written: str, new: str, mended: str
) -> None:
    assert replace_name(written, 1, "Samurai", new) == mended


def test_a_name_that_its_tag_repeats_often_is_written_anew() -> None:
    tag = " ".join(["Samurai"] * 9)
    assert replace_name(f"Samurai ({tag})", 1, "Samurai", "7 Samurai") == f"1 7 Samurai ({tag})"


@pytest.mark.parametrize("new", ["", "12", "Agente (promo)", "Nome {A, B, C}"])
def test_a_name_that_no_line_holds_is_refused(new: str) -> None:
    with pytest.raises(RuleError) as refused:
        replace_name("Samurai", 1, "Samurai", new)
    assert refused.value.code == "name_unwritable"


@pytest.mark.parametrize("line", [-1, 0, 1, 3, 4, 5, 99])
def test_a_line_that_holds_another_card_is_refused(line: int) -> None:
    with pytest.raises(RuleError) as refused:
        replace_name("# Samurai\nSamurai\nAltro\n\n", line, "Samurai", "Brace")
    assert refused.value.code == "line_changed"


WORDS = st.text(alphabet="abcèÀ'’x2-,.", min_size=1, max_size=5)
CARD_NAMES = st.lists(WORDS, min_size=1, max_size=3).map(lambda words: "A" + " ".join(words))
LINE = st.tuples(
    st.sampled_from(["", "2 ", "3x ", "- ", "SB: 2 ", "\t2\t", "* 1  "]),
    CARD_NAMES,
    st.sampled_from(["", " (DT 12)", " {Creatura} [A]", "  {K, G, lang=it}  ", " (A) ", "\u200b"]),
)


@given(
    lines=st.lists(LINE, min_size=1, max_size=4),
    at=st.integers(0, 3),
    new=CARD_NAMES,
    ending=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_a_mended_list_is_the_same_but_for_the_name(
    lines: list[tuple[str, str, str]], at: int, new: str, ending: str
) -> None:
    at %= len(lines)
    written = ["".join(line) for line in lines]
    old = read_card(clean_line(written[at])).entry
    after = replace_name(ending.join(written), at + 1, old.name, new).split(ending)
    assert after[:at] + after[at + 1 :] == written[:at] + written[at + 1 :]
    assert read_card(clean_line(after[at])).entry == replace(old, name=clean_line(new))


@given(line=st.text(alphabet="ab 2x(){}[]:,#-SB\t", max_size=16), new=st.text(max_size=12))
def test_whatever_is_written_is_mended_or_refused(line: str, new: str) -> None:
    try:
        old = read_card(clean_line(line)).entry
    except (UnreadableLineError, IndexError):
        old = None
    try:
        after = replace_name(line, 1, old.name if old else "a", new)
    except RuleError:
        return
    assert old is not None
    assert read_card(clean_line(after)).entry == replace(old, name=clean_line(new))


def test_a_long_line_is_mended_at_once() -> None:
    line = f"SB: B ({'B' * 900})"
    assert replace_name(line, 1, "B", "Brace") == f"SB: Brace ({'B' * 900})"


def test_the_mended_list_is_read_with_the_new_name() -> None:
    text = "Main\n2 Fulminera {Creatura}\nSide\n1 Fulminera"
    deck = parse_decklist(replace_name(text, 2, "Fulminera", "Fulminara"), EXO)
    assert [entry.name for _zone, entry in deck] == ["Fulminara", "Fulminera"]
