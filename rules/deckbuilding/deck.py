"""Decks, their violations, and the differences between two lists, zone by zone."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter

from rules.names import card_key, name_key
from rules.wording import Sentence

WARNINGS = frozenset(
    {
        *("genus.other", "kind.proportion", "kind.none"),
        *("card.expansion_unknown", "card.unknown", "legality.unchecked"),
    }
)
INFORMATION = frozenset(
    {
        *("kind.unchecked", "genus.unchecked", "list.more_problems"),
        *("cards.left_out", "columns.left_out"),
    }
)
GRAVITY = ("error", "warning", "info")
MOST_VIOLATIONS = 500
"""Of one list; a text can have one every two characters."""

HIGHEST_COUNT = 999


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckEntry:
    """Copies of one card in a zone, as written; ``line`` is its line in the list, from 1.

    ``kind`` is the card type, ``number`` the collector number, ``version`` tells cards of one name
    apart, ``genus`` is the element of a Thoom card. ``key`` is the ``card_key`` of the name.
    """

    name: str
    count: int = 1
    kind: str = ""
    expansion: str = ""
    number: str = ""
    version: str = ""
    genus: str = ""
    language: str = ""
    line: int | None = field(default=None, compare=False)
    key: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", card_key(self.name))

    def but(self, **values: str | int) -> "DeckEntry":
        """Return a copy with other values and the same name, faster than ``replace``."""
        entry = self.at(self.line)
        for name, value in values.items():
            object.__setattr__(entry, name, value)
        return entry

    def at(self, line: int | None) -> "DeckEntry":
        """Return a copy on another line, called for every line of every list."""
        entry = object.__new__(DeckEntry)
        _put_name(entry, self.name)
        _put_count(entry, self.count)
        _put_kind(entry, self.kind)
        _put_expansion(entry, self.expansion)
        _put_number(entry, self.number)
        _put_version(entry, self.version)
        _put_genus(entry, self.genus)
        _put_language(entry, self.language)
        _put_line(entry, line)
        _put_key(entry, self.key)
        return entry


# The setters of an entry's slots, which its own copies call: faster than object.__setattr__.
(
    _put_name,
    _put_count,
    _put_kind,
    _put_expansion,
    _put_number,
    _put_version,
    _put_genus,
    _put_language,
    _put_line,
    _put_key,
) = (getattr(DeckEntry, each.name).__set__ for each in fields(DeckEntry))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A change of one line (from 1) that fixes a violation: the new count; 0: delete it."""

    line: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """A violation of a format's rules, or a problem of a decklist, with its message.

    ``found``, ``minimum`` and ``maximum`` are the numbers concerned. ``suggestions`` are similar
    names, or corrected lines, best first. ``lines`` are (first, last) of each of several parts.
    ``cure`` is the single change that fixes it, None unless there is one.
    """

    code: str
    sentence: Sentence
    zone: str | None = None
    card: str | None = None
    found: int | None = None
    minimum: int | None = None
    maximum: int | None = None
    line: int | None = None
    suggestions: tuple[str, ...] = ()
    lines: tuple[tuple[int, int], ...] = ()
    cure: Fix | None = field(default=None, compare=False)

    @property
    def severity(self) -> str:
        """Return ``error`` (the list is illegal), ``warning`` or ``info``."""
        if self.code in WARNINGS:
            return "warning"
        return "info" if self.code in INFORMATION else "error"


def limit_violations(violations: Sequence[Violation]) -> tuple[Violation, ...]:
    """Return at most ``MOST_VIOLATIONS``, most severe first, then one that counts the rest."""
    left_out = len(violations) - MOST_VIOLATIONS
    if left_out <= 0:
        return tuple(violations)
    gravest = sorted(violations, key=lambda one: GRAVITY.index(one.severity))
    told = Sentence(
        "More problems not shown: %(found)s. Fix the problems above first.", {"found": left_out}
    )
    more = Violation(code="list.more_problems", sentence=told, found=left_out)
    return (*gravest[:MOST_VIOLATIONS], more)


def single_fix(lines: Sequence[int | None], count: int) -> Fix | None:
    """Return the fix if the faulty cards are on a single line, else None.

    ``lines`` are their line numbers, ``count`` the copies to keep.
    """
    line = lines[0] if len(lines) == 1 else None
    return None if line is None else Fix(line=line, count=count)


def entry_violation(code: str, sentence: Sentence, zone: str, entry: DeckEntry) -> Violation:
    """Return a violation about one entry of a zone, with the entry's name and line."""
    return Violation(code=code, sentence=sentence, zone=zone, card=entry.name, line=entry.line)


@dataclass(slots=True)
class Tally:
    """Counts of a deck's cards: sizes by zone, kinds by zone, and copies by card key.

    ``kinds`` maps a zone to numbers of cards by kind as written. ``entries`` are those of all
    zones.
    """

    entries: Sequence[DeckEntry]
    sizes: Mapping[str, int]
    kinds: Mapping[str, Mapping[str, int]]
    copies: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckSection:
    """Consecutive lines of a decklist (first and last, from 1) and their number of cards.

    ``title``: a single line with a name alone, which may be the list's title.
    """

    first: int
    last: int
    cards: int
    title: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UncountedSection:
    """Cards of a decklist that are not counted, such as a maybeboard.

    ``line`` is that of the heading, from 1.
    """

    heading: str
    entries: tuple[DeckEntry, ...]
    line: int | None = None

    @property
    def cards(self) -> int:
        """Return how many they are."""
        return sum(entry.count for entry in self.entries)


@dataclass(frozen=True, kw_only=True)
class Deck:
    """A decklist: entries by zone, in the format's order of zones, then unknown zones.

    ``language`` is that declared for the cards. ``problems`` are lines or entries that could not be
    read. ``parts`` are the sections of a list without headings; their cards are in the main zone
    until they get some. Cards ``aside``, such as a maybeboard, are not counted.
    """

    zones: Mapping[str, tuple[DeckEntry, ...]]
    language: str = ""
    problems: tuple[Violation, ...] = ()
    parts: tuple[DeckSection, ...] = ()
    aside: tuple[UncountedSection, ...] = ()

    def zone(self, key: str) -> tuple[DeckEntry, ...]:
        """Return the entries of a zone, () if the deck has no such zone."""
        return self.zones.get(key, ())

    def size(self, key: str) -> int:
        """Return the number of cards in a zone."""
        return self.tally.sizes.get(key, 0)

    def counts(self) -> dict[str, int]:
        """Return the number of cards by zone."""
        return dict(self.tally.sizes)

    @property
    def tally(self) -> Tally:
        """Return the deck's counts; kept, without the lock that ``cached_property`` takes."""
        known: Tally | None = self.__dict__.get("tally")
        if known is None:
            known = self.__dict__["tally"] = _tally_of(self.zones)
        return known

    def __iter__(self) -> Iterator[tuple[str, DeckEntry]]:
        return ((key, entry) for key, entries in self.zones.items() for entry in entries)


def _tally_of(zones: Mapping[str, Sequence[DeckEntry]]) -> Tally:
    kinds: dict[str, Mapping[str, int]] = {}
    sizes: dict[str, int] = {}
    copies: dict[str, int] = {}
    every: list[DeckEntry] = []
    for zone, entries in zones.items():
        of_kind: dict[str, int] = {}
        for entry in entries:
            kind, key, count = entry.kind, entry.key, entry.count
            of_kind[kind] = of_kind.get(kind, 0) + count
            copies[key] = copies.get(key, 0) + count
        kinds[zone] = of_kind
        sizes[zone] = sum(of_kind.values())
        every += entries
    return Tally(every, sizes, kinds, copies)


def same_card_key(entry: DeckEntry) -> tuple[str, ...]:
    """Return the key shared by entries that can be merged: same name and same tags."""
    return (
        entry.key,
        name_key(entry.kind),
        name_key(entry.expansion),
        entry.number,
        name_key(entry.version),
        name_key(entry.genus),
        name_key(entry.language),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChange:
    """A card in a zone of both decklists whose count or tags differ."""

    before: DeckEntry
    after: DeckEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneDifference:
    """Cards removed, added and changed in one zone."""

    zone: str
    added: tuple[DeckEntry, ...] = ()
    removed: tuple[DeckEntry, ...] = ()
    changed: tuple[EntryChange, ...] = ()


def compare_decks(before: Deck, after: Deck) -> tuple[ZoneDifference, ...]:
    """Return the zones in which two decklists differ, in the order of the later list.

    Cards are matched by name and tags first, then by name alone, so that adding a kind is a change
    and not another card. A card moved to another zone is removed in one and added in the other; the
    order of lines is ignored.
    """
    zones = dict.fromkeys((*after.zones, *before.zones))
    found = (_of_zone(zone, before.zone(zone), after.zone(zone)) for zone in zones)
    return tuple(each for each in found if each.added or each.removed or each.changed)


def _of_zone(zone: str, before: Sequence[DeckEntry], after: Sequence[DeckEntry]) -> ZoneDifference:
    exact, removed, added = _pair_entries(before, after, same_card_key)
    by_name, removed, added = _pair_entries(removed, added, attrgetter("key"))
    changed = filter(_is_changed, (*exact, *by_name))
    return ZoneDifference(
        zone=zone,
        added=tuple(added),
        removed=tuple(removed),
        changed=tuple(sorted(changed, key=attrgetter("after.key"))),
    )


def _pair_entries(
    before: Sequence[DeckEntry], after: Sequence[DeckEntry], key: Callable[[DeckEntry], Hashable]
) -> tuple[list[EntryChange], list[DeckEntry], list[DeckEntry]]:
    """Return the entries of both with equal keys, each once, and the rest of either."""
    waiting: dict[Hashable, list[DeckEntry]] = {}
    for entry in reversed(before):
        waiting.setdefault(key(entry), []).append(entry)
    pairs, left = [], []
    for entry in after:
        if old := waiting.get(key(entry)):
            pairs.append(EntryChange(before=old.pop(), after=entry))
        else:
            left.append(entry)
    gone = {id(entry) for entries in waiting.values() for entry in entries}
    return pairs, [entry for entry in before if id(entry) in gone], left


def _is_changed(pair: EntryChange) -> bool:
    same = same_card_key(pair.before) == same_card_key(pair.after)
    return not same or pair.before.count != pair.after.count
