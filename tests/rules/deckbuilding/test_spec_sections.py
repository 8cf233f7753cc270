"""What “Lists in and out” of the deck construction rules says of sections, headings and homes."""

import pytest

from rules.deckbuilding.catalogue import CardFacts
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.text import parse
from tests.rules.deckbuilding.known_cards import cards
from tests.rules.deckbuilding.reading import (
    DOOMTROOPER,
    EXO,
    GAMES,
    SAINT_SEIYA,
    THOOM,
    YUGIOH,
    cards_of,
    named,
    problems,
)

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
            deck = parse(f"{WORDS[other][0]}\n{line}\nFulminara {{Carta ignota}}", shape)
            assert (line, cards_of(deck)) == (line, [(zone, 1, "Fulminara")])
            assert deck.problems == ()


@pytest.mark.parametrize(("shape", "zone", "word"), FOREIGN, ids=named)
def test_a_section_word_of_another_game_is_named_and_its_cards_are_kept(
    shape: DeckFormat, zone: str, word: str
) -> None:
    deck = parse(f"{word} (3):\n2 Fulminara\n1 Brace", shape)
    kept = {name for name, words in WORDS.items() if word in words}
    ((found, *_rest), *_more) = cards_of(deck)
    assert found in kept
    assert cards_of(deck) == [(found, 2, "Fulminara"), (found, 1, "Brace")]
    assert problems(deck) == [("zone.unknown", 1)]
    assert zone in kept


def test_cards_of_another_games_zone_count_for_copies_and_not_for_sizes() -> None:
    deck = parse("Main\n30 Brace\nFusion\n3 Fulminara", EXO)
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
    assert cards_of(parse(f"Evolution\n{line}", EXO)) == [("evolution", count, name)]


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
            deck = parse(f"{last}\n{way.replace('{}', spelt)}\nFulminara {{Ignota}}", shape)
            assert cards_of(deck) == [(OF_A_GAME[shape.key][-1], 1, "Fulminara")], way
            assert deck.problems == ()


@pytest.mark.parametrize(("shape", "word"), HEADED, ids=named)
def test_a_kinds_word_alone_is_a_card(shape: DeckFormat, word: str) -> None:
    assert [name for _zone, _count, name in cards_of(parse(word, shape))] == [word]


@pytest.mark.parametrize(
    "line",
    ["Varie:", "Creature buone:", "Creature e Tattiche (14):", "2 Fulminara:", "Deck di Anna:"],
)
def test_any_other_line_that_ends_with_a_colon_is_unreadable(line: str) -> None:
    deck = parse(f"Main\n{line}\nFulminara", EXO)
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
    assert cards_of(parse(f"Fulminara {{{kind}}}", shape)) == [(home, 1, "Fulminara")]
    known = cards(CardFacts(name="Fulminara", kind=kind))
    assert cards_of(parse("fulminara", shape, known)) == [(home, 1, "fulminara")]
    assert cards_of(parse("Brace", shape)) == [(shape.main, 1, "Brace")]


@pytest.mark.parametrize(("shape", "kind", "home"), HOMES, ids=named)
def test_after_a_section_line_the_section_decides(shape: DeckFormat, kind: str, home: str) -> None:
    zone = OF_A_GAME[shape.key][-1]
    known = cards(CardFacts(name="Brace", kind=kind))
    deck = parse(f"{WORDS[zone][0]}\nFulminara {{{kind}}}\nBrace", shape, known)
    assert {found for found, _count, _name in cards_of(deck)} == {zone}
    assert home in OF_A_GAME[shape.key]
