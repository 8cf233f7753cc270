"""Stored decklists and violations: as the rules' values, and for display in the active language."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from django.utils.translation import gettext, pgettext

from config.wording import translate
from decks.checking import CheckedDeck
from decks.decklists.card_rows import ZoneRows, zone_rows
from decks.labels import legal_verdict, unchecked_rules
from decks.models import Decklist
from decks.stored_formats import base_format
from rules.deckbuilding.around import language_label
from rules.deckbuilding.deck import GRAVITY, Deck, Violation
from rules.deckbuilding.deck_json import deck_from_json, deck_to_json
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.text import READING
from rules.wording import Sentence

_NUMBERS = ("zone", "card", "found", "minimum", "maximum", "line")


def deck_to_stored_json(deck: Deck) -> dict[str, Any]:
    """Return a deck as JSON for ``Decklist.deck``, with the parser's version."""
    return {"zones": deck_to_json(deck), "language": deck.language, "reading": READING}


def is_parsed_by_current_version(decklist: Decklist) -> bool:
    """Return whether a stored list was read by the present version of the parser."""
    return decklist.deck.get("reading", 1) == READING


def stored_deck(decklist: Decklist) -> Deck:
    """Return the deck of a stored decklist, without its problems."""
    kept = decklist.deck
    deck = deck_from_json(kept["zones"], base_format(decklist.format), kept["language"])
    return Deck(zones=deck.zones, language=deck.language)


def violation_to_stored_json(violation: Violation) -> dict[str, Any]:
    """Return a violation as JSON for ``Decklist.violations``."""
    return {
        "code": violation.code,
        "sentence": sentence_to_json(violation.sentence),
        **{key: getattr(violation, key) for key in _NUMBERS},
        "suggestions": list(violation.suggestions),
    } | ({"lines": violation.lines} if violation.lines else {})


def stored_violations(decklist: Decklist) -> tuple[Violation, ...]:
    """Return the violations stored with a decklist, with translatable messages."""
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
    """Return a message as a JSON object: its ``template`` and ``values``."""
    values = {key: _value_to_json(value) for key, value in sentence.values.items()}
    return {"template": sentence.template, "values": values}


def _value_to_json(value: object) -> object:
    if isinstance(value, Sentence):
        return sentence_to_json(value)
    if isinstance(value, tuple):
        return [_value_to_json(item) for item in value]
    return value


COPY_LIMIT = (
    "“%(card)s” looks like “%(name)s”, over its copy limit. "
    "If it’s another card, enter only its name."
)
FORMER_TEMPLATES: Mapping[str, str] = {
    "Half a bye given by hand by the organiser.": "Half-point bye awarded by the organiser.",
    "Half a bye given by hand by the organiser: %(note)s": (
        "Half-point bye awarded by the organiser: %(note)s"
    ),
    "Bye given by hand by the organiser.": "Bye awarded by the organiser.",
    "Bye given by hand by the organiser: %(note)s": "Bye awarded by the organiser: %(note)s",
    "Paired by hand by the organiser.": "Paired manually by the organiser.",
    "Paired by hand by the organiser: %(note)s": "Paired manually by the organiser: %(note)s",
    "Paired again among chosen players: %(reason)s": (
        "Paired again among selected players: %(reason)s"
    ),
    "Paired again among chosen players (%(note)s): %(reason)s": (
        "Paired again among selected players (%(note)s): %(reason)s"
    ),
    "They have met before: no pairing of this round avoids every rematch.": (
        "Rematch: this round could not be paired without rematches."
    ),
    "Level on points: %(points)s.": "Both players’ points: %(points)s.",
    "They were to be kept apart: this round could not be paired so.": (
        "Players to be kept apart: this round could not be paired without this match."
    ),
    "Floated from %(points)s to %(lower)s: nobody left at %(points)s points whom they had not "
    "met.": (
        "Paired down from %(points)s to %(lower)s points: no unplayed opponent was left at "
        "%(points)s points."
    ),
    "Floated from %(points)s to %(lower)s: odd number at %(points)s points.": (
        "Paired down from %(points)s to %(lower)s points: there was an odd number of players at "
        "%(points)s points."
    ),
    "Bye: the lowest without one so far who leaves the others a pairing.": (
        "Bye: the lowest-ranked player who hasn’t had one, if the others can still be paired."
    ),
    "Bye: the lowest-ranked player without a bye whose absence lets the others be paired.": (
        "Bye: the lowest-ranked player who hasn’t had one, if the others can still be paired."
    ),
    "Bye: everybody who could rest has had one.": (
        "Bye: every available player has already had one."
    ),
    "All %(kind)s must have the same genus, such as: %(genera)s.": (
        "All %(kind)s must share one genus (for example %(genera)s)."
    ),
    "Too many versions of one card: %(cards)s (maximum %(versions)s). Take out the others.": (
        "Too many versions of one card: %(cards)s (maximum %(versions)s). "
        "Remove the extra versions."
    ),
    "If “%(card)s” means “%(name)s”, there are too many copies. Write only the name.": COPY_LIMIT,
    "“%(card)s” may be “%(name)s”, with too many copies. If it’s another card, write only its "
    "name.": COPY_LIMIT,
    "Replace the heading with the zone of the cards below it.": (
        "Replace the heading with the name of the zone for the cards below it."
    ),
    "If it is a card, write a number before it; if not, write //.": (
        "If it is a card, put the number of copies before it; if not, put // before it."
    ),
}
"""Former wordings that are stored with pairings and decklists, by which they are shown now."""


def sentence_from_json(kept: Mapping[str, Any]) -> Sentence:
    """Return the message stored by :func:`sentence_to_json`, in its present wording."""
    template = kept["template"]
    return Sentence(
        FORMER_TEMPLATES.get(template, template),
        {key: _value_from_json(value) for key, value in kept["values"].items()},
    )


def _value_from_json(value: object) -> object:
    if isinstance(value, dict):
        return sentence_from_json(value)
    if isinstance(value, list):
        return tuple(_value_from_json(item) for item in value)
    return value


def short_fingerprint(fingerprint: str) -> str:
    """Return the first eight characters of a fingerprint for display, as "12ab 34cd"."""
    return f"{fingerprint[:4]} {fingerprint[4:8]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ViolationRow:
    """A violation for display; ``label`` is its severity in the active language.

    ``text`` is the message. ``suggestions`` are similar names to replace ``card`` on its ``line``.
    ``names_line``: whether the text names the line.
    """

    code: str
    severity: str
    label: str
    text: str
    line: int | None
    card: str = ""
    suggestions: tuple[str, ...] = ()
    names_line: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DecklistRow:
    """A decklist for display; ``fingerprint`` (short) is "" if it is not stored.

    ``errors`` is their number; ``verdict`` the message of a list without any. ``not_checked`` is
    what the format's rules don't check, ``language`` a label.
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
    """Return a stored decklist for display; no query but for a custom game."""
    shape = base_format(decklist.format)
    row = _row(stored_deck(decklist), stored_violations(decklist), shape, legal=decklist.legal)
    return replace(
        row,
        language=_language(str(decklist.deck["language"])),
        fingerprint=short_fingerprint(decklist.fingerprint),
    )


def checked_deck_row(checked: CheckedDeck) -> DecklistRow:
    """Return a checked but unstored list for display; no query."""
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
        verdict=legal_verdict(shape),
        not_checked=unchecked_rules(shape),
    )


def violation_rows(violations: Iterable[Violation]) -> tuple[ViolationRow, ...]:
    """Return violations for display in the active language."""
    words = {
        "error": gettext("Error"),
        "warning": pgettext("about a list", "Warning"),
        "info": gettext("Note"),
    }
    return tuple(
        ViolationRow(
            code=violation.code,
            severity=violation.severity,
            label=words[violation.severity],
            text=translate(violation.sentence),
            line=violation.line,
            card=violation.card or "",
            suggestions=violation.suggestions,
            names_line="line" in violation.sentence.values,
        )
        for violation in violations
    )


AnyViolation = TypeVar("AnyViolation", Violation, ViolationRow)


def sort_by_severity(violations: Iterable[AnyViolation]) -> list[AnyViolation]:
    """Return violations sorted by severity: errors, warnings, notes."""
    return sorted(violations, key=lambda item: GRAVITY.index(item.severity))


def is_unknown_card(item: Violation | ViolationRow) -> bool:
    """Return whether a violation says only that a card is in no catalogue.

    That is a ``card.unknown`` without similar names.
    """
    return item.code == "card.unknown" and item.severity != "error" and not item.suggestions


def _language(word: str) -> str:
    label = language_label(word)
    return translate(label) if isinstance(label, Sentence) else label
