"""Checks of kinds: their zones, and minimum numbers."""

from collections.abc import Iterable, Iterator, Mapping

from rules.deckbuilding.checks.counts import (
    count_range_message,
    too_few_message,
    unknown_kinds_message,
)
from rules.deckbuilding.deck import DeckEntry, Violation, entry_violation
from rules.deckbuilding.formats import ChangeableLimit, Check, CheckInput
from rules.deckbuilding.zones import LABELS, CardKind, KindCache, zone_label
from rules.wording import Sentence


def zone_kinds_check(
    kinds: tuple[CardKind, ...],
    *,
    ordinary: tuple[str, ...],
    labels: Mapping[str, Sentence | str] = LABELS,
) -> Check:
    """Return the check that each card is in a zone that its kind allows.

    Kinds without zones of their own, and unknown kinds, are allowed in the ``ordinary`` zones. A
    card without a kind is accepted in any zone. ``labels`` are those of the zones.
    """

    def find(reading: CheckInput) -> Iterable[Violation]:
        written = reading.tally.kinds.items()
        odd = [zone for zone, words in written if not words.keys() <= fitting.get(zone, nothing)]
        return faults(reading, odd) if odd else ()

    def faults(reading: CheckInput, zones: Iterable[str]) -> Iterator[Violation]:
        for zone in zones:
            words = reading.tally.kinds[zone]
            wrong = {word for word in words if word and not may_be(reading, word, zone)}
            for entry in reading.deck.zone(zone):
                if entry.kind in wrong:
                    kind = reading.kind_of(entry.kind)
                    if kind is not None and kind.zones == ():
                        yield _no_deck_card(zone, entry, kind)
                    else:
                        yield _wrong_zone(zone, entry, kind, allowed(kind), labels)

    def may_be(reading: CheckInput, word: str, zone: str) -> bool:
        zones = allowed(reading.kind_of(word))
        return zone in zones or (zones != () and zone not in reading.format.zone_keys)

    def allowed(kind: CardKind | None) -> tuple[str, ...]:
        return kind.zones if kind is not None and kind.zones is not None else ordinary

    known, nothing = KindCache(kinds), frozenset[str]()
    fitting = {
        zone: {"", *(word for word, kind in known.items() if zone in allowed(kind))}
        for zone in {*ordinary, *(place for kind in kinds for place in allowed(kind))}
    }
    about = tuple(_kind_rule(kind, ordinary, labels) for kind in kinds)
    return Check(
        codes=("kind.wrong_zone", "kind.not_a_deck_card"),
        find=find,
        about=about,
        remake=lambda numbers: zone_kinds_check(numbers.kinds, ordinary=ordinary),
    )


def _kind_rule(
    kind: CardKind, ordinary: tuple[str, ...], labels: Mapping[str, Sentence | str]
) -> Sentence:
    zones = ordinary if kind.zones is None else kind.zones
    if not zones:
        return Sentence("%(kind)s cards are not part of the deck.", {"kind": kind.label})
    return Sentence(
        "%(kind)s: only in %(zones)s.",
        {"kind": kind.label, "zones": tuple(labels.get(zone, zone) for zone in zones)},
    )


def _no_deck_card(zone: str, entry: DeckEntry, kind: CardKind) -> Violation:
    sentence = Sentence(
        "“%(card)s” (%(kind)s) doesn’t belong in the deck. Take it out.",
        {"card": entry.name, "kind": kind.label},
    )
    return entry_violation("kind.not_a_deck_card", sentence, zone, entry)


def _wrong_zone(
    zone: str,
    entry: DeckEntry,
    kind: CardKind | None,
    allowed: tuple[str, ...],
    labels: Mapping[str, Sentence | str],
) -> Violation:
    sentence = Sentence(
        "“%(card)s” (%(kind)s) can’t be in %(zone)s. Move it to: %(allowed)s.",
        {
            "card": entry.name,
            "kind": kind.label if kind is not None else entry.kind,
            "zone": labels.get(zone, zone),
            "allowed": tuple(labels.get(key, key) for key in allowed),
        },
    )
    return entry_violation("kind.wrong_zone", sentence, zone, entry)


def unknown_kinds_check() -> Check:
    """Return the check that notes, once, how many cards have no kind, so weren't checked."""

    def find(reading: CheckInput) -> Iterable[Violation]:
        unknown = sum([kinds.get("", 0) for kinds in reading.tally.kinds.values()])
        return (fault(unknown, reading.format.kinds[0]),) if unknown else ()

    def fault(unknown: int, example: CardKind) -> Violation:
        return Violation(
            code="kind.unchecked",
            sentence=Sentence(
                "Cards not checked, as their type is missing: %(found)s. Write it after "
                "the name: {%(example)s}.",
                {"found": unknown, "example": example.label},
            ),
            found=unknown,
        )

    return Check(codes=("kind.unchecked",), find=find)


def minimum_check(minimum: int, kind: CardKind, *, zone: str, plural: Sentence) -> Check:
    """Return the check that a zone holds at least ``minimum`` cards of a kind.

    ``plural`` is the kind's label. With cards of unknown kind: no violation if the known ones
    suffice; an error if known and unknown ones together do not; otherwise unchecked, with a note.
    """

    def find(reading: CheckInput) -> Iterable[Violation]:
        known = reading.number_of(kind, zone)
        return () if known >= minimum else (fault(known, reading.kindless(zone)),)

    def fault(known: int, unknown: int) -> Violation:
        if known + unknown < minimum:
            code, sentence = "kind.too_few", too_few_message(what, known, minimum)
        else:
            code = "kind.unchecked"
            sentence = unknown_kinds_message(what, known, minimum, unknown, kind.label)
        return Violation(code=code, sentence=sentence, zone=zone, found=known, minimum=minimum)

    what = (zone_label(zone), plural)
    rule = count_range_message(what, minimum, None)
    key = f"{kind.key}_minimum"
    return Check(
        codes=("kind.too_few", "kind.unchecked"),
        find=find,
        about=(rule,) if minimum else (),
        limits={key: minimum},
        remake=lambda numbers: minimum_check(
            numbers.limits[key] or 0, kind, zone=zone, plural=plural
        ),
        changeable=(
            ChangeableLimit(
                key=key,
                label=Sentence(
                    "%(zone)s, %(kind)s: at least", {"zone": zone_label(zone), "kind": plural}
                ),
                zone=zone,
                kind=kind.key,
            ),
        ),
    )
