"""Deck formats: a game and a category, with the checks that a list must pass.

With them, what a game says of its pages, its sample lists, its matches and the standings of its
events, and what a house format may adjust.

Source: contracts, Formats of one's own.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain
from typing import Protocol

from rules.deckbuilding.card_lists import NO_LISTS, CardLists
from rules.deckbuilding.catalogue import (
    AliasedCatalogue,
    CardCatalogue,
    Notation,
    add_card_facts,
    restore_bracketed_names,
    unify_languages,
    unify_names,
    unknown_card_violations,
)
from rules.deckbuilding.deck import Deck, Tally, Violation
from rules.deckbuilding.leftovers import (
    COPIES,
    overcounted_keys,
    rename_cards,
    shorter_names,
    unclear_name_violations,
)
from rules.deckbuilding.zones import (
    CardKind,
    KindCache,
    Zone,
    ZoneWords,
    add_common_headings,
    fold_kind,
)
from rules.names import card_key, name_key
from rules.registry import Registry
from rules.standings.table import DEFAULT_CRITERIA
from rules.wording import Sentence

PALETTES = ("green", "red", "violet", "amber", "blue", "teal", "indigo")
EMBLEMS = ("cards", "crown", "die", "pawn", "gear", "paw", "star", "stars", "bolt")


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatEmblem:
    """The keys of a format's palette and emblem, which ``config.looks`` draws."""

    palette: str = PALETTES[0]
    emblem: str = EMBLEMS[0]


class NameSource(Protocol):
    """Protocol: a function that returns invented card names, each only once.

    It takes the number of names, a kind of card, and expansions or a genus to choose from.
    """

    def __call__(
        self, count: int, kind: str, *, expansions: tuple[str, ...] = (), genus: str = ""
    ) -> list[str]:
        """Return ``count`` names of cards of a kind, without repetitions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleRecipe:
    """How to make sample decklists: invented cards per kind, and the writer of lists.

    ``write`` takes the source of card names and a number; different numbers give different lists.
    """

    cards: Mapping[str, int]
    write: Callable[[NameSource, int], str]


DRAW_FIRST = Sentence("First player: random.")
TIME_UP = Sentence("Time is up: finish the turn in progress, then report the result.")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchDefaults:
    """The default settings of matches in a game.

    ``score`` is ``games`` (won), ``points``, or ``promotion`` (Doomtrooper's, up to ``target``); a
    match is best of ``best_of`` games, the final of ``final_best_of``. ``winner_only``: results are
    reported without a score. ``first`` explains who begins, ``time_up`` how a game ends when time
    is called. ``calls`` are the occasions on which the rule book requires a judge, offered as
    reasons of a call. ``draws``: a match may be drawn where its stage allows it. ``minutes`` are
    those of a round, None if the game has no rule.
    """

    first: Sentence = DRAW_FIRST
    best_of: int = 1
    final_best_of: int = 1
    score: str = "games"
    winner_only: bool = False
    target: int | None = None
    time_up: Sentence = TIME_UP
    calls: tuple[Sentence, ...] = ()
    draws: bool = True
    minutes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """The rules of sideboarding: exchanging cards with the side zone between games.

    ``returns``: after the match the deck returns to the registered list, so games are counted
    within the match; else within the event. A zone that ``stays_empty`` cannot be filled if it is
    empty in the registered list.
    """

    returns: bool = True
    stays_empty: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStandings:
    """Points of a won, a drawn and a lost match, and the game's tiebreakers in order.

    ``floor`` is the least value of a percentage tiebreaker, ``draw_share`` the part of a win that a
    drawn match counts there. ``bye_games`` are the games that a bye or forfeit counts as won; with
    ``byes_left_out`` a bye is no match in a player's own win percentage. ``dropped_cap`` limits the
    percentage of players who dropped.
    """

    points: tuple[Fraction, Fraction, Fraction] = (Fraction(3), Fraction(1), Fraction(0))
    criteria: tuple[str, ...] = DEFAULT_CRITERIA
    floor: Fraction = Fraction(1, 3)
    draw_share: Fraction = Fraction(1, 3)
    bye_games: int = 0
    byes_left_out: bool = False
    dropped_cap: Fraction | None = None

    def shares(self, win: int, draw: int) -> dict[str, str]:
        """Return what a plan holds of floor, draw share and byes: what is not the usual.

        Usually a draw counts as many points as it gives, of those of a win.
        """
        found = {} if self.floor == Fraction(1, 3) else {"floor": str(self.floor)}
        if not win or Fraction(draw, win) != self.draw_share:
            found["draw"] = str(self.draw_share)
        if self.byes_left_out:
            found["byes"] = "0"
        if self.dropped_cap is not None:
            found["dropped"] = str(self.dropped_cap)
        if self.bye_games:
            found["bye_games"] = found["forfeit_games"] = str(self.bye_games)
        return found


MOST = 999
"""Maximum of any size or limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeableLimit:
    """A number of a check that a house format may change; ``key`` names it in the API.

    ``zone`` is where cards are counted, None for all zones together; ``kind`` is the key of the
    kind counted. ``may_be_none``: the limit can be removed.
    """

    key: str
    label: Sentence
    zone: str | None = None
    kind: str | None = None
    may_be_none: bool = False


@dataclass(frozen=True, kw_only=True)
class AllowedExpansions:
    """The expansions that a format allows, by code, among those it knows.

    ``codes`` are allowed; ``known`` maps all known codes to full names. ``any_other``: unknown
    expansions are allowed too.
    """

    known: Mapping[str, tuple[str, ...]]
    codes: tuple[str, ...]
    any_other: bool = False

    def code_of(self, text: str) -> str | None:
        """Return the code of an expansion given by code or full name, None if unknown."""
        return self._codes.get(_folded_expansion(text))

    @cached_property
    def _codes(self) -> Mapping[str, str]:
        return {
            _folded_expansion(word): code
            for code, names in self.known.items()
            for word in (code, *names)
        }


@lru_cache(maxsize=1024)
def _folded_expansion(text: str) -> str:
    return " ".join(name_key(text).replace("-", " ").replace(".", "").split())


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckParameters:
    """What a deck check is rebuilt from.

    ``limits``: {name of a limit in the API: number, None for none}; ``allowed``: None if every
    expansion is allowed.
    """

    zones: tuple[Zone, ...]
    kinds: tuple[CardKind, ...]
    limits: Mapping[str, int | None]
    allowed: AllowedExpansions | None = None


@dataclass(slots=True)
class CardCopies:
    """The copies of one card in a list: ``total``, and ``lines`` as (line, copies on it).

    ``own_limit`` is the limit in the catalogue, None without one.
    """

    name: str
    total: int = 0
    own_limit: int | None = None
    lines: list[tuple[int, int]] = field(default_factory=list)

    def line_over(self, maximum: int) -> int | None:
        """Return the line at which the copies exceed the maximum; None without line numbers."""
        total = 0
        for line, count in self.lines:
            total += count
            if total > maximum:
                return line
        return None


def copies_by_card(
    deck: Deck, lists: CardLists, catalogue: CardCatalogue | None
) -> dict[str, CardCopies]:
    """Return the copies of each card over all zones, unknown ones included.

    The keys are card keys, those of aliases being that of their card.
    """
    found: dict[str, CardCopies] = {}
    for _zone, entry in deck:
        key = lists.key(entry.name)
        card = found.get(key)
        if card is None:
            card = found[key] = CardCopies(entry.name)
        card.total += entry.count
        facts = catalogue.get(entry.key) if catalogue is not None else None
        if facts is not None and facts.max_copies is not None:
            card.own_limit = facts.max_copies
        if entry.line is not None:
            card.lines.append((entry.line, entry.count))
    return found


@dataclass(kw_only=True)
class CheckInput:
    """The input of a check: the deck with catalogue data, its format, the catalogue if any.

    ``tally`` counts the deck's cards; ``on_lists``: some of them are on the card lists in force;
    ``totals`` are the copies by card key over all zones, for a fast first check.
    """

    deck: Deck
    format: "DeckFormat"
    catalogue: CardCatalogue | None = None
    tally: Tally = field(init=False)
    on_lists: bool = field(init=False)
    totals: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.tally = self.deck.tally
        copies, lists = self.tally.copies, self.format.lists
        self.on_lists = not copies.keys().isdisjoint(lists.concerned)
        self.totals = _by_card(copies, lists.originals) if self.on_lists else copies

    @cached_property
    def copies(self) -> Mapping[str, CardCopies]:
        """Return the copies by card over all zones, with lines, for messages."""
        return copies_by_card(self.deck, self.format.lists, self.catalogue)

    @property
    def has_own_limits(self) -> bool:
        """Return whether the catalogue limits a card of the deck."""
        if self.catalogue is None:
            return False
        facts = map(self.catalogue.get, self.tally.copies)
        return any(card is not None and card.max_copies is not None for card in facts)

    def kind_of(self, text: str) -> CardKind | None:
        """Return the kind with a name; None for unknown names and empty text."""
        return self.format.kind_named(text)

    def number_of(self, kind: CardKind, zone: str) -> int:
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
    """One rule of deck construction: its messages, its codes, and how to find violations.

    ``codes`` are those of its violations, which ``find`` returns; it looks at the deck's counts
    first and returns () if these suffice, as creating a generator takes as long as looking.
    ``about`` are the rule's messages, ``list_messages`` returns those about the card lists.
    ``limits`` are its numbers for the API, by name; None means no limit. ``remake`` returns the
    check with other numbers: ``changeable`` names those that a house format may change. ``allowed``
    are the expansions that the rule permits, None if it is about something else.
    """

    codes: tuple[str, ...]
    find: Callable[[CheckInput], Iterable[Violation]]
    about: tuple[Sentence, ...] = ()
    limits: Mapping[str, int | None] = field(default_factory=dict)
    list_messages: Callable[[CardLists], Iterable[Sentence]] | None = None
    remake: "Callable[[CheckParameters], Check] | None" = None
    changeable: tuple[ChangeableLimit, ...] = ()
    allowed: AllowedExpansions | None = None

    def words(self, lists: CardLists) -> Iterator[Sentence]:
        """Yield the rule in words, with these card lists."""
        yield from self.about
        if self.list_messages is not None:
            yield from self.list_messages(lists)


SIZES = frozenset({"zone.too_few", "zone.too_many", "zone.wrong_size"})
"""What a check of the number of cards in a zone reports."""


@dataclass(frozen=True, kw_only=True)
class DeckFormat:
    """The deck rules of a game's format, under a slug that URLs and exports rely on.

    ``category`` is the rule book's own term, not translated; ``label`` displays it. Cards outside a
    section go to the zone ``main``, those marked ``SB:`` to ``side``. ``exchange`` is None if the
    deck never changes between games. ``lists`` are the card lists in force, ``shipped`` those
    shipped with the program, oldest first. ``decisions`` are points where the rule book is silent
    or contradictory. ``deck_check`` lists what a judge verifies with the cards in hand,
    ``not_checked`` what these rules leave out, in their author's words; unless ``checked``, every
    list is accepted. ``standings`` are points and tiebreakers of the game, None if its rule book
    leaves them to the event, ``look`` its colours and emblem, if set. ``sample`` writes lists for
    demonstrations and the help page, ``notation`` says how lists are written elsewhere.
    """

    key: str
    game: str
    game_label: Sentence
    category: str
    label: Sentence
    zones: tuple[Zone, ...]
    main: str
    side: str | None
    kinds: tuple[CardKind, ...]
    checks: tuple[Check, ...]
    match: MatchDefaults
    exchange: Exchange | None = None
    lists: CardLists = NO_LISTS
    shipped: tuple[CardLists, ...] = ()
    notes: tuple[Sentence, ...] = ()
    decisions: tuple[Sentence, ...] = ()
    deck_check: tuple[Sentence, ...] = ()
    not_checked: tuple[str, ...] = ()
    checked: bool = True
    standings: GameStandings | None = None
    look: FormatEmblem | None = None
    sample: SampleRecipe | None = None
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
        return add_common_headings(self.zones, self.main, self.side, kinds)

    @cached_property
    def heading_kinds(self) -> frozenset[str]:
        """Return the folded words that may stand over cards of any zone.

        They are the names of each kind of card, in Italian and English, and those of the notation.
        """
        kinds = (word for kind in self.kinds for word in kind.words)
        return frozenset(map(fold_kind, (*kinds, *self.notation.headings)))

    @cached_property
    def kind_named(self) -> Callable[[str], CardKind | None]:
        """Return a cached function from names to kinds (None for unknown names and empty text)."""
        return KindCache(self.kinds).__getitem__

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

    def describe_sizes(self) -> tuple[Sentence, ...]:
        """Return how many cards each part of a deck has, in words; () if lists are not checked."""
        sizes = (check for check in self.checks if SIZES & {*check.codes}) if self.checked else ()
        return tuple(sentence for check in sizes for sentence in check.words(self.lists))

    def validate(self, deck: Deck, catalogue: CardCatalogue | None = None) -> tuple[Violation, ...]:
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
            found.extend(unknown_card_violations(reading.deck, reading.catalogue))
        return tuple(sorted(_without_repetitions(found), key=self._display_order)) if found else ()

    def _unclear_names(self, reading: CheckInput) -> Iterator[Violation]:
        """Yield names that may be another card's where together they would be too many."""
        deck, counts = reading.deck, [one for one in self.checks if COPIES & {*one.codes}]
        cores = shorter_names(deck.tally.entries, reading.catalogue)
        if not cores:
            return
        together = self.read(rename_cards(deck, cores), reading.catalogue)
        before, after = (
            overcounted_keys(chain.from_iterable(check.find(one) for check in counts))
            for one in (reading, together)
        )
        yield from unclear_name_violations(deck, cores, after - before)

    def read(self, deck: Deck, catalogue: CardCatalogue | None) -> CheckInput:
        """Return the deck as input for checks."""
        if catalogue is not None:
            deck = restore_bracketed_names(deck, catalogue)
        shape, known = self.knowing([deck], catalogue)
        found = deck if known is None else add_card_facts(deck, known)
        return CheckInput(deck=found, format=shape, catalogue=known)

    def knowing(
        self, decks: Sequence[Deck], catalogue: CardCatalogue | None
    ) -> "tuple[DeckFormat, CardCatalogue | None]":
        """Return the format and the catalogue in which each card of the decks has one name."""
        lists = unify_names(self.lists, self.notation, decks, catalogue)
        known = None
        if catalogue is not None:
            known = AliasedCatalogue(catalogue, lists.originals)
            lists = unify_languages(lists, known, decks)
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
