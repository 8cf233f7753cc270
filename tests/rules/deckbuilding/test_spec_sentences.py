"""What “Lists in and out” says of what can’t be read, and of lists written out again."""

import pytest

from rules.deckbuilding.deck import Deck, Entry
from rules.deckbuilding.deck_json import deck_from_json, deck_to_json
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.render import render
from rules.deckbuilding.text import parse
from tests.rules.deckbuilding.reading import EXO, GAMES, cards_of, named, problems


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
    deck = parse(f"Side\nBrace\n{line}", EXO)
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
            Entry(name=f"Carta {zone}", count=2, kind="Ignota", expansion="DT", number="3"),
            Entry(name=f"Altra {zone} 2", version="A", genus="Luce", language="it"),
            Entry(name="Main", count=3),
            Entry(name="x2 Lama"),
        ]
        for zone in shape.zone_keys
    }
    deck = Deck(zones={zone: tuple(entries) for zone, entries in zones.items()}, language="it")
    assert parse(render(deck, shape), shape) == deck
    assert deck_from_json(deck_to_json(deck), shape, "it") == deck
