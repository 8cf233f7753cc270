"""Lists and their faults, ready to show in the reader's language."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext, pgettext

from config.wording import translate
from decks.checking.checking import Checked
from decks.decklists.mapping import deck_of, violations_of
from decks.models import Decklist
from rules.deckbuilding.deck import Deck, Entry, Violation
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.languages import language_label
from rules.deckbuilding.render import canonical
from rules.deckbuilding.zones import label_of
from rules.wording import Sentence


def short_fingerprint(fingerprint: str) -> str:
    """Return the first eight characters of a fingerprint in two groups of four."""
    return f"{fingerprint[:4]} {fingerprint[4:8]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ViolationRow:
    """A fault in words; ``word`` says how grave it is, ``zone`` is a label or empty.

    ``suggestions`` are names that may have been meant instead of ``card``, on its ``line``.
    """

    code: str
    severity: str
    word: str
    text: str
    line: int | None
    zone: str
    card: str = ""
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneRow:
    """A zone with its cards in a judge's order: by kind, then name."""

    key: str
    label: str
    size: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecklistRow:
    """A list as pages show it; without ``fingerprint`` and time it is not stored.

    ``language`` is a name in the active language, ``fingerprint`` the characters to compare.
    """

    legal: bool
    language: str
    zones: tuple[ZoneRow, ...]
    violations: tuple[ViolationRow, ...]
    errors: int
    name: str = ""
    raw: str = ""
    fingerprint: str = ""
    created_at: datetime | None = None


def decklist_row(decklist: Decklist) -> DecklistRow:
    """Return a stored list for display. No query."""
    violations = violations_of(decklist)
    return DecklistRow(
        legal=decklist.legal,
        language=_language(str(decklist.deck["language"])),
        zones=_zone_rows(deck_of(decklist)),
        violations=violation_rows(violations),
        errors=_errors(violations),
        name=decklist.name,
        raw=decklist.raw,
        fingerprint=short_fingerprint(decklist.fingerprint),
        created_at=decklist.created_at,
    )


def checked_row(checked: Checked) -> DecklistRow:
    """Return a list that is not stored for display. No query."""
    return DecklistRow(
        legal=checked.legal,
        language=_language(checked.deck.language),
        zones=_zone_rows(checked.deck),
        violations=violation_rows(checked.violations),
        errors=_errors(checked.violations),
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
            zone=zone_label(violation.zone) if violation.zone else "",
            card=violation.card or "",
            suggestions=violation.suggestions,
        )
        for violation in violations
    )


def format_label(deck_format: DeckFormat) -> str:
    """Return a format's game and category in the active language."""
    return f"{translate(deck_format.game_label)} · {translate(deck_format.label)}"


def zone_label(key: str) -> str:
    """Return a zone's label in the active language; a zone of no game as it was named."""
    label = label_of(key)
    return translate(label) if isinstance(label, Sentence) else label


def _language(word: str) -> str:
    label = language_label(word)
    return translate(label) if isinstance(label, Sentence) else label


def _zone_rows(deck: Deck) -> tuple[ZoneRow, ...]:
    return tuple(
        ZoneRow(key=key, label=zone_label(key), size=deck.size(key), entries=entries)
        for key, entries in canonical(deck).zones.items()
    )


def _errors(violations: Iterable[Violation]) -> int:
    return sum(violation.severity == "error" for violation in violations)
