"""Check a deck list, or an exchange between two games, against a format; stores nothing."""

from dataclasses import dataclass

from decks.rulebook import DeckRules
from rules.deckbuilding.catalogue import add_card_facts
from rules.deckbuilding.deck import Deck, Violation, limit_violations
from rules.deckbuilding.deck_json import deck_from_json
from rules.deckbuilding.exchange import check_exchange
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.moves import exchange_by_moves, exchange_by_new_deck
from rules.deckbuilding.text import parse_decklist
from rules.errors import BadInput

LONGEST_TEXT = 64 * 1024  # bytes of UTF-8
MOST_ENTRIES = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedDeck:
    """A deck and its violations of a format's rules."""

    format: DeckFormat
    deck: Deck
    violations: tuple[Violation, ...]

    @property
    def legal(self) -> bool:
        """Return whether no violation is an error."""
        return all(violation.severity != "error" for violation in self.violations)


def check_decklist_text(rules: DeckRules, *, text: str, language: str | None = None) -> CheckedDeck:
    """Check a decklist given as text; language: the declared one of its card names.

    Raises BadInput ``text_too_long`` (more than 64 KiB), ``text_unstorable`` (NUL or lone
    surrogates); every other text yields a deck.
    """
    require_storable_text(text)
    deck = parse_decklist(text, rules.format, rules.catalogue, language=language or "")
    return check_deck(rules, deck)


def check_decklist_zones(
    rules: DeckRules, *, zones: object, language: object = None
) -> CheckedDeck:
    """Check a decklist given as JSON zones.

    Raises BadInput ``wrong_type`` with a path, ``text_too_long``.
    """
    require_entry_limit(zones)
    return check_deck(rules, deck_from_json(zones, rules.format, language))


def require_entry_limit(zones: object, *, field: str = "zones") -> None:
    """Raise BadInput ``text_too_long`` for more than 5,000 entries or zones in JSON.

    field: name of the zones in the error.
    """
    if isinstance(zones, dict):
        entries = sum(len(listed) for listed in zones.values() if isinstance(listed, list))
        if entries > MOST_ENTRIES or len(zones) > MOST_ENTRIES:
            raise BadInput(
                "text_too_long",
                "Enter at most %(most)s.",
                field=field,
                most=MOST_ENTRIES,
            )


def check_deck(rules: DeckRules, deck: Deck) -> CheckedDeck:
    """Check a deck against rules; return it with its violations."""
    violations = rules.format.validate(deck, rules.catalogue)
    return CheckedDeck(format=rules.format, deck=deck, violations=limit_violations(violations))


def require_storable_text(text: str) -> None:
    """Raise BadInput if a text is too long or has characters no database can store.

    ``text_too_long``, ``text_unstorable``.
    """
    if "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise BadInput(
            "text_unstorable",
            "The text has invalid characters.",
            field="text",
        )
    if len(text) > LONGEST_TEXT or len(text.encode()) > LONGEST_TEXT:
        raise BadInput(
            "text_too_long",
            "Write at most %(most)s characters.",
            field="text",
            most=LONGEST_TEXT,
        )


def deck_from_zones(rules: DeckRules, zones: object, field: str) -> Deck:
    """Parse a deck's JSON zones, which were sent as ``field``.

    Raises BadInput ``wrong_type``, ``text_too_long`` with the field's path.
    """
    require_entry_limit(zones, field=field)
    return deck_from_json(zones, rules.format, field=field)


def check_exchange_by_moves(
    rules: DeckRules, *, registered: Deck, out: Deck, into: Deck, games_played: int | None = None
) -> CheckedDeck:
    """Check an exchange given as the cards moved ``out`` of and ``into`` the deck.

    Return the deck after it. games_played: see ``check_exchange``. Raises BadInput ``no_exchange``.
    """
    shape, known = _with_catalogue(rules, registered, out, into)
    exchanged = exchange_by_moves(shape, known, out, into)
    violations = check_exchange(shape, known, exchanged, games_played=games_played)
    return CheckedDeck(
        format=rules.format, deck=exchanged.deck, violations=limit_violations(violations)
    )


def check_exchange_by_new_deck(
    rules: DeckRules, *, registered: Deck, table: Deck, games_played: int | None = None
) -> CheckedDeck:
    """Check an exchange given as the deck after it (``table``); the side follows from it.

    games_played: see ``check_exchange``. Raises BadInput ``no_exchange``.
    """
    shape, known = _with_catalogue(rules, registered, table)
    exchanged = exchange_by_new_deck(shape, known, table)
    violations = check_exchange(shape, known, exchanged, games_played=games_played)
    return CheckedDeck(
        format=rules.format, deck=exchanged.deck, violations=limit_violations(violations)
    )


def _with_catalogue(rules: DeckRules, registered: Deck, *others: Deck) -> tuple[DeckFormat, Deck]:
    """Return the format with cards merged across languages, and the deck with card kinds."""
    shape = rules.format
    shape, known = shape.knowing([registered, *others], rules.catalogue)
    return shape, registered if known is None else add_card_facts(registered, known)
