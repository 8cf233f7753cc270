"""Check of the number of cards per zone."""

from collections.abc import Iterable, Iterator

from rules.deckbuilding.deck import Violation
from rules.deckbuilding.formats import Check, Reading
from rules.deckbuilding.zones import Zone
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def zone_sizes(*zones: Zone) -> Check:
    """Each zone has an allowed number of cards."""
    own = {zone.key for zone in zones}

    def find(reading: Reading) -> Iterable[Violation]:
        sizes = reading.tally.sizes
        wrong = [zone for zone in zones if not zone.allows(sizes.get(zone.key, 0))]
        return [_size_violation(zone, sizes.get(zone.key, 0)) for zone in wrong] if wrong else ()

    return Check(
        codes=tuple(dict.fromkeys(code for zone in zones for code in _size_codes(zone))),
        find=find,
        about=tuple(_size_rule(zone) for zone in zones),
        remake=lambda numbers: zone_sizes(
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
    values = {"zone": zone.label, "minimum": zone.minimum, "maximum": zone.maximum or 0}
    if zone.or_none and zone.minimum == zone.maximum:
        return Sentence("%(zone)s: exactly %(maximum)s cards, or none.", values)
    if zone.or_none:
        return Sentence(
            "%(zone)s: %(sizes)s cards, or none.", values | {"sizes": _allowed_sizes(zone)}
        )
    if zone.allows_all:
        return Sentence("%(zone)s: any number of cards.", values)
    if zone.maximum is None:
        return Sentence("%(zone)s: at least %(minimum)s cards, no maximum.", values)
    if zone.minimum == zone.maximum:
        return Sentence("%(zone)s, number of cards: exactly %(maximum)s.", values)
    return Sentence("%(zone)s: %(minimum)s to %(maximum)s cards.", values)


def _allowed_sizes(zone: Zone) -> Sentence | int:
    """Return the allowed sizes of a zone other than zero."""
    if zone.maximum is None:
        return Sentence("at least %(minimum)s", {"minimum": zone.minimum})
    if zone.minimum == zone.maximum:
        return zone.minimum
    sizes = {"minimum": zone.minimum, "maximum": zone.maximum}
    return Sentence("%(minimum)s to %(maximum)s", sizes)


def _size_violation(zone: Zone, size: int) -> Violation:
    least, most = zone.minimum, zone.maximum
    values: dict[str, object] = {"zone": zone.label, "found": size}
    values |= {"minimum": least, "maximum": most or 0}
    values |= {"missing": least - size, "extra": size - (most or 0)}
    few = size < least
    if zone.or_none:
        code = "zone.wrong_size"
        values["maximum"] = _allowed_sizes(zone)
        template = (
            _(
                "%(zone)s, cards: %(found)s; allowed: %(maximum)s or none. "
                "Add %(missing)s or take all out."
            )
            if few
            else _("%(zone)s, cards: %(found)s; allowed: %(maximum)s or none. Take out %(extra)s.")
        )
    elif few:
        code = "zone.too_few"
        template = (
            _("%(zone)s, cards: %(found)s; needed: exactly %(minimum)s. Add %(missing)s.")
            if least == most
            else _("%(zone)s, cards: %(found)s; needed: at least %(minimum)s. Add %(missing)s.")
        )
    else:
        code = "zone.too_many"
        template = (
            _("%(zone)s, cards: %(found)s; needed: exactly %(maximum)s. Take out %(extra)s.")
            if least == most
            else _("%(zone)s, cards: %(found)s; allowed: at most %(maximum)s. Take out %(extra)s.")
        )
    return Violation(
        code=code,
        sentence=Sentence(template, values),
        zone=zone.key,
        found=size,
        minimum=least,
        maximum=most,
    )
