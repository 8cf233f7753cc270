"""Lists as text: sections, homes, sums; and list → text → list."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.deckbuilding.catalogue import CardFacts
from rules.deckbuilding.deck import Deck, Entry
from rules.deckbuilding.deck_json import deck_from_json, deck_to_json
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.render import canonical, render
from rules.deckbuilding.text import parse
from tests.effort import examples
from tests.rules.deckbuilding.known_cards import cards

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
    deck = parse(f"Side\n{line}\nFulminara {{Leader}}", EXO)
    assert names(deck) == {"main": [(1, "Fulminara")]}
    assert deck.problems == ()


@pytest.mark.parametrize("line", ["30x Main", "Main {Tattica}", "- Main", "SB: Main"])
def test_a_line_with_a_count_braces_or_bullet_is_a_card(line: str) -> None:
    deck = parse(f"Evolution\n{line}", EXO)
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
    assert names(parse(f"{line}\nFulminara", ORIGINAL)) == {zone: [(1, "Fulminara")]}


def test_a_section_of_another_game_is_kept_and_named() -> None:
    deck = parse("Fusione:\n2 Fulminara\nRiserve\n1 Brace", EXO)
    assert names(deck) == {"fusion": [(2, "Fulminara")], "reserve": [(1, "Brace")]}
    assert codes(deck) == [("zone.unknown", 1), ("zone.unknown", 3)]


def test_headings_change_nothing_and_other_colons_are_unreadable() -> None:
    deck = parse("Side\nCreature (14):\nTattiche: 3\nBrace\nVarie:\nLupo", EXO)
    assert names(deck) == {"side": [(1, "Brace"), (1, "Lupo")]}
    assert codes(deck) == [("line.unreadable", 5)]


def test_a_bare_word_of_a_kind_is_a_card() -> None:
    assert names(parse("Main\nCreature", EXO)) == {"main": [(1, "Creature")]}


def test_without_sections_a_card_with_one_home_goes_there() -> None:
    deck = parse("Re {Leader}\nAla {Carta Evoluzione}\nLupo {creature}\nX {Drago}\nSB: Y", EXO)
    assert names(deck) == {
        "leader": [(1, "Re")],
        "main": [(1, "Lupo"), (1, "X")],
        "evolution": [(1, "Ala")],
        "side": [(1, "Y")],
    }


def test_the_catalogue_brings_a_card_home() -> None:
    catalogue = cards(CardFacts(name="Re", kind="Leader"))
    assert names(parse("RE", EXO, catalogue)) == {"leader": [(1, "RE")]}


def test_equal_cards_of_a_zone_are_summed_where_nothing_differs() -> None:
    deck = parse("Main\n1 METTI GIU'\n2 Metti giù\n1 Metti giù (DT)\nSide\n1 Metti giù", EXO)
    assert names(deck) == {
        "main": [(3, "METTI GIU'"), (1, "Metti giù")],
        "side": [(1, "Metti giù")],
    }
    assert deck.zones["main"][0].line == 2


def test_comments_blank_lines_marks_and_line_ends_are_skipped() -> None:
    deck = parse("\ufeff# uno\r\n// due\r\r\n \t\nLingua: Italiano\n2 Brace\r", EXO)
    assert names(deck) == {"main": [(2, "Brace")]}
    assert deck.language == "Italiano"
    assert deck.problems == ()
    assert deck.zones["main"][0].line == 6


def test_a_second_language_is_a_problem() -> None:
    deck = parse("Language: it\nLingua: Italian\nLingua: en\nBrace", EXO)
    assert deck.language == "it"
    assert codes(deck) == [("line.unreadable", 3)]


def test_unreadable_lines_are_all_named_with_their_text() -> None:
    deck = parse("Side\n0 Nulla\n-1 Meno\n" + "9" * 200, EXO)
    assert codes(deck) == [("line.unreadable", line) for line in (2, 3, 4)]
    assert "“0 Nulla”" in str(deck.problems[0].sentence)
    assert len(str(deck.problems[2].sentence)) < 200
    assert [violation.zone for violation in deck.problems] == ["side"] * 3


def test_two_orders_of_one_list_have_one_canonical_text() -> None:
    one = parse("Main\n2 Brace {Creatura}\n1 Ala {Tattica}\nSide\n1 Lupo", EXO)
    other = parse("Side\nLupo x1\nMain\nAla {Tattica}\nBrace {Creatura}\nBrace {Creatura}", EXO)
    assert render(canonical(one), EXO) == render(canonical(other), EXO)


def test_a_zone_that_no_word_opens_stays_in_comments() -> None:
    deck = deck_from_json({"main": [{"name": "Brace"}], "Varie": [{"name": "Lupo"}]}, EXO)
    assert render(deck, EXO) == "Main\n1 Brace\n\n# Varie\n# 1 Lupo\n"


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
    again = parse(render(deck, deck_format), deck_format)
    assert again == Deck(zones=deck.zones, language=deck.language)
    assert deck_from_json(deck_to_json(deck), deck_format, deck.language) == again


@examples(2)
@given(deck_format=FORMAT, lines=st.lists(NAMES, max_size=12))
@example(deck_format=EXO, lines=["x : x2"])
@example(deck_format=EXO, lines=["x (DT)"])
def test_whatever_was_read_reads_back(deck_format: DeckFormat, lines: list[str]) -> None:
    deck = parse("\n".join(lines), deck_format)
    again = parse(render(deck, deck_format), deck_format)
    assert (again.zones, again.language) == (deck.zones, deck.language)
    assert all(problem.code == "zone.unknown" for problem in again.problems)


@given(deck_format=FORMAT, text=st.text())
def test_no_text_is_too_strange(deck_format: DeckFormat, text: str) -> None:
    deck = parse(text, deck_format)
    assert all(str(violation.sentence) for violation in deck_format.validate(deck))


@pytest.mark.parametrize("piece", ["(", "((a)", "1 ", "x1 ", "{a,", "[", "-", "\n", "1 a\n", "9"])
def test_long_rubbish_is_read_in_no_time(piece: str) -> None:
    text = piece * (10_000 // len(piece))
    deck = parse(text, EXO)
    assert EXO.validate(deck)


def test_a_count_over_999_stays_on_two_lines() -> None:
    deck = parse("600 Brace\n600 Brace\n399 Brace", EXO)
    assert deck.zones["main"] == (Entry(name="Brace", count=600), Entry(name="Brace", count=999))
