"""The cards of one catalogue in memory: found by name in either language, or by what is near."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from sys import intern

from rapidfuzz import fuzz, process

from decks.name_finder import NameFinder
from rules.deckbuilding.catalogue import CardFacts

NEAR = 65  # per cent of two names that must be alike for one to be suggested for the other

CardRow = tuple[str, str, str, str, str, str, str, int | None]
"""key, key_en, name, name_en, kind, genus, expansion, max_copies; printings side by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundName:
    """A card's name as it is offered, with its name in the other language and its kind."""

    name: str
    other: str
    kind: str


class CardIndex:
    """What the rules ask of a catalogue, and names while somebody types.

    Holds names, kinds, genera, expansions and limits; everything else stays in the database.
    ``loaded_at`` is when they changed last, None where they were never stored.
    """

    def __init__(
        self, pk: int, game: str, rows: Iterable[CardRow], loaded_at: datetime | None = None
    ) -> None:
        self.pk = pk
        self.game = game
        self.loaded_at = loaded_at
        self.ids: dict[str, str] | None = None  # names by id, once somebody asked for one
        self._cards: dict[str, CardFacts] = {}
        self._english: dict[str, str] = {}  # by key: the name as it is written
        aliases: list[tuple[str, str]] = []
        for facts, name_en in _merged(rows):
            first, *others = facts.keys
            self._cards[first] = facts
            if name_en:
                self._english[facts.keys[-1]] = name_en
            aliases += [(other, first) for other in others]
        for other, first in aliases:
            self._cards.setdefault(other, self._cards[first])

    def __len__(self) -> int:
        return len(self._cards)

    def get(self, key: str, /) -> CardFacts | None:
        """Return what is known of a card, by ``name_key`` of its name in either language."""
        return self._cards.get(key)

    def nearest(self, key: str, limit: int, /) -> Sequence[str]:
        """Return the names most like an unknown one, best first; else those with its words."""
        found = process.extract(
            key, self._finder.keys, scorer=fuzz.ratio, score_cutoff=NEAR, limit=2 * limit
        )
        keys = [near for near, _score, _at in found] or self._finder.find(key, 2 * limit)
        return [each.name for each in self._offered(keys)][:limit]

    def complete(self, typed: str, limit: int) -> list[FoundName]:
        """Return the cards whose name, in either language, what is typed may become."""
        return list(self._offered(self._finder.find(typed, 2 * limit)))[:limit]

    @cached_property
    def _finder(self) -> NameFinder:
        return NameFinder(self._cards)

    def _offered(self, keys: Iterable[str]) -> Iterator[FoundName]:
        """Yield each card once, under the name that was found."""
        offered: set[str] = set()
        for key in keys:
            facts = self._cards[key]
            if facts.keys[0] in offered:
                continue
            offered.add(facts.keys[0])
            english = self._english.get(facts.keys[-1], "")
            in_english = key != facts.keys[0]
            yield FoundName(
                name=english if in_english else facts.name,
                other=facts.name if in_english else english if english != facts.name else "",
                kind=facts.kind,
            )


def _merged(rows: Iterable[CardRow]) -> Iterator[tuple[CardFacts, str]]:
    """Yield each card once, out of all its printings, with its English name.

    Printed in several expansions it has none of its own; of several limits the lowest holds.
    """
    printings: list[CardRow] = []
    for row in rows:
        if printings and printings[0][0] != row[0]:
            yield _one(printings)
            printings = []
        printings.append(row)
    if printings:
        yield _one(printings)


def _one(printings: list[CardRow]) -> tuple[CardFacts, str]:
    keys, keys_en, names, names_en, kinds, genera, expansions, limits = zip(*printings, strict=True)
    sets = set(expansions)
    facts = CardFacts(
        name=names[0],
        keys=tuple(dict.fromkeys(key for key in (keys[0], *keys_en) if key)),
        kind=intern(next(filter(None, kinds), "")),
        genus=intern(next(filter(None, genera), "")),
        expansion=intern(expansions[0]) if len(sets) == 1 else "",
        max_copies=min((limit for limit in limits if limit is not None), default=None),
    )
    return facts, next(filter(None, names_en), "")
