"""The changes of a house format as JSON, with validation.

``{"zones": {"main": {"minimum": 40, "maximum": null, "or_none": false}},
"limits": {"copies": 4}, "minimums": {"creature": 5},
"kinds": [{"name": "Artefatto", "zones": ["main"]}],
"expansions": {"codes": ["DT"], "any_other": false}}``; every key is optional.
"""

from collections.abc import Mapping
from dataclasses import replace

from rules.deckbuilding.adjustable import MOST, AllowedExpansions
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.house.formats import (
    HouseChanges,
    allowed_of,
    changeable_limits,
    countable_kinds,
    counted_zone,
    house_kind,
)
from rules.deckbuilding.kinds import Kind, find_kind
from rules.deckbuilding.zones import Zone
from rules.errors import BadInput
from rules.names import name_key, tidy
from rules.wording import Sentence
from rules.wording import gettext_noop as _

MOST_KINDS = 20
LONGEST_KIND = 40

_PARTS = ("zones", "limits", "minimums", "kinds", "expansions")


def changes_from_json(value: object, base: DeckFormat) -> HouseChanges:
    """Return the changes to a format; values equal to the format's are dropped.

    Raises BadInput ``bad_format`` with the path of the offending value as ``field``, such as
    ``zones.main.maximum``, and the sentence without the path as ``problem``.
    """
    given = _object(value, "")
    if unknown := given.keys() - set(_PARTS):
        raise _bad_format(str(min(unknown)), _("No format has this."))
    kinds = _kinds(given.get("kinds"), base)
    changes = HouseChanges(
        zones=_zones(_object(given.get("zones"), "zones"), base),
        limits=_limits(_object(given.get("limits"), "limits"), base),
        kinds=kinds,
        minimums=_minimums(_object(given.get("minimums"), "minimums"), base, (*base.kinds, *kinds)),
        expansions=_expansions(given.get("expansions"), base),
    )
    _require_room(base, changes)
    return changes


def changes_to_json(changes: HouseChanges) -> dict[str, object]:
    """Return the changes as read by :func:`changes_from_json`; no changes give ``{}``."""
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


def _bad_format(path: str, problem: str, **values: object) -> BadInput:
    return BadInput(
        "bad_format", "%(field)s: %(problem)s", field=path or "$", problem=Sentence(problem, values)
    )


def _object(value: object, path: str) -> Mapping[str, object]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _bad_format(path, _("This must be an object."))
    return value


def _list(value: object, path: str) -> list[object]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise _bad_format(path, _("This must be a list."))
    return value


def _number(value: object, path: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST:
        raise _bad_format(path, _("This must be a whole number from 0 to %(most)s."), most=MOST)
    return value


def _flag(value: object, path: str) -> bool:
    if value is None:
        return False
    if not isinstance(value, bool):
        raise _bad_format(path, _("This must be true or false."))
    return value


def _zones(given: Mapping[str, object], base: DeckFormat) -> dict[str, Zone]:
    own = {zone.key: zone for zone in base.zones}
    sizes = {}
    for key, value in given.items():
        path = f"zones.{key}"
        if key not in own:
            raise _bad_format(path, _("There is no such zone. Zones: %(zones)s."), zones=tuple(own))
        fields = _object(value, path)
        least = _number(fields.get("minimum", own[key].minimum), f"{path}.minimum")
        most = fields.get("maximum", own[key].maximum)
        maximum = None if most is None else _number(most, f"{path}.maximum")
        if maximum is not None and maximum < least:
            raise _bad_format(f"{path}.maximum", _("The maximum can't be below the minimum."))
        if key == base.main and maximum == 0:
            raise _bad_format(f"{path}.maximum", _("The main zone needs room for a card."))
        or_none = _flag(fields.get("or_none", own[key].or_none), f"{path}.or_none")
        sizes[key] = replace(
            own[key], minimum=least, maximum=maximum, or_none=or_none and least > 0
        )
    return {key: size for key, size in sizes.items() if size != own[key]}


def _limits(given: Mapping[str, object], base: DeckFormat) -> dict[str, int | None]:
    known = {limit.key: limit for limit in changeable_limits(base)}
    limits: dict[str, int | None] = {}
    for key, value in given.items():
        path = f"limits.{key}"
        if key not in known:
            raise _bad_format(
                path, _("There is no such limit. Limits: %(limits)s."), limits=tuple(known)
            )
        if value is None and known[key].may_be_none:
            limits[key] = None
        else:
            limits[key] = _number(value, path)
        if key == "copies" and limits[key] == 0:
            raise _bad_format(path, _("A card must be allowed once at least."))
    return {key: value for key, value in limits.items() if value != base.limits()[key]}


def _kinds(value: object, base: DeckFormat) -> tuple[Kind, ...]:
    kinds: list[Kind] = []
    for at, item in enumerate(_list(value, "kinds")):
        path = f"kinds[{at}]"
        if at >= MOST_KINDS:
            raise _bad_format("kinds", _("There can be at most %(most)s."), most=MOST_KINDS)
        fields = _object(item, path)
        name = _kind_name(fields.get("name"), f"{path}.name")
        zones = _list(fields.get("zones"), f"{path}.zones")
        if not zones or any(zone not in base.zone_keys for zone in zones):
            raise _bad_format(
                f"{path}.zones", _("Name at least one of: %(zones)s."), zones=base.zone_keys
            )
        kind = house_kind(name, tuple(key for key in base.zone_keys if key in zones))
        taken = {other.key for other in base.kinds} | {other.key for other in kinds}
        if find_kind(base.kinds, name) or kind.key in taken:
            raise _bad_format(f"{path}.name", _("There is a kind of this name already."))
        kinds.append(kind)
    return tuple(kinds)


def _kind_name(value: object, path: str) -> str:
    name = tidy(value) if isinstance(value, str) else ""
    if not any(char.isalpha() for char in name) or not name_key(name) or len(name) > LONGEST_KIND:
        raise _bad_format(path, _("A name has 1 to %(most)s characters."), most=LONGEST_KIND)
    if set(name) & set(",{}="):
        raise _bad_format(path, _("A name can't hold commas, braces or equals signs."))
    return name


def _minimums(
    given: Mapping[str, object], base: DeckFormat, kinds: tuple[Kind, ...]
) -> dict[str, int]:
    known = {kind.key for kind in countable_kinds(base, kinds)}
    minimums = {}
    for key, value in given.items():
        path = f"minimums.{key}"
        if key not in known:
            raise _bad_format(
                path, _("There is no such kind. Kinds: %(kinds)s."), kinds=tuple(sorted(known))
            )
        minimums[key] = _number(value, path)
    return {key: number for key, number in minimums.items() if number}


def _expansions(value: object, base: DeckFormat) -> AllowedExpansions | None:
    if value is None:
        return None
    allowed = allowed_of(base)
    if allowed is None:
        raise _bad_format("expansions", _("This game has no rule of expansions."))
    fields = _object(value, "expansions")
    codes = _list(fields.get("codes"), "expansions.codes")
    if not codes or any(code not in allowed.known for code in codes if isinstance(code, str)):
        known = tuple(allowed.known)
        raise _bad_format("expansions.codes", _("Name at least one of: %(known)s."), known=known)
    if not all(isinstance(code, str) for code in codes):
        raise _bad_format("expansions.codes", _("This must be a list."))
    other = _flag(fields.get("any_other"), "expansions.any_other")
    ordered = tuple(code for code in allowed.known if code in codes)
    chosen = replace(allowed, codes=ordered, any_other=other)
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
            raise _bad_format(path, _("The zone has room for %(room)s at most."), room=room)
