"""Deck formats: a game and a category, with the checks that a list must pass."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from rules.deckbuilding.adjustable import AdjustableNumbers, AllowedExpansions, Limit
from rules.deckbuilding.card_lists.lists import NO_LISTS, CardLists
from rules.deckbuilding.catalogue import (
    AliasedCatalogue,
    Catalogue,
    unknown_cards,
    with_facts,
    with_languages,
    with_whole_names,
)
from rules.deckbuilding.counting import Copies, copies_of
from rules.deckbuilding.deck import Deck, Tally, Violation
from rules.deckbuilding.game_standings import GameStandings
from rules.deckbuilding.kinds import Kind, KnownKinds, folded_kind
from rules.deckbuilding.leftovers import COPIES, cards_in, renamed, shared_names, unclear_names
from rules.deckbuilding.looks import Look
from rules.deckbuilding.notation import Notation
from rules.deckbuilding.one_card import with_one_name
from rules.deckbuilding.play import Exchange, Play
from rules.deckbuilding.sample import Sample
from rules.deckbuilding.zones import Zone, ZoneWords, with_usual_words
from rules.names import card_key
from rules.registry import Registry
from rules.wording import Sentence


@dataclass(kw_only=True)
class Reading:
    """The input of a check: the deck with catalogue data, its format, the catalogue if any.

    ``on_lists``: the card lists in force have a card of the deck; ``totals`` are
    the copies by card over all zones, for a fast first check.
    """

    deck: Deck
    format: "DeckFormat"
    catalogue: Catalogue | None = None
    tally: Tally = field(init=False)
    on_lists: bool = field(init=False)
    totals: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.tally = self.deck.tally
        copies, lists = self.tally.copies, self.format.lists
        self.on_lists = not copies.keys().isdisjoint(lists.concerned)
        self.totals = _by_card(copies, lists.originals) if self.on_lists else copies

    @cached_property
    def copies(self) -> Mapping[str, Copies]:
        """Return the copies by card over all zones, with lines, for messages."""
        return copies_of(self.deck, self.format.lists, self.catalogue)

    @property
    def has_own_limits(self) -> bool:
        """Return whether the catalogue limits a card of the deck."""
        if self.catalogue is None:
            return False
        facts = map(self.catalogue.get, self.tally.copies)
        return any(card is not None and card.max_copies is not None for card in facts)

    def kind_of(self, text: str) -> Kind | None:
        """Return the kind with a name; None for unknown names and empty text."""
        return self.format.kind_named(text)

    def number_of(self, kind: Kind, zone: str) -> int:
        """Return the number of cards of a kind in a zone."""
        number, named = 0, self.format.kind_named
        for text, count in self.tally.kinds.get(zone, {}).items():
            if named(text) is kind:
                number += count
        return number

    def kindless(self, zone: str) -> int:
        """Return the number of cards in a zone without a kind."""
        return self.tally.kinds.get(zone, {}).get("", 0)


def _by_card(copies: Mapping[str, int], originals: Mapping[str, str]) -> Mapping[str, int]:
    """Return the copies by name as copies by card, with those of aliases added."""
    found: dict[str, int] = {}
    for key, total in copies.items():
        original = originals.get(key, key)
        found[original] = found.get(original, 0) + total
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One rule of deck construction: its words, its codes, and how to find violations.

    ``find`` looks at the deck's counts first and returns () where these suffice: making a
    generator takes as long as looking.
    ``limits`` are its numbers for programs, by name; None means no limit. ``tells`` yields
    sentences that depend on the card lists. ``remake`` returns the check with other numbers:
    ``changeable`` names those that a house format may change, ``allowed`` the expansions.
    """

    codes: tuple[str, ...]
    find: Callable[[Reading], Iterable[Violation]]
    about: tuple[Sentence, ...] = ()
    limits: Mapping[str, int | None] = field(default_factory=dict)
    tells: Callable[[CardLists], Iterable[Sentence]] | None = None
    remake: "Callable[[AdjustableNumbers], Check] | None" = None
    changeable: tuple[Limit, ...] = ()
    allowed: AllowedExpansions | None = None

    def words(self, lists: CardLists) -> Iterator[Sentence]:
        """Yield the rule in words, with these card lists."""
        yield from self.about
        if self.tells is not None:
            yield from self.tells(lists)


@dataclass(frozen=True, kw_only=True)
class DeckFormat:
    """A game and a category, under a slug that URLs, programs and exports rely on.

    ``category`` is the rule book's own term, not translated; ``label`` displays it. ``main``
    takes cards outside a section; ``side`` those marked ``SB:``. ``exchange`` is None if the deck
    never changes between games. ``lists`` are the card lists in force, ``shipped`` those shipped
    with the program, oldest first. ``decisions`` are points where the rule book is silent or
    contradictory. ``deck_check`` lists what a judge verifies with the cards in hand,
    ``not_checked`` what these rules leave out, in the words of whoever wrote them; where nothing is
    ``checked``, every list is taken as it is. ``standings`` are points and criteria of the game,
    None where its rule book leaves them to the event, ``look`` its colours and emblem if it
    names them itself. ``sample`` writes lists for demonstrations and the help page,
    ``notation`` says how they are written elsewhere.
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
    not_checked: tuple[str, ...] = ()
    checked: bool = True
    standings: GameStandings | None = None
    look: Look | None = None
    sample: Sample | None = None
    notation: Notation = field(default_factory=Notation)

    @cached_property
    def zone_keys(self) -> tuple[str, ...]:
        """Return the keys of the zones in order."""
        return tuple(zone.key for zone in self.zones)

    @cached_property
    def zone_words(self) -> ZoneWords:
        """Return, for each zone, its key and the words that open it.

        To its own come those that programs write over such a zone, over the main and the side one.
        """
        kinds = (word for kind in self.kinds for word in kind.words)
        return with_usual_words(self.zones, self.main, self.side, kinds)

    @cached_property
    def heading_kinds(self) -> frozenset[str]:
        """Return the folded words that may stand over cards of any zone.

        They are the names of each kind of card, in Italian and English, and those of the notation.
        """
        kinds = (word for kind in self.kinds for word in kind.words)
        return frozenset(map(folded_kind, (*kinds, *self.notation.headings)))

    @cached_property
    def kind_named(self) -> Callable[[str], Kind | None]:
        """Return a cached function from names to kinds (None for unknown names and empty text)."""
        return KnownKinds(self.kinds).__getitem__

    def codes(self) -> frozenset[str]:
        """Return all codes of violations that the format's own checks can report."""
        return frozenset(code for check in self.checks for code in check.codes)

    def limits(self) -> dict[str, int | None]:
        """Return the numbers of the checks by name; None means no limit."""
        return {name: size for check in self.checks for name, size in check.limits.items()}

    def describe(self) -> tuple[Sentence, ...]:
        """Return the rules of deck construction in words."""
        if not self.checked:
            return self.notes
        sentences = (sentence for check in self.checks for sentence in check.words(self.lists))
        return (*sentences, *self.notes)

    def validate(self, deck: Deck, catalogue: Catalogue | None = None) -> tuple[Violation, ...]:
        """Return all violations of a deck, in display order.

        With a catalogue, kinds, expansions and limits are taken from it, and names of one card in
        several languages are one card.
        """
        if not self.checked:
            return ()
        reading = self.read(deck, catalogue)
        found = list(deck.problems)
        for check in self.checks:
            found += check.find(reading)
        found += self._unclear_names(reading)
        if reading.catalogue is not None:
            found.extend(unknown_cards(reading.deck, reading.catalogue))
        return tuple(sorted(_without_repetitions(found), key=self._display_order)) if found else ()

    def _unclear_names(self, reading: Reading) -> Iterator[Violation]:
        """Yield names that may be another card's where together they would be too many."""
        deck, counts = reading.deck, [one for one in self.checks if COPIES & {*one.codes}]
        cores = shared_names(deck.tally.entries, reading.catalogue)
        if not cores:
            return
        together = self.read(renamed(deck, cores), reading.catalogue)
        before, after = (
            cards_in(chain.from_iterable(check.find(one) for check in counts))
            for one in (reading, together)
        )
        yield from unclear_names(deck, cores, after - before)

    def read(self, deck: Deck, catalogue: Catalogue | None) -> Reading:
        """Return the deck as input for checks."""
        if catalogue is not None:
            deck = with_whole_names(deck, catalogue)
        shape, known = self.knowing([deck], catalogue)
        found = deck if known is None else with_facts(deck, known)
        return Reading(deck=found, format=shape, catalogue=known)

    def knowing(
        self, decks: Sequence[Deck], catalogue: Catalogue | None
    ) -> "tuple[DeckFormat, Catalogue | None]":
        """Return the format and the catalogue in which each card of the decks has one name."""
        lists = with_one_name(self.lists, self.notation, decks, catalogue)
        known = None
        if catalogue is not None:
            known = AliasedCatalogue(catalogue, lists.originals)
            lists = with_languages(lists, known, decks)
        return self if lists is self.lists else replace(self, lists=lists), known

    def _display_order(self, violation: Violation) -> tuple[int, str, int, str, str]:
        zones = self.zone_keys
        zone = violation.zone
        foreign = zone if zone is not None and zone not in zones else ""
        places = {key: at for at, key in enumerate((*zones, foreign, None))}
        return (
            places[zone],
            foreign,
            violation.line or 0,
            violation.code,
            card_key(violation.card or ""),
        )


def _without_repetitions(violations: Iterable[Violation]) -> Iterator[Violation]:
    """Yield one violation per card, code and zone; one ``kind.unchecked``; every unreadable line.

    Violations without a card are distinguished by sentence (too few of two kinds).
    """
    seen: set[tuple[object, ...]] = set()
    for violation in violations:
        what: tuple[object, ...] = (violation.code,)
        if violation.code != "kind.unchecked":
            about = card_key(violation.card) if violation.card else str(violation.sentence)
            what = (violation.code, violation.zone, about)
        if violation.code == "line.unreadable":
            yield violation
        elif what not in seen:
            seen.add(what)
            yield violation


FORMATS = Registry("format", DeckFormat)
