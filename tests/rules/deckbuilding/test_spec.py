"""The documented notation of lists: lines, sections and the sentences on what is unclear."""

from itertools import permutations

import pytest

from rules.deckbuilding.catalogue import CardFacts
from rules.deckbuilding.deck import Deck, DeckEntry
from rules.deckbuilding.deck_json import deck_from_json, deck_to_json
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.render import render_deck
from rules.deckbuilding.text import parse_decklist
from tests.rules.deckbuilding.reading import (
    DOOMTROOPER,
    EXO,
    GAMES,
    SAINT_SEIYA,
    THOOM,
    YUGIOH,
    cards,
    cards_of,
    named,
    only,
    problems,
)


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
    assert only(line) == DeckEntry(name="Fulminara", count=2)


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
    assert only(line) == DeckEntry(name=name, count=count)


TAGS = ("(DT 12)", "{Aiuto, Luce, lang=it}", "[A]")
TAGGED = DeckEntry(
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
    expected = DeckEntry(name="Fulminara", count=2, expansion=expansion, number=number)
    assert only(f"2 Fulminara {behind}") == expected
    assert only(f"2 Fulminara{behind}") == expected


@pytest.mark.parametrize("behind", ["(!)", "(...)", "()", "(12 40)"])
def test_brackets_without_a_letter_belong_to_the_name(behind: str) -> None:
    assert only(f"2 Fulminara {behind}") == DeckEntry(name=f"Fulminara {behind}", count=2)


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
    expected = DeckEntry(name="Fulminara", kind=kind, genus=genus, language=language)
    assert only(f"Fulminara {behind}") == expected


# --- The side, bullets -------------------------------------------------------------------
@pytest.mark.parametrize("shape", GAMES, ids=named)
@pytest.mark.parametrize("section", ["", "Main\n", "Cosmo\n"])
def test_sb_before_a_card_is_the_side_or_the_reserve(shape: DeckFormat, section: str) -> None:
    deck = parse_decklist(f"{section}SB: 2 Fulminara\n1 Brace", shape)
    assert (shape.side or "side", 2, "Fulminara") in cards_of(deck)
    sides = [problem for problem in deck.problems if problem.zone == "side"]
    assert [problem.code for problem in sides] == ([] if shape.side else ["zone.unknown"])


@pytest.mark.parametrize("bullet", ["- ", "* "])
@pytest.mark.parametrize("word", ["Main", "Side", "Lingua: it", "Creature", "Fulminara"])
def test_a_bullet_makes_a_line_a_card(bullet: str, word: str) -> None:
    deck = parse_decklist(f"Evolution\n{bullet}{word}\n{bullet}{word} {{Ignota}}", EXO)
    assert [(count, name) for _zone, count, name in cards_of(deck)] == [(1, word), (1, word)]
    assert deck.language == ""


def test_a_bullet_may_stand_before_sb() -> None:
    assert cards_of(parse_decklist("- SB: 2 Fulminara", EXO)) == [("side", 2, "Fulminara")]


def test_the_same_card_on_two_lines_of_a_zone_is_summed() -> None:
    deck = parse_decklist("Main\n2 Fulminara\nfulminara x3\nSide\n1 Fulminara", EXO)
    assert cards_of(deck) == [("main", 5, "Fulminara"), ("side", 1, "Fulminara")]


# --- Lines that are no card --------------------------------------------------------------
@pytest.mark.parametrize("line", ["# Nota", "#Fulminara", "// Fulminara", "//Mai", "#", "", "  "])
def test_comments_and_blank_lines_are_skipped(line: str) -> None:
    deck = parse_decklist(f"Side\n{line}\nFulminara", EXO)
    assert (cards_of(deck), deck.problems) == ([("side", 1, "Fulminara")], ())


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029"])
def test_any_line_ending(end: str) -> None:
    deck = parse_decklist(end.join(["\ufeffMain", "2 Fulminara", "", "Side", "1 Brace"]), EXO)
    assert cards_of(deck) == [("main", 2, "Fulminara"), ("side", 1, "Brace")]
    assert [entry.line for _zone, entry in deck] == [2, 5]


@pytest.mark.parametrize("first", ["Side", "SB: 1 Lupo", "# Lupo", "Lingua: it", "2 Lupo"])
def test_a_byte_order_mark_changes_nothing(first: str) -> None:
    text = f"{first}\n1 Fulminara"
    marked, plain = parse_decklist(f"\ufeff{text}", EXO), parse_decklist(text, EXO)
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
    deck = parse_decklist(text.replace("{line}", line), EXO)
    assert (deck.language, cards_of(deck)) == (language, [("main", 1, "Fulminara")])
    assert deck.problems == ()


# --- Sections ----------------------------------------------------------------------------
WORDS = {
    "leader": ["Leader"],
    "main": ["Main", "Main deck", "Deck", "Mazzo", "Mazzo principale"],
    "evolution": [
        *("Evolution", "Evolutions", "Evolution deck", "Evoluzione", "Evoluzioni"),
        *("Mazzo Evoluzione", "Mazzo Evoluzioni"),
    ],
    "side": ["Side", "Side deck", "Sideboard"],
    "fusion": [
        *("Fusion", "Fusion deck", "Extra", "Extra deck", "Fusione", "Fusioni"),
        *("Mazzo Fusione", "Mazzo Fusioni"),
    ],
    "cosmo": ["Cosmo", "Cosmos"],
    "deck": [
        *("Deck", "Main", "Main deck", "Mazzo", "Mazzo principale"),
        *("Mazzo da combattimento", "Combat deck"),
    ],
    "reserve": ["Reserve", "Reserves", "Riserva", "Riserve", "Side", "Side deck", "Sideboard"],
}
OF_A_GAME = {
    "creatures-of-exo": ["leader", "main", "evolution", "side"],
    "yugioh-2009": ["main", "fusion", "side"],
    "saint-seiya": ["main", "cosmo"],
    "thoom": ["main"],
    "doomtrooper-original": ["deck", "reserve"],
}
SECTIONS = [
    (shape, zone, word) for shape in GAMES for zone in OF_A_GAME[shape.key] for word in WORDS[zone]
]
FOREIGN = [
    (shape, zone, word)
    for shape in GAMES
    for zone, words in WORDS.items()
    for word in words
    if not any(word in WORDS[own] for own in OF_A_GAME[shape.key])
    and (zone, word) not in {("deck", "Main"), ("reserve", "Side")}
]
WRITTEN = [
    *("{}", "{}:", "{} 30", "{}: 30", "{} (30)", "{} (30 carte)", "{} (30):", "{} (30 carte):"),
    *("{}:30", "{} :", "{} (30 cards)", "{} (1 carta)", "{}: 0", "  {}  "),
]


@pytest.mark.parametrize(("shape", "zone", "word"), SECTIONS, ids=named)
def test_a_section_word_opens_its_zone(shape: DeckFormat, zone: str, word: str) -> None:
    other = OF_A_GAME[shape.key][0 if zone != OF_A_GAME[shape.key][0] else -1]
    for spelt in (word, word.upper(), word.lower(), word.replace(" ", "-")):
        for way in WRITTEN:
            line = way.replace("{}", spelt)
            deck = parse_decklist(f"{WORDS[other][0]}\n{line}\nFulminara {{Carta ignota}}", shape)
            assert (line, cards_of(deck)) == (line, [(zone, 1, "Fulminara")])
            assert deck.problems == ()


@pytest.mark.parametrize(("shape", "zone", "word"), FOREIGN, ids=named)
def test_a_section_word_of_another_game_is_named_and_its_cards_are_kept(
    shape: DeckFormat, zone: str, word: str
) -> None:
    deck = parse_decklist(f"{word} (3):\n2 Fulminara\n1 Brace", shape)
    kept = {name for name, words in WORDS.items() if word in words}
    ((found, *_rest), *_more) = cards_of(deck)
    assert found in kept
    assert cards_of(deck) == [(found, 2, "Fulminara"), (found, 1, "Brace")]
    assert problems(deck) == [("zone.unknown", 1)]
    assert zone in kept


def test_cards_of_another_games_zone_count_for_copies_and_not_for_sizes() -> None:
    deck = parse_decklist("Main\n30 Brace\nFusion\n3 Fulminara", EXO)
    faults = {(v.code, v.card) for v in EXO.validate(deck)}
    assert ("copies.too_many", "Fulminara") in faults
    assert not {v.zone for v in EXO.validate(deck) if v.code.startswith("zone.too")} & {"main"}


@pytest.mark.parametrize(
    ("line", "count", "name"),
    [
        ("30x Main", 30, "Main"),
        ("30 Main {Tattica}", 30, "Main"),
        ("Main {Tattica}", 1, "Main"),
        ("Main (30) {Tattica}", 30, "Main"),
        ("Mainframe", 1, "Mainframe"),
        ("Main event", 1, "Main event"),
    ],
)
def test_with_x2_before_it_or_braces_a_section_word_is_a_card(
    line: str, count: int, name: str
) -> None:
    assert cards_of(parse_decklist(f"Evolution\n{line}", EXO)) == [("evolution", count, name)]


# --- Headings ----------------------------------------------------------------------------
KIND_WORDS = {
    "creatures-of-exo": [
        *("Creature", "Creatura", "Creatures", "Tattica", "Tattiche", "Tactics", "Vice Leader"),
        *("Vice Leaders", "Evoluzioni Vice Leader", "Evolution Vice Leader", "Pedina", "Pedine"),
        *("Tokens", "Reliquia", "Reliquie", "Relics", "Leaders"),
    ],
    "yugioh-2009": [
        *("Mostro", "Mostri", "Monsters", "Mostro Fusione", "Mostri Fusione", "Fusion Monsters"),
        *("Magia", "Magie", "Spells", "Trappola", "Trappole", "Traps", "Segna-Mostri", "Tokens"),
    ],
    "saint-seiya": [
        *("Personaggio", "Personaggi", "Characters", "Tecnica", "Tecniche", "Techniques"),
        *("Fato", "Fati", "Fates", "Luogo", "Luoghi", "Places"),
    ],
    "thoom": ["Mostro", "Mostri", "Monsters", "Aiuto", "Aiuti", "Help", "Thoom"],
    "doomtrooper-original": ["Guerriero", "Guerrieri", "Warrior", "Warriors"],
}
HEADED = [(shape, word) for shape in GAMES for word in KIND_WORDS[shape.key]]


@pytest.mark.parametrize(("shape", "word"), HEADED, ids=named)
def test_a_kinds_word_with_a_colon_or_count_is_a_heading(shape: DeckFormat, word: str) -> None:
    last = WORDS[OF_A_GAME[shape.key][-1]][0]
    for spelt in (word, word.upper(), word.replace(" ", "-"), f"Carte {word}"):
        for way in ("{}:", "{} (14):", "{}: 14", "{} (14)", "{} 14", "{} (14 carte)"):
            deck = parse_decklist(
                f"{last}\n{way.replace('{}', spelt)}\nFulminara {{Ignota}}", shape
            )
            assert cards_of(deck) == [(OF_A_GAME[shape.key][-1], 1, "Fulminara")], way
            assert deck.problems == ()


@pytest.mark.parametrize(("shape", "word"), HEADED, ids=named)
def test_a_kinds_word_alone_is_a_card(shape: DeckFormat, word: str) -> None:
    assert [name for _zone, _count, name in cards_of(parse_decklist(word, shape))] == [word]


@pytest.mark.parametrize(
    "line",
    ["Varie:", "Creature buone:", "Creature e Tattiche (14):", "2 Fulminara:", "Deck di Anna:"],
)
def test_any_other_line_that_ends_with_a_colon_is_unreadable(line: str) -> None:
    deck = parse_decklist(f"Main\n{line}\nFulminara", EXO)
    assert cards_of(deck) == [("main", 1, "Fulminara")]
    assert problems(deck) == [("line.unreadable", 2)]


# --- Homes -------------------------------------------------------------------------------
HOMES = [
    (EXO, "Leader", "leader"),
    (EXO, "Evoluzione", "evolution"),
    (EXO, "Carta Evoluzione", "evolution"),
    (EXO, "evoluzioni vice-leader", "evolution"),
    (EXO, "Vice Leader", "main"),
    (EXO, "Creatura", "main"),
    (EXO, "Drago", "main"),
    (YUGIOH, "Mostro Fusione", "fusion"),
    (YUGIOH, "fusion monsters", "fusion"),
    (YUGIOH, "Mostro", "main"),
    (SAINT_SEIYA, "Cosmo", "cosmo"),
    (SAINT_SEIYA, "Luogo", "main"),
    (THOOM, "Thoom", "main"),
    (DOOMTROOPER, "Guerriero", "deck"),
]


@pytest.mark.parametrize(("shape", "kind", "home"), HOMES, ids=named)
def test_before_any_section_a_card_goes_home_or_to_the_main_zone(
    shape: DeckFormat, kind: str, home: str
) -> None:
    assert cards_of(parse_decklist(f"Fulminara {{{kind}}}", shape)) == [(home, 1, "Fulminara")]
    known = cards(CardFacts(name="Fulminara", kind=kind))
    assert cards_of(parse_decklist("fulminara", shape, known)) == [(home, 1, "fulminara")]
    assert cards_of(parse_decklist("Brace", shape)) == [(shape.main, 1, "Brace")]


@pytest.mark.parametrize(("shape", "kind", "home"), HOMES, ids=named)
def test_after_a_section_line_the_section_decides(shape: DeckFormat, kind: str, home: str) -> None:
    zone = OF_A_GAME[shape.key][-1]
    known = cards(CardFacts(name="Brace", kind=kind))
    deck = parse_decklist(f"{WORDS[zone][0]}\nFulminara {{{kind}}}\nBrace", shape, known)
    assert {found for found, _count, _name in cards_of(deck)} == {zone}
    assert home in OF_A_GAME[shape.key]


# --- Unreadable --------------------------------------------------------------------------
@pytest.mark.parametrize(
    "line",
    [
        *("0 Fulminara", "0x Fulminara", "Fulminara x0", "Fulminara (0)", "000 Fulminara"),
        *("1000 Fulminara", "Fulminara x1000", "Fulminara (1000)", "9999x Fulminara"),
        *("-2 Fulminara", "+2 Fulminara", "-2x Fulminara", "Fulminara x-2", "Fulminara (-2)"),
        *("- -2 Fulminara", "SB: -2 Fulminara", "-2", "+1"),
        *("12", "2 12", "...", "2 !?", "(DT)", "2 (DT)", "{Tattica}", "[A]", "- 3", "SB: 3"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line_and_text(line: str) -> None:
    deck = parse_decklist(f"Side\nBrace\n{line}", EXO)
    assert cards_of(deck) == [("side", 1, "Brace")]
    assert problems(deck) == [("line.unreadable", 3)]
    assert line in str(deck.problems[0].sentence)
    assert [v.code for v in EXO.validate(deck)].count("line.unreadable") == 1


@pytest.mark.parametrize("zone", ["Main", "mazzo", "MAIN", "fusion", "", "side deck"])
def test_in_json_a_key_that_is_no_slug_is_an_unknown_zone(zone: str) -> None:
    deck = deck_from_json({zone: [{"name": "Fulminara", "count": 2}]}, EXO)
    assert cards_of(deck) == [(zone, 2, "Fulminara")]
    assert problems(deck) == [("zone.unknown", None)]


@pytest.mark.parametrize(
    "entry",
    [
        *({"name": "Fulminara", "count": count} for count in (0, -1, 1000, "2", 1.5, None, True)),
        *({"name": name} for name in ("", "12", "...", None, 3)),
        {},
    ],
)
def test_in_json_a_bad_count_or_name_is_unreadable(entry: dict[str, object]) -> None:
    deck = deck_from_json({"main": [entry]}, EXO)
    assert (cards_of(deck), problems(deck)) == ([], [("line.unreadable", None)])


# --- Out again ---------------------------------------------------------------------------
@pytest.mark.parametrize("shape", GAMES, ids=named)
def test_list_text_list_and_list_json_list(shape: DeckFormat) -> None:
    zones = {
        zone: [
            DeckEntry(name=f"Carta {zone}", count=2, kind="Ignota", expansion="DT", number="3"),
            DeckEntry(name=f"Altra {zone} 2", version="A", genus="Luce", language="it"),
            DeckEntry(name="Main", count=3),
            DeckEntry(name="x2 Lama"),
        ]
        for zone in shape.zone_keys
    }
    deck = Deck(zones={zone: tuple(entries) for zone, entries in zones.items()}, language="it")
    assert parse_decklist(render_deck(deck, shape), shape) == deck
    assert deck_from_json(deck_to_json(deck), shape, "it") == deck
