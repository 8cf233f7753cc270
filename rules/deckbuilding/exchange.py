"""Validation of an exchange between deck and side.

Source: deck construction, Exchange, checked; Creatures of Exo 4, Yu-Gi-Oh 6, Doomtrooper 7.
Whatever was exchanged before, a deck is compared with the registered list: same cards, same size
of the side, and valid sizes and kinds in the other zones.
"""

from collections.abc import Iterator
from dataclasses import replace

from rules.deckbuilding.checks.counts import too_few_message, too_many_message
from rules.deckbuilding.deck import Deck, Violation
from rules.deckbuilding.formats import DeckFormat, Exchange, copies_by_card
from rules.deckbuilding.moves import ExchangedDeck, copies_by_name, require_exchange
from rules.deckbuilding.zones import zone_label
from rules.wording import Sentence
from rules.wording import gettext_noop as _

SIZE_CODES = frozenset({"zone.too_few", "zone.too_many", "zone.wrong_size"})
KIND_CODES = frozenset(
    {
        *("kind.wrong_zone", "kind.not_a_deck_card"),
        *("kind.too_few", "kind.too_many", "kind.unchecked"),
    }
)
"""Checks repeated after an exchange; copies cannot have changed."""


def check_exchange(
    deck_format: DeckFormat,
    registered: Deck,
    exchanged: ExchangedDeck,
    *,
    games_played: int | None = None,
) -> tuple[Violation, ...]:
    """Return all violations of an exchange with the sideboard, in display order.

    ``games_played`` is the number of games before the exchange, within the match if decks return to
    the registered list after a match, else within the event; None skips the check that the first
    game is played with the registered deck. Raises BadInput ``no_exchange``.
    """
    exchange, side = require_exchange(deck_format)
    deck = exchanged.deck
    faults = [*deck.problems, *exchanged.problems]
    faults += _not_in_list(deck_format, registered, deck)
    faults += _unequal_numbers_violation(exchanged, side, registered)
    faults += _violations_of_filled_zones(exchange, registered, deck)
    if games_played == 0 and _is_outside_side_changed(deck_format, side, registered, deck):
        faults.append(_before_first_game(exchanged))
    asked = tuple(
        check for check in deck_format.checks if set(check.codes) <= SIZE_CODES | KIND_CODES
    )
    held = replace(deck_format, checks=asked).validate(replace(deck, problems=tuple(faults)))
    unasked = {side, *exchanged.oversized}
    return tuple(
        fault for fault in held if fault.code not in SIZE_CODES or fault.zone not in unasked
    )


def _not_in_list(deck_format: DeckFormat, registered: Deck, deck: Deck) -> Iterator[Violation]:
    before = copies_by_card(registered, deck_format.lists, None)
    for key, card in copies_by_card(deck, deck_format.lists, None).items():
        allowed = before[key].total if key in before else 0
        if card.total > allowed:
            values = {"card": card.name, "found": card.total, "registered": allowed}
            yield Violation(
                code="exchange.not_in_list",
                sentence=Sentence(
                    "“%(card)s”: %(found)s in the deck, %(registered)s registered. Take out "
                    "%(extra)s.",
                    values | {"extra": card.total - allowed},
                ),
                card=card.name,
                found=card.total,
                maximum=allowed,
                line=card.line_over(allowed),
            )


def _unequal_numbers_violation(
    exchanged: ExchangedDeck, side: str, registered: Deck
) -> Iterator[Violation]:
    out, into = exchanged.out, exchanged.into
    found, size = exchanged.deck.size(side), registered.size(side)
    if out != into:
        template = (
            _("Cards out: %(out)s, in: %(in)s. Bring in %(more)s more.")
            if into < out
            else _("Cards out: %(out)s, in: %(in)s. Take out %(more)s more.")
        )
        values = {"out": out, "in": into, "more": abs(out - into)}
        yield Violation(
            code="exchange.unequal",
            sentence=Sentence(template, values),
            found=into,
            minimum=out,
            maximum=out,
        )
    elif exchanged.side_listed and found != size:
        wrong_size = too_few_message if found < size else too_many_message
        sentence = wrong_size(zone_label(side), found, size, exactly=True)
        yield Violation(
            code="exchange.unequal",
            sentence=sentence,
            zone=side,
            found=found,
            minimum=size,
            maximum=size,
        )


def _violations_of_filled_zones(
    exchange: Exchange, registered: Deck, deck: Deck
) -> Iterator[Violation]:
    for zone in exchange.stays_empty:
        size = deck.size(zone)
        if size and not registered.zone(zone):
            yield Violation(
                code="zone.too_many",
                sentence=too_many_message(zone_label(zone), size, 0),
                zone=zone,
                found=size,
                minimum=0,
                maximum=0,
            )


def _is_outside_side_changed(
    deck_format: DeckFormat, side: str, registered: Deck, deck: Deck
) -> bool:
    """Return whether a zone other than the side differs from the registered list."""
    zones = {*registered.zones, *deck.zones} - {side}
    return any(
        copies_by_name(deck_format, registered.zone(zone))
        != copies_by_name(deck_format, deck.zone(zone))
        for zone in zones
    )


def _before_first_game(exchanged: ExchangedDeck) -> Violation:
    return Violation(
        code="exchange.before_first_game",
        sentence=Sentence("Play the first game with the registered deck."),
        found=max(exchanged.out, exchanged.into),
        maximum=0,
    )
