"""Validation of an exchange between deck and side.

Source: deck construction, Exchange, checked; Creatures of Exo 4, Yu-Gi-Oh 6, Doomtrooper 7.
Whatever was exchanged before, a deck is compared with the registered list: same cards, same size
of the side, and valid sizes and kinds in the other zones.
"""

from collections.abc import Iterator
from dataclasses import replace

from rules.deckbuilding.deck import Deck, Violation
from rules.deckbuilding.formats import DeckFormat, Exchange, copies_of
from rules.deckbuilding.moves import ExchangedDeck, copies_by_name, require_exchange
from rules.deckbuilding.zones import label_of
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
    """Return all violations of an exchange, in display order.

    ``games_played`` is the number of games before the exchange, within the match if decks return
    to the registered list after a match, else within the event; None skips the check. Raises
    BadInput ``no_exchange``.
    """
    exchange, side = require_exchange(deck_format)
    deck = exchanged.deck
    faults = [*deck.problems, *exchanged.problems]
    faults += _not_in_list(deck_format, registered, deck)
    faults += _unequal_numbers_violation(exchanged, side, registered)
    faults += _violations_of_filled_zones(exchange, registered, deck)
    if games_played == 0 and _is_outside_side_changed(deck_format, side, registered, deck):
        faults.append(_before_first_game(exchange, exchanged))
    asked = tuple(
        check for check in deck_format.checks if set(check.codes) <= SIZE_CODES | KIND_CODES
    )
    held = replace(deck_format, checks=asked).validate(replace(deck, problems=tuple(faults)))
    unasked = {side, *exchanged.short}
    return tuple(
        fault for fault in held if fault.code not in SIZE_CODES or fault.zone not in unasked
    )


def _not_in_list(deck_format: DeckFormat, registered: Deck, deck: Deck) -> Iterator[Violation]:
    before = copies_of(registered, deck_format.lists, None)
    for key, card in copies_of(deck, deck_format.lists, None).items():
        allowed = before[key].total if key in before else 0
        if card.total > allowed:
            values = {"card": card.name, "found": card.total, "registered": allowed}
            yield Violation(
                code="exchange.not_in_list",
                sentence=Sentence(
                    "“%(card)s”, copies: %(found)s; registered: %(registered)s. "
                    "Put %(extra)s away: only registered cards may be played.",
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
            _("Cards going out: %(out)s; coming in: %(in)s. Bring in %(more)s more.")
            if into < out
            else _("Cards going out: %(out)s; coming in: %(in)s. Take out %(more)s more.")
        )
        values = {"out": out, "in": into, "more": abs(out - into)}
        yield Violation(
            code="exchange.unequal",
            sentence=Sentence(template, values),
            found=into,
            minimum=out,
            maximum=out,
        )
    elif exchanged.side_shown and found != size:
        yield Violation(
            code="exchange.unequal",
            sentence=Sentence(
                "%(zone)s, cards: %(found)s; registered: %(registered)s. "
                "Bring it back to that number.",
                {"zone": label_of(side), "found": found, "registered": size},
            ),
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
                sentence=Sentence(
                    "%(zone)s, cards: %(found)s; the registered decklist has none there, and none "
                    "can come in. Take them out.",
                    {"zone": label_of(zone), "found": size},
                ),
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


def _before_first_game(exchange: Exchange, exchanged: ExchangedDeck) -> Violation:
    template = (
        _("Before the first game nothing is exchanged. Play it with the registered deck.")
        if exchange.returns
        else _("Before the first game the deck is as registered. Recompose it after that game.")
    )
    return Violation(
        code="exchange.before_first_game",
        sentence=Sentence(template),
        found=max(exchanged.out, exchanged.into),
        maximum=0,
    )
