"""Card catalogues: kinds, expansions and limits of a game's cards, and unknown names.

``Legality`` is where a card may be played. In writing: the names of formats between commas, with
the most copies behind a colon where fewer than usual are allowed: ``legacy, vintage: 1``; a hyphen
where it is legal nowhere. Numbers of printings are texts: ``146``, ``34p``, ``A25-141``, ``63★``.
``Notation`` is how programs and sites write the lists of a game, ``canonical_name`` which names are
those of one card.

Source: deck construction, Lists in and out; collector numbers as sets have them; lists exported by
Pokémon TCG Live; card numbers as Bandai and Square Enix print them; Magic Comprehensive Rules, 201
and 709 to 712 (names of cards with several faces); Pokémon TCG rules, cards that name a person in
brackets.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Protocol

from rules.deckbuilding.card_lists import CardLists
from rules.deckbuilding.deck import Deck, DeckEntry, Violation, entry_violation
from rules.json_reader import WrongValue
from rules.names import FACES, card_key, name_key
from rules.wording import Sentence
from rules.wording import gettext_noop as _

Legality = Mapping[str, int | None]
"""The most copies by format, which is named by its ``name_key``; None for the usual number."""
NOWHERE = "-"

_ONE = re.compile(r"([^:]*[^:\s])\s*(?::\s*([1-9][0-9]?))?")


@lru_cache(maxsize=4096)
def parse_legality(text: str) -> Legality:
    """Parse a text like "standard, legacy: 1": formats and most copies; raise ValueError.

    Keys are folded names; the value is None for the format's own limit. "-" is legal nowhere.
    """
    found: dict[str, int | None] = {}
    for part in text.split(",") if text.strip() != NOWHERE else ():
        one = _ONE.fullmatch(part.strip())
        key = name_key(one[1]) if one else ""
        if one is None or not key:
            raise ValueError(f"{part!r} names no format.")
        found[key] = int(one[2]) if one[2] else None
    return MappingProxyType(found)


def format_legality(legality: Legality) -> str:
    """Return a legality as text that ``parse_legality`` reads, formats sorted."""
    parts = (
        key if copies is None else f"{key}: {copies}" for key, copies in sorted(legality.items())
    )
    return ", ".join(parts) or NOWHERE


def combine_legalities(printings: Iterable[Legality]) -> Legality:
    """Return the legality of a card from those of its printings.

    Legal in a format if any printing is, at the lowest limit. Source: Pokémon tournament rules,
    Card legality: who owns a legal printing may play every other.
    """
    found: dict[str, int | None] = {}
    for printing in printings:
        for key, copies in printing.items():
            limits = [one for one in (found.get(key), copies) if one is not None]
            found[key] = min(limits, default=None)
    return found


LONGEST_NUMBER = 20
"""Characters of a card's number."""
LARGEST_WHOLE = 2**31 - 1
"""Of a card's number that is a whole number in JSON."""
NUMBER_RULE = Sentence(
    "%(column)s: at most %(most)s characters.",
    {"column": Sentence("Number"), "most": LONGEST_NUMBER},
)

_MARK = " #"
"""What stands before a number that would not be seen as one: ``(SET #promo)``."""
_CODE = re.compile(r"[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8})?")
_NUMBER = re.compile(
    r"(?=[^\s0-9★†]{0,19}[0-9★†])[^\W_][^\s()\[\]{}]{0,19}|[★†][^\s()\[\]{}]{0,19}"
)
_WITH_SIGN = re.compile(r"([A-Za-z0-9]{2,8})[:#]([^\s:#]{1,20})")
_FINISH = re.compile(
    r"(?:non-?)?foil|etched|foil etched|borderless|showcase|(?:extended|full|alternate) art"
    r"|extended|retro frame|promo|prerelease|v\.? ?[0-9]{1,3}",
    re.IGNORECASE,
)
_FINISH_LETTERS = frozenset({"F", "E", "FE"})


def collector_number_from_json(value: object) -> str:
    """Return a card's collector number as text.

    The value is a string or a whole number; raises WrongValue for any other.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_WHOLE:
        raise WrongValue(
            "Enter a whole number from %(least)s to %(most)s.",
            least=0,
            most=LARGEST_WHOLE,
        )
    return str(value)


def is_card_number(word: str, *, behind: str) -> bool:
    """Return whether a word is a collector number, judging by the text before it.

    ``behind`` is that text, a set's name or code. Digits count after any name; a number with
    letters only after a code.
    """
    if len(word) > LONGEST_NUMBER:
        return False
    if word.isascii() and word.isdigit():
        return True
    coded = _CODE.fullmatch(behind) and behind in (behind.upper(), behind.lower())
    return bool(coded and _NUMBER.fullmatch(word))


def split_collector_number(text: str) -> tuple[str, str]:
    """Split "M10 146" into (expansion, collector number); the number is "" if absent.

    Also ``PLST A25-141``, ``M10:146``, ``M10 #promo``, ``#promo``, ``M10 #``.
    """
    words, sign, last = f" {text}".rpartition(_MARK)
    if sign and not last:
        return words.strip(), ""
    if sign and last.strip() and len(last) <= LONGEST_NUMBER:
        return words.strip(), last.strip()
    words, _space, last = text.rpartition(" ")
    words = words.rstrip(" ,:")
    if words and is_card_number(last, behind=words):
        return words, last
    if (parts := _WITH_SIGN.fullmatch(text)) and is_card_number(parts[2], behind=parts[1]):
        return parts[1], parts[2]
    return text, ""


def join_collector_number(expansion: str, number: str, *, marked: bool = False) -> str:
    """Return an expansion and a number as text that ``split_collector_number`` reads.

    ``marked``: always write a ``#`` before the number.
    """
    plain = f"{expansion} {number}".strip()
    if marked or split_collector_number(plain) != (expansion, number):
        return f"{expansion}{_MARK}{number}".strip()
    return plain


def is_card_finish(inside: str) -> bool:
    """Return whether the content of brackets is a card's finish: ``F``, ``Borderless``."""
    return inside in _FINISH_LETTERS or bool(_FINISH.fullmatch(inside))


def may_precede_foil_mark(name: str) -> bool:
    """Return whether ``(F)`` after this text is the foil mark, not an expansion."""
    return name.endswith((")", "]", ">")) or name[-1:].isdigit()


SUGGESTIONS = 3
SUGGEST_FOR = 20  # similar names are searched in the whole catalogue: limited for invalid lists


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFacts:
    """The catalogue's data of one card; fields are empty if unknown.

    ``keys`` are the ``card_key`` of its names in every language, and of its faces. ``kind`` is the
    card type; ``genus`` the element of a Thoom card, such as Light. ``max_copies`` is None if the
    rules decide. ``legal_in``: formats in which it may be played, None if unknown.
    """

    name: str
    keys: tuple[str, ...] = ()
    kind: str = ""
    expansion: str = ""
    genus: str = ""
    max_copies: int | None = None
    legal_in: Legality | None = None


class CardCatalogue(Protocol):
    """Protocol: the cards of a game, looked up by ``card_key`` of a name in any language."""

    def get(self, key: str, /) -> CardFacts | None:
        """Return the data of a card, None for an unknown name."""

    def nearest(self, key: str, limit: int, /) -> Sequence[str]:
        """Return the names most similar to an unknown one, as printed, best first."""


@dataclass(frozen=True, slots=True)
class AliasedCatalogue:
    """A catalogue that also resolves the aliases of card lists.

    ``originals`` maps the key of an alias to its card's.
    """

    cards: CardCatalogue
    originals: Mapping[str, str]

    def get(self, key: str, /) -> CardFacts | None:
        """Return the data of a card by its name, else by an alias."""
        facts = self.cards.get(key)
        if facts is None and self.originals:
            original = self.originals.get(key, key)
            equal = (alias for alias, of in self.originals.items() if of == original)
            found = (self.cards.get(other) for other in (original, *equal))
            facts = next((each for each in found if each is not None), None)
        return facts

    def nearest(self, key: str, limit: int, /) -> Sequence[str]:
        """Return the names most similar to an unknown one."""
        return self.cards.nearest(key, limit)


def add_card_facts(deck: Deck, catalogue: CardCatalogue) -> Deck:
    """Return the deck with kinds, genera and missing expansions from the catalogue."""
    zones = {
        key: tuple(complete_entry(entry, catalogue) for entry in entries)
        for key, entries in deck.zones.items()
    }
    return replace(deck, zones=zones)


def restore_bracketed_names(deck: Deck, catalogue: CardCatalogue) -> Deck:
    """Return the deck, names in brackets restored: Erase (Not the Urza's Legacy One).

    The parser takes brackets for an expansion; if the catalogue has a card with them in its name,
    that card is meant.
    """
    zones = {
        key: tuple(_with_whole_name(entry, catalogue) for entry in entries)
        for key, entries in deck.zones.items()
    }
    return replace(deck, zones=zones)


def _with_whole_name(entry: DeckEntry, catalogue: CardCatalogue) -> DeckEntry:
    inside = (
        join_collector_number(entry.expansion, entry.number) if entry.expansion else entry.number
    )
    if not inside:
        return entry
    name = f"{entry.name} ({inside})"
    if catalogue.get(card_key(name)) is None:
        return entry
    return replace(entry, name=name, expansion="", number="")


def complete_entry(entry: DeckEntry, catalogue: CardCatalogue) -> DeckEntry:
    """Return an entry with the catalogue's kind and genus of its card.

    The expansion is only filled in if the entry has none.
    """
    facts = catalogue.get(entry.key)
    if facts is None:
        return entry
    kind, genus = facts.kind or entry.kind, facts.genus or entry.genus
    expansion = entry.expansion or facts.expansion
    if (kind, genus, expansion) == (entry.kind, entry.genus, entry.expansion):
        return entry
    return entry.but(kind=kind, genus=genus, expansion=expansion)


def unify_languages(lists: CardLists, catalogue: CardCatalogue, decks: Iterable[Deck]) -> CardLists:
    """Return the card lists with aliases so that all languages of a card share one key.

    Only for cards of the ``decks``. The key is that of the name in the lists, else of the first
    name in the catalogue.
    """
    found: dict[str, str] = {}
    for deck in decks:
        for _zone, entry in deck:
            key = entry.key
            facts = catalogue.get(key)
            if facts is None or facts.keys == (key,) or not facts.keys:
                continue
            known = [lists.originals.get(other, other) for other in facts.keys]
            one = next((other for other in known if other in lists.listed), known[0])
            if one != lists.originals.get(key, key):
                found[key] = one
    return replace(lists, originals={**lists.originals, **found}) if found else lists


def unknown_card_violations(deck: Deck, catalogue: CardCatalogue) -> Iterator[Violation]:
    """Yield ``card.unknown`` for each card missing from the catalogue, with similar names."""
    suggested: dict[str, tuple[str, ...]] = {}
    for zone, entry in deck:
        key = entry.key
        if catalogue.get(key) is not None:
            continue
        if key not in suggested and len(suggested) < SUGGEST_FOR:
            suggested[key] = tuple(catalogue.nearest(key, SUGGESTIONS))
        near = suggested.get(key, ())
        template = (
            _("“%(card)s” is not in the card catalogue. Did you mean: %(names)s?")
            if near
            else _("“%(card)s” is not in the card catalogue. Check the spelling.")
        )
        sentence = Sentence(template, {"card": entry.name, "names": near})
        yield replace(entry_violation("card.unknown", sentence, zone, entry), suggestions=near)


ANYTHING = "*"
_SET_BEHIND = re.compile(
    r"(\S.*) ([A-Z][A-Z0-9-]{1,7}|Energy) ([A-Z]{0,5}[0-9]{1,4}[a-z]?)(?: (?:PH|RH|rh))?"
)
_CARD_NUMBER = re.compile(
    r"(?:.* )?([A-Z]{0,4}[0-9]{0,3})-([0-9]{3})[A-Z]?(?:_P[0-9]{1,3})?(?: [^0-9].*)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """How decklists of one game are written, where it differs from other games.

    With ``set_behind``, set and number may follow a name without brackets: ``Charmander MEW 4``.
    ``headings`` are words above cards that start no zone: ``Trainer: 35``. With ``faces`` a card
    may be named by its front face. ``same_cards`` are groups of names of one card, the main name
    first; ANYTHING in one stands for any text.
    """

    set_behind: bool = False
    headings: tuple[str, ...] = ()
    faces: bool = False
    same_cards: tuple[tuple[str, ...], ...] = ()

    def entry(self, written: DeckEntry) -> DeckEntry:
        """Return an entry whose name is that of the card alone."""
        if not self.set_behind or written.expansion:
            return written
        found = _SET_BEHIND.fullmatch(written.name)
        if found is None:
            return written
        name, expansion, number = found.groups()
        if expansion == "Energy" and not name.endswith(expansion):
            return replace(written, name=f"{name} {expansion}", number=number)
        return replace(written, name=name, expansion=expansion, number=number)


def card_number(entry: DeckEntry) -> str:
    """Return the normalised collector number of an entry, such as "OP01-025", else "".

    It is taken from the tags (``(OP01-025)``, ``(OP01 25)``) or the name. Alternative art
    (``OP01-025_p1``) has the same number.
    """
    if entry.expansion and entry.number.isdecimal():
        return f"{entry.expansion.upper()}-{int(entry.number):03}"
    for written in (entry.number, entry.expansion, entry.name):
        if found := _CARD_NUMBER.fullmatch(written.upper()):
            return f"{found[1]}-{found[2]}"
    return ""


@dataclass(frozen=True, slots=True)
class _Group:
    """The keys of names of one card, and the beginnings and ends of further ones."""

    keys: tuple[str, ...]
    patterns: tuple[tuple[str, str], ...]

    def has(self, key: str) -> bool:
        return key in self.keys or any(
            key.startswith(begin) and key.endswith(end) and len(key) > len(begin) + len(end)
            for begin, end in self.patterns
        )


def unify_names(
    lists: CardLists, notation: Notation, decks: Iterable[Deck], catalogue: CardCatalogue | None
) -> CardLists:
    """Return the card lists with aliases so that all names of a card share one key.

    Names of one card follow from the notation (``same_cards``, ``faces``); the key is that of a
    name in the lists, if any. Only for cards of the ``decks``. Two cards of the catalogue are not
    merged because of a common front face.
    """
    if not notation.same_cards and not notation.faces:
        return lists
    keys = sorted({key for deck in decks for key in deck.tally.copies})
    found = dict(_named_alike(keys, notation, lists))
    if notation.faces:
        found |= _front_faces(keys, lists, catalogue)
    return replace(lists, originals={**lists.originals, **found}) if found else lists


def canonical_name(name: str, notation: Notation) -> str:
    """Return a card's main name: the first of its group in ``same_cards``, else ``name``."""
    key = card_key(name)
    groups = zip(notation.same_cards, _groups(notation.same_cards), strict=True)
    return next((names[0] for names, group in groups if group.has(key)), name)


def _named_alike(
    keys: Iterable[str], notation: Notation, lists: CardLists
) -> Iterator[tuple[str, str]]:
    """Yield the names of each card of the decks that has several, with the one that counts."""
    for group in _groups(notation.same_cards):
        of_decks = [key for key in keys if group.has(key)]
        every = dict.fromkeys((*group.keys, *of_decks)) if of_decks else {}
        one = next((key for key in every if key in lists.listed), group.keys[0])
        for key in every:
            yield key, lists.originals.get(one, one)


@lru_cache(maxsize=64)
def _groups(same_cards: tuple[tuple[str, ...], ...]) -> tuple[_Group, ...]:
    return tuple(
        _Group(
            keys=tuple(card_key(name) for name in names if ANYTHING not in name),
            patterns=tuple(_pattern(name) for name in names if ANYTHING in name),
        )
        for names in same_cards
    )


def _pattern(name: str) -> tuple[str, str]:
    begin, _anything, end = card_key(name).partition(ANYTHING)
    return begin, end


def _front_faces(
    keys: Sequence[str], lists: CardLists, catalogue: CardCatalogue | None
) -> Mapping[str, str]:
    """Return the key that counts for each card that is written by its front face as well."""
    found: dict[str, str] = {}
    for whole in keys:
        front = whole.partition(FACES)[0]
        if front == whole or front not in keys or _are_two_cards(front, whole, catalogue):
            continue
        one = front if front in lists.listed else whole
        found |= dict.fromkeys((front, whole), lists.originals.get(one, one))
    return found


def _are_two_cards(front: str, whole: str, catalogue: CardCatalogue | None) -> bool:
    facts = [catalogue.get(key) for key in (front, whole)] if catalogue is not None else []
    return None not in facts and len({one.name for one in facts if one is not None}) > 1
