"""Convert stored decklists to decks and violations, and back. No query."""

from collections.abc import Mapping
from typing import Any

from decks.models import Decklist
from decks.rulebook import base_format
from rules.deckbuilding.deck import Deck, Violation
from rules.deckbuilding.deck_json import deck_from_json, deck_to_json
from rules.deckbuilding.text import READING
from rules.wording import Sentence

_NUMBERS = ("zone", "card", "found", "minimum", "maximum", "line")


def deck_to_row(deck: Deck) -> dict[str, Any]:
    """Return a deck as the JSON of its row, with ``READING``, the version of how text is read."""
    return {"zones": deck_to_json(deck), "language": deck.language, "reading": READING}


def read_as_today(decklist: Decklist) -> bool:
    """Return whether a stored list was read as lists are read now."""
    return decklist.deck.get("reading", 1) == READING


def deck_of(decklist: Decklist) -> Deck:
    """Return the deck of a stored list, without its problems."""
    kept = decklist.deck
    deck = deck_from_json(kept["zones"], base_format(decklist.format), kept["language"])
    return Deck(zones=deck.zones, language=deck.language)


def violation_to_row(violation: Violation) -> dict[str, Any]:
    """Return a violation as JSON, its sentence untranslated."""
    return {
        "code": violation.code,
        "sentence": sentence_to_json(violation.sentence),
        **{key: getattr(violation, key) for key in _NUMBERS},
        "suggestions": list(violation.suggestions),
    } | ({"lines": violation.lines} if violation.lines else {})


def violations_of(decklist: Decklist) -> tuple[Violation, ...]:
    """Return the violations of a stored list; their sentences can be translated."""
    return tuple(
        Violation(
            code=row["code"],
            sentence=sentence_from_json(row["sentence"]),
            **{key: row[key] for key in _NUMBERS},
            suggestions=tuple(row.get("suggestions", ())),
            lines=tuple((first, last) for first, last in row.get("lines", ())),
        )
        for row in decklist.violations
    )


def sentence_to_json(sentence: Sentence) -> dict[str, Any]:
    """Return a sentence as a JSON object: its template and its values."""
    values = {key: _value_to_json(value) for key, value in sentence.values.items()}
    return {"template": sentence.template, "values": values}


def _value_to_json(value: object) -> object:
    if isinstance(value, Sentence):
        return sentence_to_json(value)
    if isinstance(value, tuple):
        return [_value_to_json(item) for item in value]
    return value


def sentence_from_json(kept: Mapping[str, Any]) -> Sentence:
    """Return the sentence stored by :func:`sentence_to_json`."""
    return Sentence(
        kept["template"], {key: _value_from_json(value) for key, value in kept["values"].items()}
    )


def _value_from_json(value: object) -> object:
    if isinstance(value, dict):
        return sentence_from_json(value)
    if isinstance(value, list):
        return tuple(_value_from_json(item) for item in value)
    return value
