"""The rules of a format as JSON, with validation.

Source: contracts, Formats of one's own.
"""

from collections.abc import Mapping
from functools import partial

from rules.deckbuilding.adjustable import MOST
from rules.deckbuilding.card_lists.lists import COPIES
from rules.deckbuilding.game_standings import GameStandings
from rules.deckbuilding.kinds import Kind, folded_kind
from rules.deckbuilding.looks import EMBLEMS, PALETTES, Look
from rules.deckbuilding.notation import ANYTHING, Notation
from rules.deckbuilding.own.named_checks import NAMED_PARTS, read_checks
from rules.deckbuilding.own.play_json import read_match, read_standings, sentence
from rules.deckbuilding.own.rules import (
    CopyRule,
    CountedBy,
    CountedKind,
    FormatRules,
    Sum,
)
from rules.deckbuilding.play import Exchange, Play
from rules.deckbuilding.zones import LABELS, Zone
from rules.json_reader import (
    Fields,
    Whole,
    WrongValue,
    by_key,
    distinct,
    flag,
    list_of,
    name_up_to,
    one_of,
    read_document,
)
from rules.names import name_key
from rules.wording import Sentence

PARTS = (
    *("zones", "copies", "kinds", "sums", "excluded_together", "card_lists", "legal_in"),
    *("not_checked", "match", "standings", "look", "notation"),
)
SHIPPED = (*NAMED_PARTS, "side", "exchange", "notes", "decisions", "deck_check")
"""What only rules that come with the program say, besides words of kinds and matches."""
INVALID = "invalid_rules"
MOST_ZONES, MOST_KINDS, MOST_SUMS, MOST_CARDS, MOST_NOTES = 10, 20, 10, 2_000, 10
MOST_NAMES = 20
LONGEST_KEY = 30
NAME = name_up_to(80)
NOTES, CARDS = list_of(NAME, MOST_NOTES), list_of(NAME, MOST_CARDS)
SIZE, COPIES_OF_A_CARD = Whole(0, MOST), Whole(1, MOST)


def rules_from_json(value: object, *, shipped: bool = False) -> FormatRules:
    """Return the rules that JSON describes; raises BadInput ``invalid_rules`` with the wrong path.

    Refused are unknown keys and rules that contradict themselves; the keys of ``SHIPPED`` too,
    unless the rules are ``shipped`` with the program.
    """
    return read_document(INVALID, partial(_rules, shipped=shipped), value)


def _rules(value: object, *, shipped: bool) -> FormatRules:
    given = Fields(value, (*PARTS, *(SHIPPED if shipped else ())))
    zones = given.read("zones", partial(_zones, shipped=shipped))
    keys = tuple(zone.key for zone in zones)
    kinds = given.optional("kinds", partial(_kinds, keys, shipped=shipped), ())
    return FormatRules(
        zones=zones,
        copies=given.optional("copies", _copies, CopyRule()),
        kinds=kinds,
        sums=given.optional("sums", list_of(partial(_sum, zones), MOST_SUMS), ()),
        excluded_together=given.optional("excluded_together", list_of(_pair, MOST_CARDS), ()),
        card_lists=given.optional("card_lists", _card_lists, {}),
        legal_in=given.optional("legal_in", NAME, None),
        not_checked=given.optional("not_checked", NOTES, ()),
        match=given.optional("match", partial(read_match, shipped=shipped), Play()),
        standings=given.optional("standings", read_standings, GameStandings()),
        look=given.optional("look", _look, Look()),
        notation=given.optional("notation", _notation, Notation()),
        checks=read_checks(given, zones, tuple(counted.kind for counted in kinds)),
        side=given.read("side", one_of(keys), None),
        exchange=given.read("exchange", partial(_exchange, keys), Exchange()),
        notes=given.read("notes", list_of(sentence), ()),
        decisions=given.read("decisions", list_of(sentence), ()),
        deck_check=given.read("deck_check", list_of(sentence), ()),
    )


def _exchange(zones: tuple[str, ...], value: object) -> Exchange:
    given = Fields(value, ("returns", "stays_empty"))
    return Exchange(
        returns=given.read("returns", flag, True),
        stays_empty=given.read("stays_empty", list_of(one_of(zones)), ()),
    )


def _look(value: object) -> Look:
    given, usual = Fields(value, ("palette", "emblem")), Look()
    return Look(
        palette=given.read("palette", one_of(PALETTES), usual.palette),
        emblem=given.read("emblem", one_of(EMBLEMS), usual.emblem),
    )


def _notation(value: object) -> Notation:
    given = Fields(value, ("set_behind", "headings", "faces", "same_cards"))
    return Notation(
        set_behind=given.optional("set_behind", flag, False),
        headings=given.optional("headings", NOTES, ()),
        faces=given.optional("faces", flag, False),
        same_cards=given.optional("same_cards", list_of(_names_of_a_card, MOST_CARDS), ()),
    )


def _names_of_a_card(value: object) -> tuple[str, ...]:
    names = list_of(NAME, MOST_NAMES)(value)
    if len(names) < 2 or ANYTHING in names[0]:
        raise WrongValue("This must be the name of a card, and others of the same card.")
    return names


def _key(value: object) -> str:
    key = value if isinstance(value, str) else ""
    if not 1 <= len(key) <= LONGEST_KEY or not all(
        sign.isascii() and (sign.isalnum() or sign in "-_") for sign in key
    ):
        raise WrongValue("A key has 1 to %(most)s letters, digits or hyphens.", most=LONGEST_KEY)
    return key


def _limits(given: Fields) -> tuple[int, int | None]:
    """Return ``min`` and ``max`` of an object; without ``max`` there is no limit."""
    least, most = given.read("min", SIZE, 0), given.optional("max", SIZE, None)
    if most is not None and most < least:
        raise WrongValue("The most is below the least: %(least)s.", at="max", least=least)
    return least, most


def _zones(value: object, *, shipped: bool) -> tuple[Zone, ...]:
    if value is None or value == []:
        raise WrongValue("Rules need a zone at least.")
    listed = list_of(partial(_zone, shipped=shipped), MOST_ZONES)
    zones = distinct(listed, lambda zone: zone.key, at="key")(value)
    for at, zone in enumerate(zones):
        taken = {name_key(word) for other in zones[:at] for word in other.words}
        if any(name_key(word) in taken for word in zone.words):
            raise WrongValue("Another zone has this name.", at=f"[{at}].name")
    return zones


def _zone(value: object, *, shipped: bool) -> Zone:
    given = Fields(value, ("key", "name", "min", "max", "or_none"))
    key = given.read("key", one_of(LABELS) if shipped else _key)
    name = given.read("name", NAME, NAME(key))
    least, most = _limits(given)
    if most == 0:
        raise WrongValue("A zone needs room for a card.", at="max")
    return Zone(
        key=key,
        label=LABELS[key] if shipped else Sentence("%(name)s", {"name": name}),
        minimum=least,
        maximum=most,
        or_none=given.optional("or_none", flag, False) and least > 0,
        words=() if shipped else (name,) if name_key(name) == name_key(key) else (name, key),
    )


def _copies(value: object) -> CopyRule:
    given = Fields(value, ("max", "by", "over", "unlimited", "own"))
    return CopyRule(
        most=given.optional("max", COPIES_OF_A_CARD, None),
        by=CountedBy(given.read("by", one_of(CountedBy), CountedBy.NAME)),
        each=given.read("over", one_of(("all", "each")), "all") == "each",
        unlimited=given.optional("unlimited", CARDS, ()),
        own=given.optional("own", by_key(COPIES_OF_A_CARD, NAME), {}),
    )


def _kinds(zones: tuple[str, ...], value: object, *, shipped: bool) -> tuple[CountedKind, ...]:
    kinds = list_of(partial(_shipped_kind if shipped else _kind, zones), MOST_KINDS)(value)
    for at, counted in enumerate(kinds):
        words = {folded_kind(word) for other in kinds[:at] for word in other.kind.words}
        if any(folded_kind(word) in words for word in counted.kind.words):
            raise WrongValue("There is a kind of this name already.", at=f"[{at}].name")
    return kinds


def _kind(zones: tuple[str, ...], value: object) -> CountedKind:
    given = Fields(value, ("key", "name", "zones", "min", "max"))
    key = given.read("key", _key)
    name = given.read("name", NAME, NAME(key))
    own = given.optional("zones", list_of(one_of(zones), MOST_ZONES), ())
    if not own:
        raise WrongValue("Name at least one of: %(zones)s.", at="zones", zones=zones)
    least, most = _limits(given)
    kind = Kind(
        key=key,
        label=Sentence("%(name)s", {"name": name}),
        words=(name,) if folded_kind(name) == folded_kind(key) else (name, key),
        zones=tuple(zone for zone in zones if zone in own),
        home=own[0] if len(own) == 1 else None,
    )
    return CountedKind(kind=kind, least=least, most=most)


def _shipped_kind(zones: tuple[str, ...], value: object) -> CountedKind:
    """Return a kind with all its words; without zones it is an ordinary card."""
    given = Fields(value, ("key", "name", "words", "zones", "first_word"))
    name = given.read("name", NAME)
    own = given.read("zones", list_of(one_of(zones)), None)
    kind = Kind(
        key=given.read("key", _key, name.lower().replace(" ", "-")),
        label=Sentence(name),
        words=given.read("words", list_of(NAME)),
        zones=own,
        home=own[0] if own else None,
        first_word=given.read("first_word", flag, False),
    )
    return CountedKind(kind=kind)


def _sum(zones: tuple[Zone, ...], value: object) -> Sum:
    given = Fields(value, ("zones", "min", "max"))
    by_zone = {zone.key: zone for zone in zones}
    own = given.optional("zones", list_of(one_of(by_zone), MOST_ZONES), ())
    if len({*own}) < 2 or len({*own}) < len(own):
        raise WrongValue("A sum has two zones at least, each once.", at="zones")
    least, most = _limits(given)
    smallest = sum(0 if by_zone[key].or_none else by_zone[key].minimum for key in own)
    if most is not None and smallest > most:
        raise WrongValue("These zones have %(least)s cards at least.", at="max", least=smallest)
    largest = [by_zone[key].maximum for key in own]
    if None not in largest and sum(size or 0 for size in largest) < least:
        raise WrongValue("These zones have no room for so many cards.", at="min")
    return Sum(zones=own, least=least, most=most)


def _pair(value: object) -> tuple[str, str]:
    one, other = list_of(NAME, 2, least=2)(value)
    if name_key(one) == name_key(other):
        raise WrongValue("This must be two cards.")
    return one, other


def _card_lists(value: object) -> Mapping[str, tuple[str, ...]]:
    given = Fields(value, COPIES)
    lists = {which: given.optional(which, CARDS, ()) for which in COPIES}
    known: dict[str, str] = {}
    for which, names in lists.items():
        for at, name in enumerate(names):
            if known.setdefault(name_key(name), which) != which:
                raise WrongValue("This card stands in another list already.", at=f"{which}[{at}]")
    return {which: names for which, names in lists.items() if names}
