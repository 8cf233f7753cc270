"""A list against its format, nothing stored."""

from dataclasses import dataclass

from decks.formats.rulebook import DeckRules
from rules.deckbuilding.deck import Deck, Violation
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.portable import deck_from_json
from rules.deckbuilding.text import parse
from rules.errors import BadInput
from rules.wording import gettext_noop as _

LONGEST_TEXT = 64 * 1024  # bytes of UTF-8
MOST_ENTRIES = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A deck, and all that its format finds wrong with it."""

    format: DeckFormat
    deck: Deck
    violations: tuple[Violation, ...]

    @property
    def legal(self) -> bool:
        """Return whether no violation is an error."""
        return all(violation.severity != "error" for violation in self.violations)


def check_text(rules: DeckRules, *, text: str, language: str | None = None) -> Checked:
    """Return a written list, checked; ``language`` is declared beside it.

    Raises BadInput ``text_too_long`` (more than 64 KiB), ``text_unstorable`` (NUL or half
    characters); every other text gives a deck.
    """
    require_storable(text)
    deck = parse(text, rules.format, rules.catalogue, language=language or "")
    return checked(rules, deck)


def check_zones(rules: DeckRules, *, zones: object, language: object = None) -> Checked:
    """Return a list as programs send it, checked; raises BadInput, ``wrong_type`` with a path."""
    require_entries(zones)
    return checked(rules, deck_from_json(zones, rules.format, language))


def require_entries(zones: object, *, field: str = "zones") -> None:
    """Raise BadInput ``text_too_long`` for more entries or zones than a list has."""
    if isinstance(zones, dict):
        entries = sum(len(listed) for listed in zones.values() if isinstance(listed, list))
        if entries > MOST_ENTRIES or len(zones) > MOST_ENTRIES:
            raise BadInput(
                "text_too_long",
                _("A list may have at most %(most)s entries; nothing was stored."),
                field=field,
                most=MOST_ENTRIES,
            )


def checked(rules: DeckRules, deck: Deck) -> Checked:
    """Return a deck with what the rules say of it."""
    violations = rules.format.validate(deck, rules.catalogue)
    return Checked(format=rules.format, deck=deck, violations=violations)


def require_storable(text: str) -> None:
    """Raise BadInput for a text that no list is, or that a database can't keep."""
    if "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise BadInput(
            "text_unstorable",
            _(
                "The text holds characters that no list can have; nothing was stored. Paste it "
                "again."
            ),
            field="text",
        )
    if len(text) > LONGEST_TEXT or len(text.encode()) > LONGEST_TEXT:
        raise BadInput(
            "text_too_long",
            _("A list may be %(most)s characters long; nothing was stored. Paste the list only."),
            field="text",
            most=LONGEST_TEXT,
        )
