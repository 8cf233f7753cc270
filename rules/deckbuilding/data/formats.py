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
from rules.deckbuilding.checks import (
    card_lists_check,
    forbidden_pairs_check,
    zone_kinds_check,
    zone_sizes_check,
)
from rules.deckbuilding.checks.copies import COPIES_LIMIT, too_many_copies_violation
from rules.deckbuilding.checks.counts import (
    count_range_message,
    maximum_message,
    no_limit_message,
    too_few_message,
    too_many_message,
    unknown_kinds_message,
)
from rules.deckbuilding.data.rules import (
    CopyIdentity,
    CopyRule,
    FormatRules,
    KindCountRule,
    ZoneSumRule,
)
from rules.deckbuilding.deck import DeckEntry, Violation, entry_violation
from rules.deckbuilding.formats import CardCopies, Check, CheckInput, DeckFormat
from rules.deckbuilding.known_headings import USUAL_WORDS, fold_heading
from rules.deckbuilding.zones import Zone
from rules.names import card_key, name_key
from rules.wording import Sentence

_WORDS = re.compile(r"[^\W_]+")

_COUNTED = {
    CopyIdentity.NAME: COPIES_LIMIT.label,
    CopyIdentity.NUMBER: Sentence("Copies of each card number"),
    CopyIdentity.NAME_AND_VERSION: Sentence("Copies of each version"),
}
_EACH_ZONE = Sentence("Each zone")


def copy_rule_check(rule: CopyRule, column: str | None = None) -> Check:
    """Return the check of a rule on the maximum number of copies of a card.

    A card's maximum is that of its catalogue entry or of its legality in the catalogue's
    ``column``, whichever is lower; without these, that of ``rule``. If a banned or limited list
    allows fewer copies, the check of the lists reports the card instead.
    """
    unlimited = frozenset(map(card_key, rule.unlimited))
    own = {card_key(name): most for name, most in rule.own.items()}

    def find(reading: CheckInput) -> Iterator[Violation]:
        elsewhere = reading.format.lists.most_copies
        labels: dict[str | None, Sentence] = {one.key: one.label for one in reading.format.zones}
        for zone, copies in _groups(reading, rule, column):
            for name, card in copies.values():
                key = reading.format.lists.key(card.name)
                names = (key, card_key(card.name))
                most = _most_copies(names, card, rule, own)
                if most is None or card.total <= most or not unlimited.isdisjoint(names):
                    continue
                if elsewhere.get(key, most + 1) > most:
                    yield _too_many(card, most, labels.get(zone, zone), name)

    return Check(
        codes=("copies.too_many",),
        find=find,
        about=tuple(_copy_words(rule)),
        limits={"copies": rule.most},
    )


def _groups(
    reading: CheckInput, rule: CopyRule, column: str | None
) -> Iterator[tuple[str | None, Mapping[str, tuple[str, CardCopies]]]]:
    """Yield the copies that count together, by zone or over all, with the name of each card."""
    zones = reading.deck.zones.items()
    if rule.each:
        for zone, entries in zones:
            yield zone, _copies(entries, reading, rule, column)
    else:
        everything = chain.from_iterable(entries for _zone, entries in zones)
        yield None, _copies(everything, reading, rule, column)


def _copies(
    entries: Iterable[DeckEntry], reading: CheckInput, rule: CopyRule, column: str | None
) -> dict[str, tuple[str, CardCopies]]:
    """Return the copies of each card; the key of one is its name's, unless it counts otherwise."""
    found: dict[str, tuple[str, CardCopies]] = {}
    for entry in entries:
        key = reading.format.lists.key(entry.name)
        name = entry.name
        if rule.by is CopyIdentity.NUMBER and (number := card_number(entry)):
            name, key = number, name_key(number)
        elif rule.by is CopyIdentity.NAME_AND_VERSION and entry.version:
            name = f"{entry.name} [{entry.version}]"
            key = f"{key} {name_key(entry.version)}"
        if rule.by is CopyIdentity.NAME_AND_VERSION:
            key = " ".join(_WORDS.findall(key))  # Name [Version], Name - Version, Name, Version
        card = found.setdefault(key, (name, CardCopies(entry.name)))[1]
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
    names: Iterable[str], card: CardCopies, rule: CopyRule, own: Mapping[str, int]
) -> int | None:
    if card.own_limit is not None:
        return card.own_limit
    return next((own[name] for name in names if name in own), rule.most)


def _too_many(card: CardCopies, most: int, zone: Sentence | str | None, name: str) -> Violation:
    card.name = name
    fault = too_many_copies_violation(card, most)
    if zone is None or not most:
        return fault
    return replace(fault, sentence=too_many_message((zone, name), card.total, most))


def _copy_words(rule: CopyRule) -> Iterator[Sentence]:
    if rule.most is None:
        yield no_limit_message(COPIES_LIMIT.label)
    else:
        what = _COUNTED[rule.by]
        yield maximum_message((_EACH_ZONE, what) if rule.each else what, rule.most)
        if rule.unlimited:
            yield no_limit_message(rule.unlimited)
    for name, most in rule.own.items():
        yield maximum_message(f"“{name}”", most)


def kind_counts_check(kinds: tuple[KindCountRule, ...], labels: Mapping[str, Sentence]) -> Check:
    """Return the check of the numbers of cards of some kinds, over their zones together.

    ``labels`` are those of zones, by key. With cards of unknown kind: no violation if the known
    ones suffice, an error if known and unknown ones together do not; otherwise unchecked.
    """
    limited = tuple(one for one in kinds if one.least or one.most is not None)

    def find(reading: CheckInput) -> Iterator[Violation]:
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
        about=tuple(
            count_range_message(_kind_label(one, labels), one.least, one.most) for one in limited
        ),
    )


def _kind_violation(
    code: str, counted: KindCountRule, found: int, unknown: int, labels: Mapping[str, Sentence]
) -> Violation:
    what, least, most = _kind_label(counted, labels), counted.least, counted.most
    exactly = least == most
    if code == "kind.too_many":
        sentence = too_many_message(what, found, most or 0, exactly=exactly)
    elif code == "kind.too_few":
        sentence = too_few_message(what, found, least, exactly=exactly)
    else:
        sentence = unknown_kinds_message(what, found, least, unknown, counted.kind.label)
    return Violation(
        code=code,
        sentence=sentence,
        zone=(counted.kind.zones or (None,))[0],
        found=found,
        minimum=least,
        maximum=most,
    )


def _kind_label(counted: KindCountRule, labels: Mapping[str, Sentence]) -> tuple[Sentence, ...]:
    return (*(labels[zone] for zone in counted.kind.zones or ()), counted.kind.label)


def zone_sums_check(sums: tuple[ZoneSumRule, ...], labels: Mapping[str, Sentence]) -> Check:
    """Return the check of the number of cards that some zones hold together.

    ``labels`` are those of zones, by key.
    """

    def find(reading: CheckInput) -> Iterator[Violation]:
        for one in sums:
            found = sum(reading.tally.sizes.get(zone, 0) for zone in one.zones)
            what, exactly = _sum_label(one, labels), one.least == one.most
            if found < one.least:
                sentence = too_few_message(what, found, one.least, exactly=exactly)
                yield _sum_violation("zone.too_few", one, found, sentence)
            elif one.most is not None and found > one.most:
                sentence = too_many_message(what, found, one.most, exactly=exactly)
                yield _sum_violation("zone.too_many", one, found, sentence)

    return Check(
        codes=("zone.too_few", "zone.too_many"),
        find=find,
        about=tuple(
            count_range_message(_sum_label(one, labels), one.least, one.most) for one in sums
        ),
    )


def _sum_violation(code: str, one: ZoneSumRule, found: int, sentence: Sentence) -> Violation:
    return Violation(
        code=code,
        sentence=sentence,
        zone=one.zones[0],
        found=found,
        minimum=one.least,
        maximum=one.most,
    )


def _sum_label(one: ZoneSumRule, labels: Mapping[str, Sentence]) -> Sentence:
    return Sentence("%(zones)s together", {"zones": tuple(labels[zone] for zone in one.zones)})


def legality_check(column: str) -> Check:
    """Return the check that each card is legal in a format, by the card catalogue.

    ``column`` is the format's name there. Cards without data are not judged but noted once, as is a
    missing catalogue.
    """
    key = name_key(column)

    def find(reading: CheckInput) -> Iterator[Violation]:
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
                yield entry_violation("card.banned", sentence, zone, entry)

    return Check(
        codes=("card.banned", "legality.unchecked"),
        find=find,
        about=(_legal_rule(column),),
    )


def _legal_rule(column: str) -> Sentence:
    return Sentence("%(label)s: %(count)s", {"label": Sentence("Legal in"), "count": column})


def _unchecked(column: str) -> Violation:
    values = {"label": Sentence("Not checked"), "count": _legal_rule(column)}
    sentence = Sentence("%(label)s: %(count)s", values)
    return Violation(code="legality.unchecked", sentence=sentence)


SIDES = ("side", "sideboard")
"""Keys of the zone that takes cards marked ``SB:`` and is exchanged between games."""


def format_from_rules(
    rules: FormatRules,
    *,
    key: str,
    game: str,
    game_name: str | Sentence,
    name: str,
    label: str | Sentence = "",
    checked: bool = True,
) -> DeckFormat:
    """Build the deck format that rules describe, under its key and names.

    ``game`` is the game's slug, ``game_name`` its display name; names are translated if they are a
    Sentence. Cards outside a section go to the zone called main or deck, else to the one with most
    cards. Unless ``checked``, every list is accepted.
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
        main=main_zone(rules.zones).key,
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


def main_zone(zones: Sequence[Zone]) -> Zone:
    """Return the zone called main or deck; without one, the first of those with most cards."""
    words = {fold_heading(word) for word in USUAL_WORDS["main"]}
    called = (zone for zone in zones if any(fold_heading(word) in words for word in zone.opened_by))
    return next(called, None) or max(
        zones, key=lambda zone: (zone.minimum, inf if zone.maximum is None else zone.maximum)
    )


def _checks(rules: FormatRules) -> Iterator[Check]:
    labels: Mapping[str, Sentence] = {zone.key: zone.label for zone in rules.zones}
    yield zone_sizes_check(*rules.zones)
    if rules.sums:
        yield zone_sums_check(rules.sums, labels)
    yield card_lists_check()
    column = None if rules.legal_in is None else name_key(rules.legal_in)
    yield copy_rule_check(rules.copies, column)
    if rules.excluded_together:
        yield forbidden_pairs_check()
    if rules.kinds:
        kinds = tuple(counted.kind for counted in rules.kinds)
        yield zone_kinds_check(kinds, ordinary=tuple(labels), labels=labels)
        yield kind_counts_check(rules.kinds, labels)
    if rules.legal_in is not None:
        yield legality_check(rules.legal_in)


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
    (card_lists_check(), (BANNED, LIMITED, SEMI_LIMITED)),
    (forbidden_pairs_check(), (EXCLUDED_TOGETHER,)),
)


def apply_card_lists(shape: DeckFormat, lists: CardLists) -> DeckFormat:
    """Return the format with these card lists, and the checks for them if it had none."""
    missing = tuple(
        check
        for check, names in _ENFORCED
        if any(lists.cards.get(which) for which in names) and not set(check.codes) <= shape.codes()
    )
    return replace(shape, lists=lists, checks=(*shape.checks, *missing))


def find_shipped_lists(shape: DeckFormat, dated: date | None) -> CardLists | None:
    """Return the format's shipped card lists of a date, None if there are none."""
    return next((lists for lists in shape.shipped if lists.dated == dated), None)
