"""Checks of the number of cards: in each zone, and of a kind (advice, or an exact number)."""

from collections.abc import Iterable, Iterator, Sequence

from rules.deckbuilding.checks.counts import (
    count_range_message,
    too_few_message,
    too_many_message,
    unknown_kinds_message,
)
from rules.deckbuilding.deck import Violation, single_fix
from rules.deckbuilding.formats import ChangeableLimit, Check, CheckInput
from rules.deckbuilding.zones import CardKind, Zone, zone_label
from rules.wording import Sentence


def zone_sizes_check(*zones: Zone) -> Check:
    """Return the check that each zone has an allowed number of cards."""
    own = {zone.key for zone in zones}

    def find(reading: CheckInput) -> Iterable[Violation]:
        sizes = reading.tally.sizes
        wrong = [zone for zone in zones if not zone.allows(sizes.get(zone.key, 0))]
        return [_size_violation(zone, reading) for zone in wrong] if wrong else ()

    return Check(
        codes=tuple(dict.fromkeys(code for zone in zones for code in _size_codes(zone))),
        find=find,
        about=tuple(_size_rule(zone) for zone in zones),
        remake=lambda numbers: zone_sizes_check(
            *(zone for zone in numbers.zones if zone.key in own or not zone.allows_all)
        ),
    )


def _size_codes(zone: Zone) -> Iterator[str]:
    if zone.or_none:
        yield "zone.wrong_size"
        return
    if zone.minimum:
        yield "zone.too_few"
    if zone.maximum is not None:
        yield "zone.too_many"


def _size_rule(zone: Zone) -> Sentence:
    return count_range_message(zone.label, zone.minimum, zone.maximum, or_none=zone.or_none)


def _size_violation(zone: Zone, reading: CheckInput) -> Violation:
    least, most = zone.minimum, zone.maximum
    size = reading.tally.sizes.get(zone.key, 0)
    lines = [entry.line for entry in reading.deck.zone(zone.key)]
    few, exactly = size < least, least == most and not zone.or_none
    code = "zone.wrong_size" if zone.or_none else "zone.too_few" if few else "zone.too_many"
    sentence = (
        too_few_message(zone.label, size, least, exactly=exactly, or_none=zone.or_none)
        if few
        else too_many_message(zone.label, size, most or 0, exactly=exactly)
    )
    return Violation(
        code=code,
        sentence=sentence,
        zone=zone.key,
        found=size,
        minimum=least,
        maximum=most,
        cure=None if few or most is None else single_fix(lines, most),
    )


def required_kind_check(kind: CardKind, *, zone: str, why: Sentence) -> Check:
    """Return the check that the list has a card of a kind, in whatever zone.

    ``why`` is the message if it has none. Skipped if a card in ``zone`` has no kind, as it may
    count.
    """

    def find(reading: CheckInput) -> Iterable[Violation]:
        if reading.kindless(zone) or reading.number_of(kind, zone):
            return ()
        elsewhere = any(reading.number_of(kind, key) for key in reading.deck.zones)
        return () if elsewhere else (_no_card_violation(kind, zone, why),)

    return Check(codes=("kind.none",), find=find, about=(why,))


def proportions_check(
    kinds: Sequence[tuple[CardKind, Sentence]],
    *,
    zone: str,
    percent: tuple[int, int],
    needed: CardKind,
) -> Check:
    """Return the check that each kind makes up a share of a zone.

    ``kinds`` are (kind, plural label), ``percent`` (least, most), inclusive. Skipped if a card of
    the zone has no kind. Without a card of the kind ``needed``, its absence is reported instead of
    its proportion.
    """
    least, most = percent
    plurals = {kind.key: plural for kind, plural in kinds}
    lost = Sentence("You can’t win without %(kinds)s.", {"kinds": plurals[needed.key]})

    def find(reading: CheckInput) -> Iterable[Violation]:
        if reading.kindless(zone):
            return ()
        size = reading.tally.sizes.get(zone, 0)
        off, found = [], []
        for kind, plural in kinds:
            number = reading.number_of(kind, zone)
            if kind is needed and not number:
                found.append(_no_card_violation(needed, zone, lost))
            elif not least * size <= number * 100 <= most * size:
                off.append((plural, number))
        return [*found, _proportion_violation(zone, size, off, percent)] if off else found

    return Check(
        codes=("kind.proportion", "kind.none"),
        find=find,
        about=(
            lost,
            Sentence(
                "%(zone)s: %(kinds)s should each be %(least)s to %(most)s%% of the cards.",
                {
                    "zone": zone_label(zone),
                    "kinds": tuple(plural for _kind, plural in kinds),
                    "least": least,
                    "most": most,
                },
            ),
        ),
        limits={"proportion_percent_minimum": least, "proportion_percent_maximum": most},
    )


def _no_card_violation(kind: CardKind, zone: str, why: Sentence) -> Violation:
    return Violation(
        code="kind.none",
        sentence=Sentence(
            "%(zone)s, %(kind)s: none. %(why)s",
            {"zone": zone_label(zone), "kind": kind.label, "why": why},
        ),
        zone=zone,
        found=0,
        minimum=1,
    )


def _proportion_violation(
    zone: str, size: int, numbers: Sequence[tuple[Sentence, int]], percent: tuple[int, int]
) -> Violation:
    least, most = -(-percent[0] * size // 100), percent[1] * size // 100
    return Violation(
        code="kind.proportion",
        sentence=Sentence(
            "%(zone)s: %(size)s cards. %(numbers)s. Recommended for each: %(least)s to %(most)s.",
            {
                "zone": zone_label(zone),
                "size": size,
                "numbers": tuple(
                    Sentence("%(label)s: %(count)s", {"label": kinds, "count": found})
                    for kinds, found in numbers
                ),
                "least": least,
                "most": most,
            },
        ),
        zone=zone,
        found=numbers[0][1],
        minimum=least,
        maximum=most,
    )


def exact_number_check(number: int, kind: CardKind, *, zone: str, plural: Sentence) -> Check:
    """Return the check that a zone holds exactly ``number`` cards of a kind.

    ``plural`` is the kind's label. With cards of unknown kind: no violation if the known ones are
    exactly enough; an error if they are too many, or too few even with all unknown ones; otherwise
    unchecked, with a note.
    """

    def find(reading: CheckInput) -> Iterable[Violation]:
        known = reading.number_of(kind, zone)
        return () if known == number else (fault(known, reading.kindless(zone)),)

    def fault(known: int, unknown: int) -> Violation:
        what = (zone_label(zone), plural)
        if known > number:
            code = "kind.too_many"
            sentence = too_many_message(what, known, number, exactly=True)
        elif known + unknown < number:
            code = "kind.too_few"
            sentence = too_few_message(what, known, number, exactly=True)
        else:
            code = "kind.unchecked"
            sentence = unknown_kinds_message(what, known, number, unknown, kind.label)
        return Violation(
            code=code,
            sentence=sentence,
            zone=zone,
            found=known,
            minimum=number,
            maximum=number,
        )

    return Check(
        codes=("kind.too_few", "kind.too_many", "kind.unchecked"),
        find=find,
        about=(count_range_message((zone_label(zone), plural), number, number),),
        limits={kind.key: number},
        remake=lambda numbers: exact_number_check(
            numbers.limits[kind.key] or 0, kind, zone=zone, plural=plural
        ),
        changeable=(
            ChangeableLimit(
                key=kind.key,
                label=Sentence("%(name)s", {"name": (zone_label(zone), plural)}),
                zone=zone,
                kind=kind.key,
            ),
        ),
    )
