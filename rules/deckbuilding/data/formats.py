"""A ``DeckFormat`` of rules as data."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf

from rules.deckbuilding.card_lists.lists import EXCLUDED_TOGETHER, CardLists, ListedCard
from rules.deckbuilding.checks import excluded_together, kinds_in_zones, listed, zone_sizes
from rules.deckbuilding.data.checks import counted_copies, kinds_counted, legal_in, sums_of_zones
from rules.deckbuilding.data.rules import FormatRules
from rules.deckbuilding.formats import Check, DeckFormat
from rules.deckbuilding.known_headings import USUAL_WORDS, folded
from rules.deckbuilding.zones import Zone
from rules.names import name_key
from rules.wording import Sentence

SIDES = ("side", "sideboard")
"""Keys of the zone that takes cards marked ``SB:`` and is exchanged between games."""


def format_of(
    rules: FormatRules,
    *,
    key: str,
    game: str,
    game_name: str | Sentence,
    name: str,
    label: str | Sentence = "",
    checked: bool = True,
) -> DeckFormat:
    """Return the format that these rules describe, under its key and names.

    ``game`` is the game's slug, ``game_name`` what people call it; a name in use by people is a
    text, one that is translated a sentence. The zone called main or deck takes cards outside a
    section, else the one with most cards. Unless ``checked``, every list is taken as it is.
    """
    sides = (zone.key for zone in rules.zones if zone.key in SIDES)
    side = rules.side or next(sides, None)
    return DeckFormat(
        key=key,
        game=game,
        game_label=_named(game_name),
        category=name,
        label=_named(label or name),
        zones=rules.zones,
        main=main_of(rules.zones).key,
        side=side,
        kinds=tuple(counted.kind for counted in rules.kinds),
        checks=rules.checks or tuple(_checks(rules)),
        match=rules.match,
        exchange=None if side is None else rules.exchange,
        lists=_lists(rules),
        notes=rules.notes,
        decisions=rules.decisions,
        deck_check=rules.deck_check,
        not_checked=rules.not_checked,
        checked=checked,
        standings=rules.standings,
        look=rules.look,
        notation=rules.notation,
    )


def _named(name: str | Sentence) -> Sentence:
    return Sentence("%(name)s", {"name": name}) if isinstance(name, str) else name


def main_of(zones: Sequence[Zone]) -> Zone:
    """Return the main zone: the one called so, else the first of those with most cards."""
    words = {folded(word) for word in USUAL_WORDS["main"]}
    called = (zone for zone in zones if any(folded(word) in words for word in zone.opened_by))
    return next(called, None) or max(zones, key=_room)


def _room(zone: Zone) -> tuple[int, float]:
    return zone.minimum, inf if zone.maximum is None else zone.maximum


def _checks(rules: FormatRules) -> Iterator[Check]:
    labels: Mapping[str, Sentence] = {zone.key: zone.label for zone in rules.zones}
    yield zone_sizes(*rules.zones)
    if rules.sums:
        yield sums_of_zones(rules.sums, labels)
    yield listed()
    column = None if rules.legal_in is None else name_key(rules.legal_in)
    yield counted_copies(rules.copies, column)
    if rules.excluded_together:
        yield excluded_together()
    if rules.kinds:
        kinds = tuple(counted.kind for counted in rules.kinds)
        yield kinds_in_zones(kinds, ordinary=tuple(labels), labels=labels)
        yield kinds_counted(rules.kinds, labels)
    if rules.legal_in is not None:
        yield legal_in(rules.legal_in)


def _lists(rules: FormatRules) -> CardLists:
    """Return the lists of the rules themselves, without a date: newer ones take their place."""
    cards = {
        which: tuple(ListedCard(name=name) for name in names)
        for which, names in rules.card_lists.items()
    }
    if rules.excluded_together:
        cards[EXCLUDED_TOGETHER] = tuple(
            ListedCard(name=one, partner=other) for one, other in rules.excluded_together
        )
    return CardLists(cards=cards)
