"""An exchange with the side as programs send it, checked; nothing stored."""

from decks.checking import Checked, require_entries
from decks.rulebook import DeckRules
from rules.deckbuilding.catalogue import with_facts
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.exchange import check_exchange
from rules.deckbuilding.moves import Exchanged, by_moves, by_table, require_exchange
from rules.deckbuilding.portable import deck_from_json


def checked_moves(
    rules: DeckRules, *, registered: object, out: object, into: object, played: int | None = None
) -> Checked:
    """Return the deck after cards went out and came in, and what is wrong with that.

    Raises BadInput ``no_exchange`` and ``wrong_type``, ``text_too_long`` with a path.
    """
    require_exchange(rules.format)
    known = _registered(rules, registered)
    leaving, entering = _read(rules, out, "out"), _read(rules, into, "in")
    return _checked(rules, known, by_moves(rules.format, known, leaving, entering), played)


def checked_table(
    rules: DeckRules, *, registered: object, table: object, played: int | None = None
) -> Checked:
    """Return the deck found on the table, and what is wrong with it; raises as above."""
    require_exchange(rules.format)
    known = _registered(rules, registered)
    found = by_table(rules.format, known, _read(rules, table, "table"))
    return _checked(rules, known, found, played)


def _registered(rules: DeckRules, zones: object) -> Deck:
    deck = _read(rules, zones, "registered")
    return with_facts(deck, rules.catalogue) if rules.catalogue else deck


def _read(rules: DeckRules, zones: object, field: str) -> Deck:
    require_entries(zones, field=field)
    return deck_from_json(zones, rules.format, field=field)


def _checked(rules: DeckRules, known: Deck, exchanged: Exchanged, played: int | None) -> Checked:
    violations = check_exchange(rules.format, known, exchanged, games_played=played)
    return Checked(format=rules.format, deck=exchanged.deck, violations=violations)
