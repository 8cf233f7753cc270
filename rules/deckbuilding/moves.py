"""The deck after an exchange with the side, from the moves or from the cards on the table.

Source: deck construction, Exchange, checked.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rules.deckbuilding.deck import Deck, DeckEntry, Violation
from rules.deckbuilding.formats import DeckFormat, Exchange
from rules.deckbuilding.text import build_deck
from rules.deckbuilding.zones import find_kind, zone_label
from rules.errors import BadInput
from rules.wording import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangedDeck:
    """The deck after an exchange with the sideboard.

    ``out`` and ``into`` count the cards that left and entered the deck. ``problems`` are cards that
    could not be removed; ``oversized`` the zones concerned, which hold too many cards as a result.
    ``side_listed``: the side was listed too, not derived.
    """

    deck: Deck
    out: int
    into: int
    problems: tuple[Violation, ...] = ()
    oversized: frozenset[str] = frozenset()
    side_listed: bool = False


def require_exchange(deck_format: DeckFormat) -> tuple[Exchange, str]:
    """Return (the format's exchange, its side zone); raises BadInput ``no_exchange``."""
    if deck_format.exchange is None or deck_format.side is None:
        raise BadInput(
            "no_exchange",
            "%(game)s has no sideboarding.",
            game=deck_format.game_label,
        )
    return deck_format.exchange, deck_format.side


def exchange_by_moves(
    deck_format: DeckFormat, registered: Deck, out: Deck, into: Deck
) -> ExchangedDeck:
    """Return the registered deck with the cards of ``out`` removed and of ``into`` added.

    Each card of ``out`` is under the zone it leaves, each of ``into`` under the zone it enters; the
    corresponding change of the side is implied. A card of ``into`` under the side zone goes to its
    kind's home zone. Raises BadInput ``no_exchange``.
    """
    side = require_exchange(deck_format)[1]
    into = _as_registered(deck_format, registered, into)
    shown = bool(out.zone(side))
    if not shown:
        into = _home_from(side, deck_format, into)
    zones: dict[str, list[DeckEntry]] = {}
    problems: list[Violation] = []
    for zone in dict.fromkeys((*registered.zones, *out.zones, *into.zones)):
        leaving = copies_by_name(deck_format, out.zone(zone))
        zones[zone] = [
            *_remove_copies(deck_format, registered.zone(zone), leaving),
            *into.zone(zone),
        ]
        problems += _not_in_deck(deck_format, registered, out, zone, +leaving)
    if not shown:
        zones[side] = _derived_side(deck_format, registered, zones)
    found = (*registered.problems, *out.problems, *into.problems)
    return ExchangedDeck(
        deck=build_deck(deck_format, zones, registered.language, found),
        out=_size_without(side, out),
        into=_size_without(side, into),
        problems=tuple(problems),
        oversized=frozenset(fault.zone for fault in problems if fault.zone is not None),
        side_listed=shown,
    )


def exchange_by_new_deck(deck_format: DeckFormat, registered: Deck, table: Deck) -> ExchangedDeck:
    """Return the exchange that leads from the registered deck to the deck as now played.

    ``table`` is the latter. The side is derived unless it is listed. Raises BadInput
    ``no_exchange``.
    """
    side = require_exchange(deck_format)[1]
    table = _as_registered(deck_format, registered, table)
    zones = {key: list(entries) for key, entries in table.zones.items()}
    shown = bool(table.zone(side))
    if not shown:
        zones[side] = _derived_side(deck_format, registered, zones)
    before = copies_by_name(deck_format, _entries_outside_side(side, registered))
    after = copies_by_name(deck_format, _entries_outside_side(side, table))
    found = (*registered.problems, *table.problems)
    return ExchangedDeck(
        deck=build_deck(deck_format, zones, registered.language, found),
        out=(before - after).total(),
        into=(after - before).total(),
        side_listed=shown,
    )


def _entries_outside_side(side: str, deck: Deck) -> list[DeckEntry]:
    return [entry for zone, entry in deck if zone != side]


def _size_without(side: str, deck: Deck) -> int:
    return sum(entry.count for entry in _entries_outside_side(side, deck))


def copies_by_name(deck_format: DeckFormat, entries: Iterable[DeckEntry]) -> Counter[str]:
    """Return the number of copies by card key; aliases count as their card."""
    copies: Counter[str] = Counter()
    for entry in entries:
        copies[deck_format.lists.key(entry.name)] += entry.count
    return copies


def _remove_copies(
    deck_format: DeckFormat, entries: Iterable[DeckEntry], leaving: Counter[str]
) -> Iterator[DeckEntry]:
    """Yield the remaining entries, and subtract what was removed from ``leaving``."""
    for entry in entries:
        key = deck_format.lists.key(entry.name)
        gone = min(entry.count, leaving[key])
        leaving[key] -= gone
        if entry.count > gone:
            yield replace(entry, count=entry.count - gone)


def _derived_side(
    deck_format: DeckFormat, registered: Deck, zones: dict[str, list[DeckEntry]]
) -> list[DeckEntry]:
    """Return the registered cards that are in no zone but the side."""
    side = deck_format.side
    elsewhere = [entry for zone, entries in zones.items() if zone != side for entry in entries]
    used = copies_by_name(deck_format, elsewhere)
    entries = [entry for zone, entry in registered if zone != side]
    entries += registered.zone(side or "")
    return list(_remove_copies(deck_format, entries, used))


def _as_registered(deck_format: DeckFormat, registered: Deck, deck: Deck) -> Deck:
    """Return a deck with kinds taken from the registered list, which has been validated."""
    key = deck_format.lists.key
    kinds = {key(entry.name): entry.kind for _zone, entry in registered if entry.kind}
    zones = {
        zone: tuple(
            replace(entry, kind=kinds.get(key(entry.name)) or entry.kind) for entry in entries
        )
        for zone, entries in deck.zones.items()
    }
    return replace(deck, zones=zones)


def _home_from(side: str, deck_format: DeckFormat, into: Deck) -> Deck:
    """Return the cards given under the side zone in the home zones of their kinds."""
    zones = {zone: entries for zone, entries in into.zones.items() if zone != side}
    for entry in into.zone(side):
        kind = find_kind(deck_format.kinds, entry.kind)
        home = (kind.home if kind else None) or deck_format.main
        zones[home] = (*zones.get(home, ()), entry)
    return replace(into, zones=zones)


def _not_in_deck(
    deck_format: DeckFormat, registered: Deck, out: Deck, zone: str, missing: Counter[str]
) -> Iterator[Violation]:
    there = copies_by_name(deck_format, registered.zone(zone))
    for entry in out.zone(zone):
        key = deck_format.lists.key(entry.name)
        if lacking := missing.pop(key, 0):
            values = {"card": entry.name, "zone": zone_label(zone), "found": there[key] + lacking}
            yield Violation(
                code="exchange.not_in_list",
                sentence=Sentence(
                    "“%(card)s”: %(found)s taken out of %(zone)s, "
                    "but only %(registered)s registered there.",
                    values | {"registered": there[key]},
                ),
                zone=zone,
                card=entry.name,
                found=there[key] + lacking,
                maximum=there[key],
                line=entry.line,
            )
