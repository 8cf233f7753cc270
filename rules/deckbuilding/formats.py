"""Deck formats: a game and a category, with the checks that a list must pass."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from rules.deckbuilding.card_lists.lists import NO_LISTS, CardLists
from rules.deckbuilding.catalogue import (
    Aliased,
    Catalogue,
    unknown_cards,
    with_facts,
    with_languages,
)
from rules.deckbuilding.counting import Copies, copies_of
from rules.deckbuilding.deck import Deck, Violation
from rules.deckbuilding.house.adjustable import Allowed, Limit, Numbers
from rules.deckbuilding.kinds import Kind, find_kind
from rules.deckbuilding.sample import Sample
from rules.deckbuilding.zones import Zone
from rules.names import name_key
from rules.registry import Registry
from rules.text_cache import cached_by_text
from rules.wording import Sentence
from rules.wording import gettext_noop as _


@dataclass(kw_only=True)
class Reading:
    """What a check sees: the deck with the catalogue's facts, its format, the catalogue if any."""

    deck: Deck
    format: "DeckFormat"
    catalogue: Catalogue | None = None

    @cached_property
    def copies(self) -> Mapping[str, Copies]:
        """Return the copies by card, over all zones, with their lines: to tell what is wrong."""
        return copies_of(self.deck, self.format.lists, self.catalogue)

    @property
    def totals(self) -> Mapping[str, int]:
        """Return the number of copies by card, over all zones: to see whether anything is."""
        copies, originals = self.deck.tally.copies, self.format.lists.originals
        if not originals or originals.keys().isdisjoint(copies):
            return copies
        found: dict[str, int] = {}
        for key, total in copies.items():
            original = originals.get(key, key)
            found[original] = found.get(original, 0) + total
        return found

    @cached_property
    def has_own_limits(self) -> bool:
        """Return whether the catalogue limits a card of the deck by its own text."""
        if self.catalogue is None:
            return False
        facts = map(self.catalogue.get, self.deck.tally.copies)
        return any(card is not None and card.max_copies is not None for card in facts)

    def kind_of(self, text: str) -> Kind | None:
        """Return the game's kind of that name; None for free text and for no text."""
        return self.format.kind_named(text)

    def number_of(self, kind: Kind, zone: str) -> int:
        """Return how many cards of a kind a zone holds."""
        named, written = self.format.kind_named, self.deck.tally.kinds.get(zone, {})
        return sum([count for text, count in written.items() if named(text) is kind])

    def kindless(self, zone: str) -> int:
        """Return how many cards of a zone have no kind."""
        return self.deck.tally.kinds.get(zone, {}).get("", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One rule of deck construction: its words, the codes it can give, and how to find faults.

    ``limits`` are its numbers for programs, by name; None is no limit. ``tells`` says what the
    card lists make of it. ``remake`` returns the rule with other numbers: ``changeable`` names
    those that a house format may change, ``allowed`` the expansions.
    """

    codes: tuple[str, ...]
    find: Callable[[Reading], Iterable[Violation]]
    about: tuple[Sentence, ...] = ()
    limits: Mapping[str, int | None] = field(default_factory=dict)
    tells: Callable[[CardLists], Iterable[Sentence]] | None = None
    remake: "Callable[[Numbers], Check] | None" = None
    changeable: tuple[Limit, ...] = ()
    allowed: Allowed | None = None

    def words(self, lists: CardLists) -> Iterator[Sentence]:
        """Yield what the rule says with these lists."""
        yield from self.about
        if self.tells is not None:
            yield from self.tells(lists)


TIME_UP = Sentence(_("Time is up: finish the turn in progress, then report the result."))


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """How a game is played in an event, unless the organiser says otherwise.

    ``score`` is ``games`` (won) or ``promotion`` (points, to ``target``); a match is the
    ``best_of`` so many games, the final of ``final_best_of``. ``first`` says who begins,
    ``time_up`` how a game ends when time is up. ``calls`` are what the rule book wants a judge
    for, as the reason of a call.
    """

    first: Sentence
    best_of: int
    final_best_of: int
    score: str
    target: int | None = None
    time_up: Sentence = TIME_UP
    calls: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """How cards change places with the format's side between games, as many in as out.

    ``returns``: when the match is over everything returns to the registered list, so games
    are counted within the match; else within the event. A zone that ``stays_empty`` can't be
    filled when the registered list has none of it.
    """

    returns: bool
    stays_empty: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class DeckFormat:
    """A game and a category, under a slug that URLs, programs and exports rely on.

    ``category`` is the rule book's own word, the same in every language; ``label`` shows it.
    ``main`` takes the cards of a list without sections; ``side`` those marked ``SB:``.
    ``exchange`` is None in a game whose deck never changes between games.
    ``lists`` are the card lists that hold, ``shipped`` those that came with the program, oldest
    first.
    ``decisions`` are the points where the rule book is silent or contradicts itself.
    ``deck_check`` is what a judge looks at with the cards in hand.
    ``sample`` gives lists for demonstrations and the help page.
    """

    key: str
    game: str
    game_label: Sentence
    category: str
    label: Sentence
    zones: tuple[Zone, ...]
    main: str
    side: str | None
    kinds: tuple[Kind, ...]
    checks: tuple[Check, ...]
    match: Play
    exchange: Exchange | None = None
    lists: CardLists = NO_LISTS
    shipped: tuple[CardLists, ...] = ()
    notes: tuple[Sentence, ...] = ()
    decisions: tuple[Sentence, ...] = ()
    deck_check: tuple[Sentence, ...] = ()
    sample: Sample | None = None

    @cached_property
    def zone_keys(self) -> tuple[str, ...]:
        """Return the keys of the zones, in their order."""
        return tuple(zone.key for zone in self.zones)

    @cached_property
    def kind_words(self) -> tuple[tuple[str, ...], ...]:
        """Return the words of each kind."""
        return tuple(kind.words for kind in self.kinds)

    @cached_property
    def kind_named(self) -> Callable[[str], Kind | None]:
        """Return what finds the game's kind of a name; None for free text and for no text."""
        return cached_by_text(partial(find_kind, self.kinds), maxsize=1000)

    def codes(self) -> frozenset[str]:
        """Return every code that the format's own checks can give."""
        return frozenset(code for check in self.checks for code in check.codes)

    def limits(self) -> dict[str, int | None]:
        """Return the numbers of the rules by name; None is no limit."""
        return {name: size for check in self.checks for name, size in check.limits.items()}

    def describe(self) -> tuple[Sentence, ...]:
        """Return the rules of deck construction in words."""
        said = (sentence for check in self.checks for sentence in check.words(self.lists))
        return (*said, *self.notes)

    def validate(self, deck: Deck, catalogue: Catalogue | None = None) -> tuple[Violation, ...]:
        """Return all that is wrong with a deck, in the order in which it is shown.

        With a catalogue kinds, expansions and limits come from it, and a card named in two
        languages is one card.
        """
        reading = self.read(deck, catalogue)
        found = list(deck.problems)
        for check in self.checks:
            found.extend(check.find(reading))
        if reading.catalogue is not None:
            found.extend(unknown_cards(deck, reading.catalogue))
        return tuple(sorted(_once(found), key=self._place)) if found else ()

    def read(self, deck: Deck, catalogue: Catalogue | None) -> Reading:
        """Return the deck as the checks see it."""
        if catalogue is None:
            return Reading(deck=deck, format=self)
        known = Aliased(catalogue, self.lists.originals)
        lists = with_languages(self.lists, known, [deck])
        return Reading(
            deck=with_facts(deck, known),
            format=self if lists is self.lists else replace(self, lists=lists),
            catalogue=known,
        )

    def _place(self, violation: Violation) -> tuple[int, str, int, str, str]:
        zones = self.zone_keys
        zone = violation.zone
        foreign = zone if zone is not None and zone not in zones else ""
        places = {key: at for at, key in enumerate((*zones, foreign, None))}
        return (
            places[zone],
            foreign,
            violation.line or 0,
            violation.code,
            name_key(violation.card or ""),
        )


def _once(violations: Iterable[Violation]) -> Iterator[Violation]:
    """Yield one violation a card, code and zone; one ``kind.unchecked``; every unreadable line.

    Where no card is named, two different sentences are two faults (too few of two kinds).
    """
    seen: set[tuple[object, ...]] = set()
    for violation in violations:
        what: tuple[object, ...] = (violation.code,)
        if violation.code != "kind.unchecked":
            about = name_key(violation.card) if violation.card else str(violation.sentence)
            what = (violation.code, violation.zone, about)
        if violation.code == "line.unreadable":
            yield violation
        elif what not in seen:
            seen.add(what)
            yield violation


FORMATS: Registry[DeckFormat] = Registry("format")
