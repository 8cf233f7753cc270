"""An exchange with the side, checked by the rules that hold; nothing stored."""

from dataclasses import replace

from decks.checking.checking import Checked, require_entries
from decks.formats.rulebook import DeckRules
from rules.deckbuilding.catalogue import Aliased, with_facts, with_languages
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.exchange import check_exchange
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.moves import by_moves, by_table
from rules.deckbuilding.portable import deck_from_json


def deck_of(rules: DeckRules, zones: object, field: str) -> Deck:
    """Return a deck as programs send it, in this ``field``.

    Raises BadInput ``wrong_type``, ``text_too_long`` with a path.
    """
    require_entries(zones, field=field)
    return deck_from_json(zones, rules.format, field=field)


def checked_moves(
    rules: DeckRules, *, registered: Deck, out: Deck, into: Deck, games_played: int | None = None
) -> Checked:
    """Return the deck after cards went out and came in, and what is wrong with that.

    Games are counted as ``check_exchange`` says. Raises BadInput ``no_exchange``.
    """
    shape, known = _with_catalogue(rules, registered, out, into)
    exchanged = by_moves(shape, known, out, into)
    violations = check_exchange(shape, known, exchanged, games_played=games_played)
    return Checked(format=rules.format, deck=exchanged.deck, violations=violations)


def checked_table(
    rules: DeckRules, *, registered: Deck, table: Deck, games_played: int | None = None
) -> Checked:
    """Return the deck found on the table, its side worked out, and what is wrong with it.

    Games are counted as ``check_exchange`` says. Raises BadInput ``no_exchange``.
    """
    shape, known = _with_catalogue(rules, registered, table)
    exchanged = by_table(shape, known, table)
    violations = check_exchange(shape, known, exchanged, games_played=games_played)
    return Checked(format=rules.format, deck=exchanged.deck, violations=violations)


def _with_catalogue(rules: DeckRules, registered: Deck, *others: Deck) -> tuple[DeckFormat, Deck]:
    """Return the format that knows a card in every language, and the list with its kinds."""
    shape = rules.format
    if rules.catalogue is None:
        return shape, registered
    known = Aliased(rules.catalogue, shape.lists.originals)
    lists = with_languages(shape.lists, known, [registered, *others])
    return replace(shape, lists=lists), with_facts(registered, known)
