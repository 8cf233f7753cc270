"""House formats: copies of a format with other sizes, limits, kinds and expansions.

Unchanged parts are taken from the base. The key of a house format begins with that of its base,
so that its game can be derived from the key.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.deckbuilding.adjustable import AdjustableNumbers, AllowedExpansions, Limit
from rules.deckbuilding.checks import at_least, kinds_in_zones
from rules.deckbuilding.formats import Check, DeckFormat
from rules.deckbuilding.kinds import Kind
from rules.deckbuilding.zones import Zone
from rules.names import name_key
from rules.wording import Sentence

SEPARATOR = "_"  # never part of the key of a shipped format


def base_of(key: str) -> str:
    """Return the key of a house format's base; other keys are returned unchanged."""
    return key.partition(SEPARATOR)[0]


def house_key(base: str, name: str) -> str:
    """Return the key of a house format; ``name`` consists of letters, digits and hyphens."""
    return f"{base}{SEPARATOR}{name.replace(SEPARATOR, '-')}"


def house_kind(name: str, zones: tuple[str, ...]) -> Kind:
    """Return an additional kind of cards; its minimum is stored under its key."""
    return Kind(
        key=name_key(name).replace(" ", "-"),
        label=Sentence("%(name)s", {"name": name}),
        words=(name,),
        zones=zones,
        home=zones[0] if len(zones) == 1 else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseChanges:
    """The changes of a house format against its base.

    ``zones`` by key, ``limits`` by name (None: no limit), ``minimums`` by the key of a kind.
    """

    zones: Mapping[str, Zone] = field(default_factory=dict)
    limits: Mapping[str, int | None] = field(default_factory=dict)
    minimums: Mapping[str, int] = field(default_factory=dict)
    kinds: tuple[Kind, ...] = ()
    expansions: AllowedExpansions | None = None


def house_format(base: DeckFormat, changes: HouseChanges, *, key: str, name: str) -> DeckFormat:
    """Return the base with the changes applied, under its own key and name."""
    zones = tuple(changes.zones.get(zone.key, zone) for zone in base.zones)
    numbers = AdjustableNumbers(
        zones=zones,
        kinds=(*base.kinds, *changes.kinds),
        limits={**base.limits(), **changes.limits},
        allowed=changes.expansions or allowed_of(base),
    )
    checks = [check.remake(numbers) if check.remake else check for check in base.checks]
    if changes.kinds and "kind.wrong_zone" not in base.codes():
        checks.append(kinds_in_zones(changes.kinds, ordinary=base.zone_keys))
    checks.extend(_minimums(base, numbers.kinds, changes.minimums))
    return replace(
        base,
        key=key,
        category=name,
        label=Sentence("%(name)s", {"name": name}),
        zones=zones,
        kinds=numbers.kinds,
        checks=tuple(checks),
        # Decisions quote the rule book's numbers, so they are kept only if these are unchanged.
        decisions=() if changes.zones or changes.limits else base.decisions,
    )


def changeable_limits(base: DeckFormat) -> tuple[Limit, ...]:
    """Return the limits of a format that a copy may change."""
    return tuple(limit for check in base.checks for limit in check.changeable)


def countable_kinds(base: DeckFormat, kinds: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """Return the kinds for which a copy may add a minimum that the format does not have."""
    limited = {limit.kind for limit in changeable_limits(base)}
    return tuple(kind for kind in kinds if kind.zones != () and kind.key not in limited)


def counted_zone(base: DeckFormat, kind: Kind) -> str:
    """Return the zone in which the minimum of a kind is counted."""
    if kind.zones is None or base.main in kind.zones:
        return base.main
    return kind.home or kind.zones[0]


def allowed_of(base: DeckFormat) -> AllowedExpansions | None:
    """Return the expansions that a format allows, None if it allows all."""
    return next((check.allowed for check in base.checks if check.allowed is not None), None)


def _minimums(
    base: DeckFormat, kinds: tuple[Kind, ...], minimums: Mapping[str, int]
) -> list[Check]:
    return [
        at_least(minimums[kind.key], kind, zone=counted_zone(base, kind), plural=kind.label)
        for kind in countable_kinds(base, kinds)
        if minimums.get(kind.key)
    ]
