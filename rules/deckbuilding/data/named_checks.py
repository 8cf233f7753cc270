"""Checks that the rules of shipped formats name, each with its arguments.

``{"check": "at_least", "minimum": 5, "kind": "warrior", "zone": "deck", "plural": "warriors"}`` is
``at_least(minimum=5, …)`` of ``rules.deckbuilding.checks``: zones and kinds by key, sentences in
English.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rules.deckbuilding.checks import (
    at_least,
    copies,
    excluded_together,
    expansions,
    kinds_in_zones,
    kinds_known,
    listed,
    one_language,
    zone_sizes,
)
from rules.deckbuilding.checks.genus import one_genus
from rules.deckbuilding.checks.printing import copies_by_version
from rules.deckbuilding.checks.sizes import exactly, none_missing, proportions
from rules.deckbuilding.formats import AllowedExpansions, Check
from rules.deckbuilding.zones import Kind, Zone
from rules.json_reader import ANY_TEXT, Fields, Reader, Whole, by_key, flag, list_of, maybe, one_of
from rules.wording import Sentence

NAMED_PARTS = ("checks", "expansions", "allowed")
"""``expansions`` are the names of each expansion by code, ``allowed`` the codes of a category."""

NUMBER, TEXTS = Whole(0, 999), list_of(ANY_TEXT)


def read_checks(
    given: Fields, zones: tuple[Zone, ...], kinds: tuple[Kind, ...]
) -> tuple[Check, ...]:
    """Return the checks that rules name, in order. Raises WrongValue."""
    if "checks" not in given:
        return ()
    by_zone = {zone.key: zone for zone in zones}
    of_kind = {kind.key: kind for kind in kinds}
    named: Mapping[str, Callable[..., Check]] = {
        **SIMPLE,
        "zone_sizes": lambda zones=tuple(by_zone): zone_sizes(*map(by_zone.__getitem__, zones)),
        "kinds_in_zones": partial(kinds_in_zones, kinds),
        "expansions": lambda: expansions(_allowed(given)),
    }
    zone = one_of(by_zone)

    def kind(value: object) -> Kind:
        return of_kind[one_of(of_kind)(value)]

    def counted(value: object) -> tuple[tuple[Kind, Any], ...]:
        return tuple((kind(key), plural) for key, plural in by_key(sentence)(value).items())

    arguments: Mapping[str, Reader[Any]] = {
        **dict.fromkeys(("zone",), zone),
        **dict.fromkeys(("zones", "ordinary"), list_of(zone)),
        **dict.fromkeys(("kind", "needed", "unlimited"), kind),
        **dict.fromkeys(("plural", "why"), sentence),
        **dict.fromkeys(("minimum", "number", "versions"), NUMBER),
        "others": list_of(kind),
        "kinds": counted,
        "at_most": maybe(NUMBER),
        "percent": list_of(NUMBER, 2, least=2),
        "names": TEXTS,
    }

    def check(value: object) -> Check:
        one = Fields(value, ("check", *arguments))
        make = named[one.read("check", one_of(named))]
        keys = (key for key in one.values if key != "check")
        made: Check = make(**{key: one.read(key, arguments[key]) for key in keys})
        return made

    return given.read("checks", list_of(check))


def sentence(value: object) -> Sentence:
    """Return a sentence of a shipped format, which is translated. Raises WrongValue."""
    return Sentence(ANY_TEXT(value))


def _allowed(given: Fields) -> AllowedExpansions:
    known = given.read("expansions", by_key(TEXTS))

    def allowed(value: object) -> AllowedExpansions:
        one = Fields(value, ("codes", "any_other"))
        codes = one.read("codes", list_of(one_of(known)))
        other = one.read("any_other", flag, False)
        return AllowedExpansions(known=known, codes=codes, any_other=other)

    return given.read("allowed", allowed)


SIMPLE: Mapping[str, Callable[..., Check]] = {
    make.__name__: make
    for make in (
        *(at_least, copies, copies_by_version, excluded_together, exactly, kinds_known, listed),
        *(none_missing, one_genus, one_language, proportions),
    )
}
