"""A ``DeckFormat`` of rules as data, with the checks that follow from their numbers.

Source: contracts, Formats of one's own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import chain
from math import inf

from rules.deckbuilding.card_lists import (
    BANNED,
    EXCLUDED_TOGETHER,
    LIMITED,
    SEMI_LIMITED,
    CardLists,
    ListedCard,
)
from rules.deckbuilding.catalogue import CardFacts, card_number
from rules.deckbuilding.checks import excluded_together, kinds_in_zones, listed, zone_sizes
from rules.deckbuilding.checks.copies import TOO_MANY, too_many_copies
from rules.deckbuilding.data.rules import CopyRule, CountedBy, CountedKind, FormatRules, Sum
from rules.deckbuilding.deck import Entry, Violation, of_entry
from rules.deckbuilding.formats import Check, Copies, DeckFormat, Reading
from rules.deckbuilding.known_headings import USUAL_WORDS, folded
from rules.deckbuilding.zones import Zone
from rules.names import card_key, name_key
from rules.wording import Sentence
from rules.wording import gettext_noop as _

_WORDS = re.compile(r"[^\W_]+")

_OVER_ALL = {
    CountedBy.NAME: _("Copies of one card: at most %(maximum)s, all zones taken together."),
    CountedBy.NUMBER: _("Copies of one card number: at most %(maximum)s, all zones together."),
    CountedBy.NAME_AND_VERSION: _(
        "Copies of one version of a card: at most %(maximum)s, all zones together."
    ),
}
_OVER_EACH = {
    CountedBy.NAME: _("Copies of one card: at most %(maximum)s in each zone."),
    CountedBy.NUMBER: _("Copies of one card number: at most %(maximum)s in each zone."),
    CountedBy.NAME_AND_VERSION: _("Copies of one version: at most %(maximum)s in each zone."),
}


def counted_copies(rule: CopyRule, column: str | None = None) -> Check:
    """Each card at most so many times; cards without limit and with their own by name.

    Cards of the banned and limited lists are left to ``listed``, unless the list allows more; a
    limit in the catalogue takes precedence, where cards are legal in ``column`` also that of it.
    """
    unlimited = frozenset(map(card_key, rule.unlimited))
    own = {card_key(name): most for name, most in rule.own.items()}

    def find(reading: Reading) -> Iterator[Violation]:
        elsewhere = reading.format.lists.most_copies
        for zone, copies in _groups(reading, rule, column):
            for name, card in copies.values():
                key = reading.format.lists.key(card.name)
                names = (key, card_key(card.name))
                most = _most_copies(names, card, rule, own)
                if most is None or card.total <= most or not unlimited.isdisjoint(names):
                    continue
                if elsewhere.get(key, most + 1) > most:
                    yield _too_many(card, most, zone, name)

    return Check(
        codes=("copies.too_many",),
        find=find,
        about=tuple(_copy_words(rule)),
        limits={"copies": rule.most},
    )


def _groups(
    reading: Reading, rule: CopyRule, column: str | None
) -> Iterator[tuple[str | None, Mapping[str, tuple[str, Copies]]]]:
    """Yield the copies that count together, by zone or over all, with the name of each card."""
    zones = reading.deck.zones.items()
    if rule.each:
        for zone, entries in zones:
            yield zone, _copies(entries, reading, rule, column)
    else:
        everything = chain.from_iterable(entries for _zone, entries in zones)
        yield None, _copies(everything, reading, rule, column)


def _copies(
    entries: Iterable[Entry], reading: Reading, rule: CopyRule, column: str | None
) -> dict[str, tuple[str, Copies]]:
    """Return the copies of each card; the key of one is its name's, unless it counts otherwise."""
    found: dict[str, tuple[str, Copies]] = {}
    for entry in entries:
        key = reading.format.lists.key(entry.name)
        name = entry.name
        if rule.by is CountedBy.NUMBER and (number := card_number(entry)):
            name, key = number, name_key(number)
        elif rule.by is CountedBy.NAME_AND_VERSION and entry.version:
            name = f"{entry.name} [{entry.version}]"
            key = f"{key} {name_key(entry.version)}"
        if rule.by is CountedBy.NAME_AND_VERSION:
            key = " ".join(_WORDS.findall(key))  # Name [Version], Name - Version, Name, Version
        card = found.setdefault(key, (name, Copies(entry.name)))[1]
        card.total += entry.count
        facts = reading.catalogue.get(entry.key) if reading.catalogue is not None else None
        if facts is not None and (limit := _own_limit(facts, column)) is not None:
            card.own_limit = limit
        if entry.line is not None:
            card.lines.append((entry.line, entry.count))
    return found


def _own_limit(facts: CardFacts, column: str | None) -> int | None:
    there = facts.legal_in.get(column) if column is not None and facts.legal_in else None
    return min((limit for limit in (facts.max_copies, there) if limit is not None), default=None)


def _most_copies(
    names: Iterable[str], card: Copies, rule: CopyRule, own: Mapping[str, int]
) -> int | None:
    if card.own_limit is not None:
        return card.own_limit
    return next((own[name] for name in names if name in own), rule.most)


def _too_many(card: Copies, most: int, zone: str | None, name: str) -> Violation:
    template = (
        _("%(found)s copies of “%(card)s” in one zone: at most %(maximum)s.")
        if zone is not None
        else TOO_MANY
    )
    card.name = name
    return too_many_copies(card, most, template)


def _copy_words(rule: CopyRule) -> Iterator[Sentence]:
    if rule.most is None:
        yield Sentence("Copies of one card: no limit.")
    else:
        words = _OVER_EACH if rule.each else _OVER_ALL
        yield Sentence(words[rule.by], {"maximum": rule.most})
        if rule.unlimited:
            yield Sentence("Any number of: %(cards)s.", {"cards": rule.unlimited})
    for name, most in rule.own.items():
        yield Sentence("“%(card)s”: at most %(maximum)s copies.", {"card": name, "maximum": most})


def kinds_counted(kinds: tuple[CountedKind, ...], labels: Mapping[str, Sentence]) -> Check:
    """So many cards of each kind, over the zones in which it may be.

    With cards of unknown kind: no violation if the known ones suffice, an error if known and
    unknown ones together do not; otherwise unchecked.
    """
    limited = tuple(one for one in kinds if one.least or one.most is not None)

    def find(reading: Reading) -> Iterator[Violation]:
        for counted in limited:
            zones = counted.kind.zones or ()
            found = sum(reading.number_of(counted.kind, zone) for zone in zones)
            unknown = sum(reading.kindless(zone) for zone in zones)
            if counted.most is not None and found > counted.most:
                yield _kind_violation("kind.too_many", counted, found, unknown, labels)
            elif found + unknown < counted.least:
                yield _kind_violation("kind.too_few", counted, found, unknown, labels)
            elif found < counted.least:
                yield _kind_violation("kind.unchecked", counted, found, unknown, labels)

    return Check(
        codes=("kind.too_few", "kind.too_many", "kind.unchecked"),
        find=find,
        about=tuple(_kind_words(one, labels) for one in limited),
    )


_KIND_FAULTS = {
    "kind.too_many": _(
        "%(kind)s in %(zones)s: %(found)s; allowed: at most %(maximum)s. Take out %(extra)s."
    ),
    "kind.too_few": _(
        "%(kind)s in %(zones)s: %(found)s; needed: at least %(minimum)s. Add %(missing)s."
    ),
    "kind.unchecked": _(
        "%(kind)s in %(zones)s: %(found)s known of at least %(minimum)s; cards without a kind: "
        "%(unknown)s. Write it after the name, in braces: {%(kind)s}."
    ),
}


def _kind_violation(
    code: str, counted: CountedKind, found: int, unknown: int, labels: Mapping[str, Sentence]
) -> Violation:
    most = counted.most or 0
    return Violation(
        code=code,
        sentence=Sentence(
            _KIND_FAULTS[code],
            {
                **_zones_of(counted.kind.zones or (), labels),
                "kind": counted.kind.label,
                "found": found,
                "unknown": unknown,
                "minimum": counted.least,
                "maximum": most,
                "missing": counted.least - found,
                "extra": found - most,
            },
        ),
        zone=(counted.kind.zones or (None,))[0],
        found=found,
        minimum=counted.least,
        maximum=counted.most,
    )


def _kind_words(counted: CountedKind, labels: Mapping[str, Sentence]) -> Sentence:
    values = {
        **_zones_of(counted.kind.zones or (), labels),
        "kind": counted.kind.label,
        "minimum": counted.least,
        "maximum": counted.most,
    }
    if counted.most is None:
        return Sentence("%(kind)s in %(zones)s: at least %(minimum)s.", values)
    if counted.least == counted.most:
        return Sentence("%(kind)s in %(zones)s: exactly %(maximum)s.", values)
    if not counted.least:
        return Sentence("%(kind)s in %(zones)s: at most %(maximum)s.", values)
    return Sentence("%(kind)s in %(zones)s: %(minimum)s to %(maximum)s.", values)


def sums_of_zones(sums: tuple[Sum, ...], labels: Mapping[str, Sentence]) -> Check:
    """So many cards in some zones together."""

    def find(reading: Reading) -> Iterator[Violation]:
        for one in sums:
            found = sum(reading.tally.sizes.get(zone, 0) for zone in one.zones)
            values = {**_zones_of(one.zones, labels), "found": found}
            if found < one.least:
                values |= {"minimum": one.least, "missing": one.least - found}
                template = _("%(zones)s together: %(found)s; needed: %(minimum)s. Add %(missing)s.")
                yield _sum_violation("zone.too_few", one, found, Sentence(template, values))
            elif one.most is not None and found > one.most:
                values |= {"maximum": one.most, "extra": found - one.most}
                template = _(
                    "%(zones)s together: %(found)s; allowed: %(maximum)s. Take out %(extra)s."
                )
                yield _sum_violation("zone.too_many", one, found, Sentence(template, values))

    return Check(
        codes=("zone.too_few", "zone.too_many"),
        find=find,
        about=tuple(_sum_words(one, labels) for one in sums),
    )


def _sum_violation(code: str, one: Sum, found: int, sentence: Sentence) -> Violation:
    return Violation(
        code=code,
        sentence=sentence,
        zone=one.zones[0],
        found=found,
        minimum=one.least,
        maximum=one.most,
    )


def _sum_words(one: Sum, labels: Mapping[str, Sentence]) -> Sentence:
    values = {**_zones_of(one.zones, labels), "minimum": one.least, "maximum": one.most}
    if one.most is None:
        return Sentence("%(zones)s together: at least %(minimum)s cards.", values)
    if one.least == one.most:
        return Sentence("%(zones)s together: exactly %(maximum)s cards.", values)
    return Sentence("%(zones)s together: %(minimum)s to %(maximum)s cards.", values)


def _zones_of(zones: Iterable[str], labels: Mapping[str, Sentence]) -> dict[str, object]:
    return {"zones": tuple(labels[zone] for zone in zones)}


def legal_in(column: str) -> Check:
    """Each card may be played where the catalogue says so.

    Cards of which it says nothing are not judged: noted once, as is a missing catalogue.
    """
    key = name_key(column)

    def find(reading: Reading) -> Iterator[Violation]:
        cards = reading.catalogue
        if cards is None:
            yield _unchecked(column)
            return
        found = [(zone, entry, cards.get(entry.key)) for zone, entry in reading.deck]
        if any(facts is not None and facts.legal_in is None for _zone, _entry, facts in found):
            yield _unchecked(column)
        for zone, entry, facts in found:
            if facts is not None and facts.legal_in is not None and key not in facts.legal_in:
                sentence = Sentence(
                    "“%(card)s” is not legal in %(column)s. Take it out.",
                    {"card": entry.name, "column": column},
                )
                yield of_entry("card.banned", sentence, zone, entry)

    return Check(
        codes=("card.banned", "legality.unchecked"),
        find=find,
        about=(Sentence("Only cards that are legal in %(column)s.", {"column": column}),),
    )


def _unchecked(column: str) -> Violation:
    sentence = Sentence(
        "No card catalogue says of every card here whether it is legal in %(column)s: that is not "
        "checked.",
        {"column": column},
    )
    return Violation(code="legality.unchecked", sentence=sentence)


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
    return next(called, None) or max(
        zones, key=lambda zone: (zone.minimum, inf if zone.maximum is None else zone.maximum)
    )


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


_ENFORCED = (
    (listed(), (BANNED, LIMITED, SEMI_LIMITED)),
    (excluded_together(), (EXCLUDED_TOGETHER,)),
)


def with_lists(shape: DeckFormat, lists: CardLists) -> DeckFormat:
    """Return the format with these lists, adding the checks if it had no lists."""
    missing = tuple(
        check
        for check, names in _ENFORCED
        if any(lists.cards.get(which) for which in names) and not set(check.codes) <= shape.codes()
    )
    return replace(shape, lists=lists, checks=(*shape.checks, *missing))


def shipped_on(shape: DeckFormat, dated: date | None) -> CardLists | None:
    """Return the shipped lists of a date, None if there are none."""
    return next((lists for lists in shape.shipped if lists.dated == dated), None)
