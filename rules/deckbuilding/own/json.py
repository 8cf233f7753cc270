"""The rules of a format of one's own as JSON, with validation.

Source: contracts, Formats of one's own.
"""

from collections.abc import Mapping

from rules.deckbuilding.card_lists.lists import COPIES
from rules.deckbuilding.kinds import Kind, folded_kind
from rules.deckbuilding.looks import EMBLEMS, PALETTES, Look
from rules.deckbuilding.notation import Notation
from rules.deckbuilding.own.play_json import match_from_json, standings_from_json
from rules.deckbuilding.own.rules import (
    CopyRule,
    CountedBy,
    CountedKind,
    OwnRules,
    Sum,
)
from rules.deckbuilding.own.values import (
    a_flag,
    a_name,
    a_number,
    an_object,
    each,
    invalid,
    limits,
    one_of,
)
from rules.deckbuilding.zones import Zone
from rules.names import name_key
from rules.wording import Sentence
from rules.wording import gettext_noop as _

PARTS = (
    *("zones", "copies", "kinds", "sums", "excluded_together", "card_lists", "legal_in"),
    *("not_checked", "match", "standings", "look", "notation"),
)
MOST_ZONES, MOST_KINDS, MOST_SUMS, MOST_CARDS, MOST_NOTES = 10, 20, 10, 2_000, 10
LONGEST_KEY = 30


def rules_from_json(value: object) -> OwnRules:
    """Return the rules that JSON describes; raises BadInput ``invalid_rules`` with the wrong path.

    Refused are unknown keys and rules that contradict themselves.
    """
    if not isinstance(value, dict):
        raise invalid("", _("This must be an object."))
    given = an_object(value, "", PARTS)
    zones = _zones(given.get("zones"))
    keys = tuple(zone.key for zone in zones)
    return OwnRules(
        zones=zones,
        copies=_copies(given.get("copies")),
        kinds=_kinds(given.get("kinds"), keys),
        sums=_sums(given.get("sums"), zones),
        excluded_together=each(
            given.get("excluded_together"), "excluded_together", MOST_CARDS, _pair
        ),
        card_lists=_card_lists(given.get("card_lists")),
        legal_in=None if given.get("legal_in") is None else a_name(given["legal_in"], "legal_in"),
        not_checked=each(given.get("not_checked"), "not_checked", MOST_NOTES, a_name),
        match=match_from_json(given.get("match")),
        standings=standings_from_json(given.get("standings")),
        look=_look(given.get("look")),
        notation=_notation(given.get("notation")),
    )


def _look(value: object) -> Look:
    fields = an_object(value, "look", ("palette", "emblem"))
    usual = Look()
    return Look(
        palette=one_of(fields.get("palette", usual.palette), "look.palette", PALETTES),
        emblem=one_of(fields.get("emblem", usual.emblem), "look.emblem", EMBLEMS),
    )


def _notation(value: object) -> Notation:
    fields = an_object(value, "notation", ("set_behind", "headings"))
    return Notation(
        set_behind=a_flag(fields.get("set_behind"), "notation.set_behind", usual=False),
        headings=each(fields.get("headings"), "notation.headings", MOST_NOTES, a_name),
    )


def _key(value: object, path: str) -> str:
    key = value if isinstance(value, str) else ""
    if not 1 <= len(key) <= LONGEST_KEY or not all(
        sign.isascii() and (sign.isalnum() or sign in "-_") for sign in key
    ):
        raise invalid(
            path,
            _("A key has 1 to %(most)s letters, digits or hyphens."),
            most=LONGEST_KEY,
        )
    return key


def _zones(value: object) -> tuple[Zone, ...]:
    if value is None or value == []:
        raise invalid("zones", _("Rules need a zone at least."))
    zones = each(value, "zones", MOST_ZONES, _zone)
    for at, zone in enumerate(zones):
        before = zones[:at]
        if zone.key in (other.key for other in before):
            raise invalid(f"zones[{at}].key", _("Another zone has this key."))
        taken = {name_key(word) for other in before for word in other.words}
        if any(name_key(word) in taken for word in zone.words):
            raise invalid(f"zones[{at}].name", _("Another zone has this name."))
    return zones


def _zone(value: object, path: str) -> Zone:
    fields = an_object(value, path, ("key", "name", "min", "max", "or_none"))
    key = _key(fields.get("key"), f"{path}.key")
    name = a_name(fields.get("name", key), f"{path}.name")
    least, most = limits(fields, path)
    if most == 0:
        raise invalid(f"{path}.max", _("A zone needs room for a card."))
    return Zone(
        key=key,
        label=Sentence("%(name)s", {"name": name}),
        minimum=least,
        maximum=most,
        or_none=a_flag(fields.get("or_none"), f"{path}.or_none", usual=False) and least > 0,
        words=(name,) if name_key(name) == name_key(key) else (name, key),
    )


def _copies(value: object) -> CopyRule:
    fields = an_object(value, "copies", ("max", "by", "over", "unlimited", "own"))
    given = fields.get("max")
    own = fields.get("own")
    if own is not None and not isinstance(own, dict):
        raise invalid("copies.own", _("This must be an object."))
    return CopyRule(
        most=None if given is None else a_number(given, "copies.max", least=1),
        by=CountedBy(one_of(fields.get("by", CountedBy.NAME), "copies.by", tuple(CountedBy))),
        each=one_of(fields.get("over", "all"), "copies.over", ("all", "each")) == "each",
        unlimited=each(fields.get("unlimited"), "copies.unlimited", MOST_CARDS, a_name),
        own={
            a_name(name, "copies.own"): a_number(number, f"copies.own.{name}", least=1)
            for name, number in (own or {}).items()
        },
    )


def _kinds(value: object, zones: tuple[str, ...]) -> tuple[CountedKind, ...]:
    kinds = each(value, "kinds", MOST_KINDS, lambda item, path: _kind(item, path, zones))
    for at, counted in enumerate(kinds):
        words = {folded_kind(word) for other in kinds[:at] for word in other.kind.words}
        if any(folded_kind(word) in words for word in counted.kind.words):
            raise invalid(f"kinds[{at}].name", _("There is a kind of this name already."))
    return kinds


def _kind(value: object, path: str, zones: tuple[str, ...]) -> CountedKind:
    fields = an_object(value, path, ("key", "name", "zones", "min", "max"))
    key = _key(fields.get("key"), f"{path}.key")
    name = a_name(fields.get("name", key), f"{path}.name")
    own = each(
        fields.get("zones"), f"{path}.zones", MOST_ZONES, lambda item, at: one_of(item, at, zones)
    )
    if not own:
        raise invalid(f"{path}.zones", _("Name at least one of: %(zones)s."), zones=zones)
    least, most = limits(fields, path)
    kind = Kind(
        key=key,
        label=Sentence("%(name)s", {"name": name}),
        words=(name,) if folded_kind(name) == folded_kind(key) else (name, key),
        zones=tuple(zone for zone in zones if zone in own),
        home=own[0] if len(own) == 1 else None,
    )
    return CountedKind(kind=kind, least=least, most=most)


def _sums(value: object, zones: tuple[Zone, ...]) -> tuple[Sum, ...]:
    return each(value, "sums", MOST_SUMS, lambda item, path: _sum(item, path, zones))


def _sum(value: object, path: str, zones: tuple[Zone, ...]) -> Sum:
    fields = an_object(value, path, ("zones", "min", "max"))
    by_key = {zone.key: zone for zone in zones}
    own = each(
        fields.get("zones"),
        f"{path}.zones",
        MOST_ZONES,
        lambda item, at: one_of(item, at, tuple(by_key)),
    )
    if len({*own}) < 2 or len({*own}) < len(own):
        raise invalid(f"{path}.zones", _("A sum has two zones at least, each once."))
    least, most = limits(fields, path)
    smallest = sum(0 if by_key[key].or_none else by_key[key].minimum for key in own)
    if most is not None and smallest > most:
        raise invalid(
            f"{path}.max", _("These zones have %(least)s cards at least."), least=smallest
        )
    largest = [by_key[key].maximum for key in own]
    if None not in largest and sum(size or 0 for size in largest) < least:
        raise invalid(f"{path}.min", _("These zones have no room for so many cards."))
    return Sum(zones=own, least=least, most=most)


def _pair(value: object, path: str) -> tuple[str, str]:
    names = each(value, path, 2, a_name)
    if len(names) != 2 or name_key(names[0]) == name_key(names[1]):
        raise invalid(path, _("This must be two cards."))
    return names[0], names[1]


def _card_lists(value: object) -> Mapping[str, tuple[str, ...]]:
    fields = an_object(value, "card_lists", tuple(COPIES))
    lists: dict[str, tuple[str, ...]] = {}
    known: dict[str, str] = {}
    for which in COPIES:
        lists[which] = each(fields.get(which), f"card_lists.{which}", MOST_CARDS, a_name)
        for at, name in enumerate(lists[which]):
            if known.setdefault(name_key(name), which) != which:
                raise invalid(
                    f"card_lists.{which}[{at}]", _("This card stands in another list already.")
                )
    return {which: names for which, names in lists.items() if names}
