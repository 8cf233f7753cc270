"""House formats: a format with other numbers than its base, built from and stored as JSON.

Unchanged parts are taken from the base. The key of a house format begins with that of its base,
so that its game can be derived from the key. The changes as JSON, where every key is optional:

``{"zones": {"main": {"minimum": 40, "maximum": null, "or_none": false}}, "limits": {"copies": 4},
"minimums": {"creature": 5}, "kinds": [{"name": "Artefatto", "zones": ["main"]}], "expansions":
{"codes": ["DT"], "any_other": false}}``
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from rules.deckbuilding.checks import minimum_check, zone_kinds_check
from rules.deckbuilding.formats import (
    MOST,
    AllowedExpansions,
    ChangeableLimit,
    Check,
    CheckParameters,
    DeckFormat,
)
from rules.deckbuilding.zones import CardKind, Zone, find_kind
from rules.json_reader import (
    JsonObjectReader,
    WholeNumber,
    WrongValue,
    boolean,
    list_of,
    name_text,
    nullable,
    read_document,
    too_high_error,
    too_low_error,
)
from rules.names import name_key
from rules.wording import Sentence

SEPARATOR = "_"  # never part of the key of a shipped format


def base_key(key: str) -> str:
    """Return the key of the format on which a house format is based; others unchanged.

    A house format is an organiser's variant of a format, with the key ``base_name``.
    """
    return key.partition(SEPARATOR)[0]


def house_key(base: str, name: str) -> str:
    """Return the key of a house format, ``base_name``, with underscores of name as hyphens."""
    return f"{base}{SEPARATOR}{name.replace(SEPARATOR, '-')}"


def house_kind(name: str, zones: tuple[str, ...]) -> CardKind:
    """Return a kind of cards that a house format adds; ``zones`` are those that allow it."""
    return CardKind(
        key=name_key(name).replace(" ", "-"),
        label=Sentence("%(name)s", {"name": name}),
        words=(name,),
        zones=zones,
        home=zones[0] if len(zones) == 1 else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseChanges:
    """The differences between an organiser's house format and its base.

    ``zones`` by key, ``limits`` by key (None: no limit), ``minimums`` by the key of a kind;
    ``kinds`` are additional ones. ``expansions`` None: those of the base.
    """

    zones: Mapping[str, Zone] = field(default_factory=dict)
    limits: Mapping[str, int | None] = field(default_factory=dict)
    minimums: Mapping[str, int] = field(default_factory=dict)
    kinds: tuple[CardKind, ...] = ()
    expansions: AllowedExpansions | None = None


def house_format(base: DeckFormat, changes: HouseChanges, *, key: str, name: str) -> DeckFormat:
    """Return the base format with the changes applied, under its own key and name.

    A house format is an organiser's variant of a format.
    """
    zones = tuple(changes.zones.get(zone.key, zone) for zone in base.zones)
    numbers = CheckParameters(
        zones=zones,
        kinds=(*base.kinds, *changes.kinds),
        limits={**base.limits(), **changes.limits},
        allowed=changes.expansions or allowed_expansions(base),
    )
    checks = [check.remake(numbers) if check.remake else check for check in base.checks]
    if changes.kinds and "kind.wrong_zone" not in base.codes():
        checks.append(zone_kinds_check(changes.kinds, ordinary=base.zone_keys))
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


def changeable_limits(base: DeckFormat) -> tuple[ChangeableLimit, ...]:
    """Return the limits of a format that a house format may change."""
    return tuple(limit for check in base.checks for limit in check.changeable)


def countable_kinds(base: DeckFormat, kinds: tuple[CardKind, ...]) -> tuple[CardKind, ...]:
    """Return the kinds for which a house format may set a minimum, out of ``kinds``.

    Not those with a changeable limit of their own.
    """
    limited = {limit.kind for limit in changeable_limits(base)}
    return tuple(kind for kind in kinds if kind.zones != () and kind.key not in limited)


def counted_zone(base: DeckFormat, kind: CardKind) -> str:
    """Return the key of the zone in which the minimum of a kind is counted."""
    if kind.zones is None or base.main in kind.zones:
        return base.main
    return kind.home or kind.zones[0]


def allowed_expansions(base: DeckFormat) -> AllowedExpansions | None:
    """Return the expansions that a format allows, None if it allows all."""
    return next((check.allowed for check in base.checks if check.allowed is not None), None)


def _minimums(
    base: DeckFormat, kinds: tuple[CardKind, ...], minimums: Mapping[str, int]
) -> list[Check]:
    return [
        minimum_check(minimums[kind.key], kind, zone=counted_zone(base, kind), plural=kind.label)
        for kind in countable_kinds(base, kinds)
        if minimums.get(kind.key)
    ]


MOST_KINDS = 20
LONGEST_KIND = 40

LIMIT = WholeNumber(0, MOST)


def changes_from_json(value: object, base: DeckFormat) -> HouseChanges:
    """Parse the JSON of the changes to a format; drop values equal to the format's.

    Raises BadInput ``bad_format`` with the path of the offending value as ``path`` and ``field``,
    such as ``zones.main.maximum``, and the message without the path as ``problem``.
    """
    given = {} if value is None else value
    return read_document("bad_format", partial(_changes, base), given, also_as="field")


def _changes(base: DeckFormat, value: object) -> HouseChanges:
    given = JsonObjectReader(value, ("zones", "limits", "minimums", "kinds", "expansions"))
    kinds = given.optional("kinds", partial(_kinds, base), ())
    changes = HouseChanges(
        zones=given.optional("zones", partial(_zones, base), {}),
        limits=given.optional("limits", partial(_limits, base), {}),
        kinds=kinds,
        minimums=given.optional(
            "minimums", partial(_minimums_of_json, base, (*base.kinds, *kinds)), {}
        ),
        expansions=given.optional("expansions", partial(_expansions, base), None),
    )
    _require_room(base, changes)
    return changes


def changes_to_json(changes: HouseChanges) -> dict[str, object]:
    """Return JSON that :func:`changes_from_json` reads; ``{}`` without changes."""
    parts: dict[str, object] = {
        "zones": {
            key: {"minimum": size.minimum, "maximum": size.maximum, "or_none": size.or_none}
            for key, size in changes.zones.items()
        },
        "limits": dict(changes.limits),
        "minimums": dict(changes.minimums),
        "kinds": [
            {"name": kind.words[0], "zones": list(kind.zones or ())} for kind in changes.kinds
        ],
    }
    if changes.expansions is not None:
        codes, other = list(changes.expansions.codes), changes.expansions.any_other
        parts["expansions"] = {"codes": codes, "any_other": other}
    return {key: part for key, part in parts.items() if part}


def _zones(base: DeckFormat, value: object) -> dict[str, Zone]:
    own = {zone.key: zone for zone in base.zones}
    given = JsonObjectReader(value, own)
    sizes = {
        key: given.optional(key, partial(_size, base, own[key]), own[key]) for key in given.values
    }
    return {key: size for key, size in sizes.items() if size != own[key]}


def _size(base: DeckFormat, usual: Zone, value: object) -> Zone:
    given = JsonObjectReader(value)
    least = given.read("minimum", LIMIT, usual.minimum)
    most = given.read("maximum", nullable(LIMIT), usual.maximum)
    if most is not None and most < least:
        raise WrongValue("The maximum can’t be less than the minimum.", at="maximum")
    if usual.key == base.main and most == 0:
        raise too_low_error(1).inside("maximum")
    or_none = given.read("or_none", nullable(boolean), usual.or_none) or False
    return replace(usual, minimum=least, maximum=most, or_none=or_none and least > 0)


def _limits(base: DeckFormat, value: object) -> dict[str, int | None]:
    known = {limit.key: limit for limit in changeable_limits(base)}
    given = JsonObjectReader(value, known)
    limits: dict[str, int | None] = {
        key: given.read(key, nullable(LIMIT) if known[key].may_be_none else LIMIT)
        for key in given.values
    }
    if limits.get("copies") == 0:
        raise too_low_error(1).inside("copies")
    return {key: value for key, value in limits.items() if value != base.limits()[key]}


def _kinds(base: DeckFormat, value: object) -> tuple[CardKind, ...]:
    kinds = list_of(partial(_kind, base), MOST_KINDS)(value)
    for at, kind in enumerate(kinds):
        others = (*base.kinds, *kinds[:at])
        if find_kind(base.kinds, kind.words[0]) or kind.key in {other.key for other in others}:
            raise WrongValue("Use each value only once.", at=f"[{at}].name")
    return kinds


def _kind(base: DeckFormat, value: object) -> CardKind:
    given = JsonObjectReader(value)
    name = given.read("name", _kind_name)
    zones = given.optional("zones", list_of(_anything), ())
    if not zones or any(zone not in base.zone_keys for zone in zones):
        raise WrongValue("Use one of: %(known)s.", at="zones", known=base.zone_keys)
    return house_kind(name, tuple(key for key in base.zone_keys if key in zones))


def _anything(value: object) -> object:
    return value


def _kind_name(value: object) -> str:
    name = name_text(LONGEST_KIND)(value)
    if not any(map(str.isalpha, name)) or set(name) & set(",{}="):
        raise WrongValue("Use at least one letter, and none of these: , { } =")
    return name


def _minimums_of_json(
    base: DeckFormat, kinds: tuple[CardKind, ...], value: object
) -> dict[str, int]:
    given = JsonObjectReader(value, sorted(kind.key for kind in countable_kinds(base, kinds)))
    return {key: number for key in given.values if (number := given.read(key, LIMIT))}


def _expansions(base: DeckFormat, value: object) -> AllowedExpansions | None:
    allowed = allowed_expansions(base)
    if allowed is None:
        fields = ("zones", "limits", "minimums", "kinds")
        raise WrongValue("Unknown field. Use one of: %(known)s.", known=fields)
    given = JsonObjectReader(value)
    codes = given.optional("codes", list_of(_anything), ())
    known = tuple(allowed.known)
    if not codes or any(code not in known for code in codes):
        raise WrongValue("Use one of: %(known)s.", at="codes", known=known)
    other = given.optional("any_other", boolean, False)
    chosen = replace(allowed, codes=tuple(code for code in known if code in codes), any_other=other)
    same = set(chosen.codes) == set(allowed.codes) and other == allowed.any_other
    return None if same else chosen


def _require_room(base: DeckFormat, changes: HouseChanges) -> None:
    """Raise BadInput if a minimum of a kind exceeds the size of its zone."""
    most = {zone.key: changes.zones.get(zone.key, zone).maximum for zone in base.zones}
    limits = {**base.limits(), **changes.limits}
    needed = [
        (f"limits.{limit.key}", limit.zone, limits[limit.key] or 0)
        for limit in changeable_limits(base)
        if limit.kind is not None and limit.zone is not None
    ]
    needed += [
        (f"minimums.{kind.key}", counted_zone(base, kind), changes.minimums[kind.key])
        for kind in countable_kinds(base, (*base.kinds, *changes.kinds))
        if kind.key in changes.minimums
    ]
    taken: dict[str, int] = {}
    for path, zone, number in needed:
        taken[zone] = taken.get(zone, 0) + number
        room = most[zone]
        if room is not None and taken[zone] > room:
            raise too_high_error(room).inside(path)
