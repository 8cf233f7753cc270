"""Advice on the number of cards of a kind; never an error."""

from collections.abc import Iterable, Sequence

from rules.deckbuilding.deck import Violation
from rules.deckbuilding.formats import Check, Reading
from rules.deckbuilding.kinds import Kind
from rules.deckbuilding.zones import label_of
from rules.wording import Sentence


def none_missing(kind: Kind, *, zone: str, why: Sentence) -> Check:
    """The list has at least one card of a kind; cards of unknown kind in ``zone`` may count."""

    def find(reading: Reading) -> Iterable[Violation]:
        if reading.kindless(zone) or reading.number_of(kind, zone):
            return ()
        elsewhere = any(reading.number_of(kind, key) for key in reading.deck.zones)
        return () if elsewhere else (_no_card_violation(kind, zone, why),)

    return Check(codes=("kind.none",), find=find, about=(why,))


def proportions(
    kinds: Sequence[tuple[Kind, Sentence]], *, zone: str, percent: tuple[int, int], needed: Kind
) -> Check:
    """Each of the ``kinds`` (given with plurals) makes up a percentage of a zone within bounds.

    Bounds are inclusive. Skipped if a card of the zone has no kind. Without a card of the kind
    ``needed``, its absence is reported instead of its proportion.
    """
    least, most = percent
    plurals = {kind.key: plural for kind, plural in kinds}
    lost = Sentence("Without %(kinds)s no game can be won.", {"kinds": plurals[needed.key]})

    def find(reading: Reading) -> Iterable[Violation]:
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
                "%(zone)s, advice on %(kinds)s: %(least)s to %(most)s%% of the cards for each.",
                {
                    "zone": label_of(zone),
                    "kinds": tuple(plural for _kind, plural in kinds),
                    "least": least,
                    "most": most,
                },
            ),
        ),
        limits={"proportion_percent_minimum": least, "proportion_percent_maximum": most},
    )


def _no_card_violation(kind: Kind, zone: str, why: Sentence) -> Violation:
    return Violation(
        code="kind.none",
        sentence=Sentence(
            "%(zone)s, cards of the kind %(kind)s: none. %(why)s",
            {"zone": label_of(zone), "kind": kind.label, "why": why},
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
            "%(zone)s, cards: %(size)s. %(numbers)s; advised of each: %(least)s to %(most)s. "
            "It is allowed, but about one card in four plays best.",
            {
                "zone": label_of(zone),
                "size": size,
                "numbers": tuple(
                    Sentence("%(kinds)s: %(found)s", {"kinds": kinds, "found": found})
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
