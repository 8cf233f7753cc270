"""Stored decklists and violations: as the rules' values, and for display in the active language."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from django.utils.translation import gettext, pgettext

from config.wording import translate
from decks.checking import Checked
from decks.decklists.card_rows import ZoneRows, zone_rows
from decks.labels import not_checked_words, verdict
from decks.models import Decklist
from decks.rulebook import base_format
from rules.deckbuilding.around import language_label
from rules.deckbuilding.deck import GRAVITY, Deck, Violation
from rules.deckbuilding.deck_json import deck_from_json, deck_to_json
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.text import READING
from rules.wording import Sentence

_NUMBERS = ("zone", "card", "found", "minimum", "maximum", "line")


def deck_to_row(deck: Deck) -> dict[str, Any]:
    """Return a deck as the JSON of its row, with ``READING``, the version of how text is read."""
    return {"zones": deck_to_json(deck), "language": deck.language, "reading": READING}


def has_current_reading(decklist: Decklist) -> bool:
    """Return whether a stored list was read as lists are read now."""
    return decklist.deck.get("reading", 1) == READING


def deck_of(decklist: Decklist) -> Deck:
    """Return the deck of a stored list, without its problems."""
    kept = decklist.deck
    deck = deck_from_json(kept["zones"], base_format(decklist.format), kept["language"])
    return Deck(zones=deck.zones, language=deck.language)


def violation_to_row(violation: Violation) -> dict[str, Any]:
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


def short_fingerprint(fingerprint: str) -> str:
    """Return the first eight characters of a fingerprint in two groups of four."""
    return f"{fingerprint[:4]} {fingerprint[4:8]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ViolationRow:
    """A violation in words; ``word`` is its severity in words.

    ``suggestions`` are similar names to replace ``card`` on its ``line``; ``names_line``: the text
    says which line it is.
    """

    code: str
    severity: str
    word: str
    text: str
    line: int | None
    card: str = ""
    suggestions: tuple[str, ...] = ()
    names_line: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DecklistRow:
    """A list for display; without ``fingerprint`` it is not stored.

    ``cards`` hold its entries with their faults. ``verdict`` is what is said of it without errors,
    ``not_checked`` what the format's rules leave out. ``language`` is a label in the active
    language, ``fingerprint`` its first eight characters.
    """

    legal: bool
    language: str
    cards: tuple[ZoneRows, ...]
    violations: tuple[ViolationRow, ...]
    errors: int
    verdict: str
    not_checked: tuple[str, ...] = ()
    fingerprint: str = ""


def decklist_row(decklist: Decklist) -> DecklistRow:
    """Return the row of a stored list. No query but for a game of one's own."""
    shape = base_format(decklist.format)
    row = _row(deck_of(decklist), violations_of(decklist), shape, legal=decklist.legal)
    return replace(
        row,
        language=_language(str(decklist.deck["language"])),
        fingerprint=short_fingerprint(decklist.fingerprint),
    )


def checked_row(checked: Checked) -> DecklistRow:
    """Return the row of a checked list that is not stored. No query."""
    return _row(checked.deck, checked.violations, checked.format, legal=checked.legal)


def _row(
    deck: Deck, violations: Collection[Violation], shape: DeckFormat, *, legal: bool
) -> DecklistRow:
    return DecklistRow(
        legal=legal,
        language=_language(deck.language),
        cards=zone_rows(deck, violations, shape),
        violations=violation_rows(violations),
        errors=sum(violation.severity == "error" for violation in violations),
        verdict=verdict(shape),
        not_checked=not_checked_words(shape),
    )


def violation_rows(violations: Iterable[Violation]) -> tuple[ViolationRow, ...]:
    """Return violations in the active language."""
    words = {
        "error": gettext("Error"),
        "warning": pgettext("about a list", "Warning"),
        "info": gettext("Note"),
    }
    return tuple(
        ViolationRow(
            code=violation.code,
            severity=violation.severity,
            word=words[violation.severity],
            text=translate(violation.sentence),
            line=violation.line,
            card=violation.card or "",
            suggestions=violation.suggestions,
            names_line="line" in violation.sentence.values,
        )
        for violation in violations
    )


AnyViolation = TypeVar("AnyViolation", Violation, ViolationRow)


def gravest_first(violations: Iterable[AnyViolation]) -> list[AnyViolation]:
    """Return violations with the errors first, then warnings, then notes."""
    return sorted(violations, key=lambda item: GRAVITY.index(item.severity))


def is_unknown(item: Violation | ViolationRow) -> bool:
    """Return whether a violation is only that a card is in no catalogue."""
    return item.code == "card.unknown" and item.severity != "error" and not item.suggestions


def _language(word: str) -> str:
    label = language_label(word)
    return translate(label) if isinstance(label, Sentence) else label
