"""Names that may be another card's with the mark of an unknown program: they are asked about.

Source: deck construction, Lists in and out.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from rules.deckbuilding.catalogue import CardCatalogue, card_number
from rules.deckbuilding.deck import Deck, DeckEntry, Violation, entry_violation
from rules.names import LONGEST_CACHED, card_key
from rules.wording import Sentence

COPIES = frozenset({"copies.too_many", "card.limited", "card.banned"})
"""The codes of too many copies of a card."""

_SIGN = re.compile(r" ?[*#^|<>~$€£¥@%=+\\(\[★☆✦✧⭐✨\U0001f300-\U0001faff]")
_AHEAD = re.compile(
    r"(?=[0-9]{0,5}[A-Z])[A-Z0-9]{2,6}[ :#-]#?[0-9]{1,4}[a-z★†]? (?=[^\W\d_])"
    r"|[*#^|<>~@%=★☆✦✧⭐✨] ?(?=[^\W\d_])"
)
_SET = re.compile(r"(?:,| [-–—:])? (?=[0-9]{0,5}[A-Z])[A-Z0-9]{2,6}(?: #?[0-9A-Za-z★†-]{1,12})?$")
_FINISH = re.compile(
    r"(?:,| [-–—:])? (?:(?:reverse )?holo(?:foil)?|(?:non-?)?foil|etched|promo|signed|altered"
    r"|proxy|textless)$",
    re.IGNORECASE,
)


def shorter_names(
    entries: Sequence[DeckEntry], catalogue: CardCatalogue | None
) -> Mapping[str, str]:
    """Return the names without trailing marks that entries may mean, by card key.

    Such marks are signs, sets and finishes, as in ``Opt foil``. Only if another entry may be the
    same card. Names in the catalogue are left out.
    """
    cores: dict[str, str] = {}
    for entry in entries:
        core = _core_of(entry.name)
        if core != entry.name and (catalogue is None or catalogue.get(entry.key) is None):
            cores[entry.key] = core
    if not cores:  # as in most lists, of which this is asked each time
        return cores
    keys = {entry.key for entry in entries}
    cards = Counter(card_key(cores[key]) if key in cores else key for key in keys)
    return {key: core for key, core in cores.items() if cards[card_key(core)] > 1}


def _core_of(name: str) -> str:
    """Return a name without what may stand beside it; the name itself if nothing does."""
    return _cached_core_of(name) if len(name) < LONGEST_CACHED else _found_core_of(name)


def _found_core_of(name: str) -> str:
    if ahead := _AHEAD.match(name):
        name = name[ahead.end() :]
    of_set = _SET.search(name)
    if of_set is not None and not any(map(str.isdigit, of_set[0])):
        of_set = None
    found = [one for one in (_SIGN.search(name, 1), of_set, _FINISH.search(name)) if one]
    begin = name[: min(one.start() for one in found)].rstrip(" ,") if found else name
    return begin if any(map(str.isalpha, begin)) else name


_cached_core_of = lru_cache(maxsize=8192)(_found_core_of)


def rename_cards(deck: Deck, names: Mapping[str, str]) -> Deck:
    """Return a deck with the cards in ``names`` renamed; its keys are card keys.

    A card number that was part of the name is kept, as a game may count copies by it.
    """
    zones = {
        zone: tuple(
            replace(entry, name=names[entry.key], number=entry.number or card_number(entry))
            if entry.key in names
            else entry
            for entry in entries
        )
        for zone, entries in deck.zones.items()
    }
    return replace(deck, zones=zones)


def overcounted_keys(faults: Iterable[Violation]) -> frozenset[str]:
    """Return the card keys of those violations that are about too many copies."""
    return frozenset(card_key(fault.card or "") for fault in faults if fault.code in COPIES)


def unclear_name_violations(
    deck: Deck, cores: Mapping[str, str], too_many: Collection[str]
) -> Iterator[Violation]:
    """Yield ``line.unclear`` for each card whose shorter name is one of the cards ``too_many``.

    ``cores`` are the shorter names by card key; ``too_many`` are card keys.
    """
    for zone, entry in deck:
        name = cores.get(entry.key)
        if name is not None and card_key(name) in too_many:
            sentence = Sentence(
                "“%(card)s” looks like “%(name)s”, over its copy limit. "
                "If it’s another card, enter only its name.",
                {"card": entry.name, "name": name},
            )
            unclear = entry_violation("line.unclear", sentence, zone, entry)
            yield replace(unclear, suggestions=(name,))
