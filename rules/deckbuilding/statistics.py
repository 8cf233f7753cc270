"""Statistics of the lists of an event: cards played, kinds of decks, and their players' results.

Numbers are exact: shares are fractions. Empty lists are ignored; results do not depend on the
order of lists.

A deck is called by its Leader where a game has Leaders, else by the genus of most of its cards (of
its world, its faction) where cards have a genus. Other games have no such word.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from rules.deckbuilding.checks.genus import genus_key
from rules.deckbuilding.deck import Deck, DeckEntry
from rules.deckbuilding.zones import CardKind, find_kind, fold_kind
from rules.names import card_key, name_key
from rules.results import SEAT_WINNERS, MatchEnding, PlayerId, Result, Winner

_FOUGHT = (MatchEnding.PLAYED, MatchEnding.TIME, MatchEnding.NO_WARRIORS)
_DECIDED = (*SEAT_WINNERS, Winner.DRAW)


@dataclass(frozen=True, slots=True, kw_only=True)
class UseCount:
    """How often decklists contain a card, expansion or kind.

    ``lists`` is the number of lists that contain it, ``copies`` that of its copies in all. ``name``
    is its most common spelling, empty if none is written.
    """

    key: str
    name: str
    lists: int
    copies: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Matches won, drawn and lost."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        """Return the number of matches."""
        return self.won + self.drawn + self.lost

    @property
    def share_won(self) -> Fraction | None:
        """Return the share of matches won, None without matches."""
        return Fraction(self.won, self.played) if self.played else None


def card_uses(decks: Iterable[Deck], *, apart: Collection[str] = ()) -> tuple[UseCount, ...]:
    """Return the uses of each card, sorted by number of lists, then copies, then key.

    Cards of the zones ``apart`` (keys) are left out.
    """
    return _use_counts(decks, lambda entry: entry.key, lambda entry: entry.name, apart)


def expansion_uses(decks: Iterable[Deck]) -> tuple[UseCount, ...]:
    """Return the uses of each expansion, most copies first; key "" counts cards without one."""
    by_copies = _use_counts(decks, lambda entry: name_key(entry.expansion), lambda e: e.expansion)
    return tuple(sorted(by_copies, key=_by_copies))


def kind_uses(decks: Iterable[Deck], kinds: Collection[CardKind]) -> tuple[UseCount, ...]:
    """Return the uses of each kind of card, most copies first.

    The key is the kind's, the folded text of an unknown one, "" for cards without one.
    """

    def key(entry: DeckEntry) -> str:
        known = find_kind(kinds, entry.kind) if entry.kind else None
        return known.key if known else fold_kind(entry.kind)

    return tuple(sorted(_use_counts(decks, key, lambda entry: entry.kind), key=_by_copies))


def card_keys(deck: Deck, zone: str | None = None) -> frozenset[str]:
    """Return the keys of a deck's cards, or of those in one zone."""
    return frozenset(entry.key for at, entry in deck if zone in (None, at))


def was_played(result: Result) -> bool:
    """Return whether a two-player match was played: no bye, no forfeit, not void.

    A concession counts if there is a score.
    """
    if len(result.seats) != 2 or result.winner not in _DECIDED:
        return False
    given_up = result.ended_by is MatchEnding.CONCESSION
    return result.ended_by in _FOUGHT or (given_up and bool(result.score or result.games_won))


def records_by_item(
    held: Mapping[PlayerId, Collection[str]], results: Iterable[Result]
) -> dict[str, Record]:
    """Return, by item, the record of players with it against players without it.

    An item is the key of a card, for example. ``held`` maps players with a known list to their
    items. Mirror matches and matches against players with an unknown list are ignored.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        if not was_played(result) or not held.keys() >= set(result.seats):
            continue
        a, b = (frozenset(held[player]) for player in result.seats)
        for own, winner in zip((a - b, b - a), SEAT_WINNERS, strict=True):
            how = "won" if result.winner is winner else "lost"
            for key in own:
                counts[key]["drawn" if result.winner is Winner.DRAW else how] += 1
    keys = {key for cards in held.values() for key in cards}
    return {key: Record(**counts[key]) for key in sorted(keys)}


def _use_counts(
    decks: Iterable[Deck],
    key_of: Callable[[DeckEntry], str],
    name_of: Callable[[DeckEntry], str],
    apart: Collection[str] = (),
) -> tuple[UseCount, ...]:
    lists: Counter[str] = Counter()
    spelt: dict[str, Counter[str]] = defaultdict(Counter)
    for deck in decks:
        entries = [entry for zone, entry in deck if zone not in apart]
        lists.update({key_of(entry) for entry in entries})
        for entry in entries:
            spelt[key_of(entry)][name_of(entry)] += entry.count
    found = (
        UseCount(
            key=key,
            name=min(spelt[key], key=lambda name: (-spelt[key][name], name)),
            lists=lists[key],
            copies=spelt[key].total(),
        )
        for key in lists
    )
    return tuple(sorted(found, key=lambda use: (-use.lists, -use.copies, use.key)))


def _by_copies(use: UseCount) -> tuple[int, int, str]:
    return (-use.copies, -use.lists, use.key)


LEADER = "leader"


@dataclass(frozen=True, slots=True, kw_only=True)
class Archetype:
    """A type of deck, named after its Leader or genus; ``by`` is "leader" or "genus"."""

    key: str
    name: str
    by: str


def find_archetype(deck: Deck, zone_keys: Iterable[str]) -> Archetype | None:
    """Return a deck's archetype, None if it has none.

    ``zone_keys`` are the format's: with a Leader zone it is that zone's cards, else the most
    frequent genus, the first by key among equals.
    """
    if LEADER in zone_keys:
        leaders = sorted(entry.name for entry in deck.zone(LEADER))
        if not leaders:
            return None
        key = " + ".join(sorted(map(card_key, leaders)))
        return Archetype(key=key, name=" + ".join(leaders), by=LEADER)
    counts: Counter[str] = Counter()
    written: dict[str, Counter[str]] = defaultdict(Counter)
    for _zone, entry in deck:
        if entry.genus:
            counts[genus_key(entry.genus)] += entry.count
            written[genus_key(entry.genus)][entry.genus] += entry.count
    if not counts:
        return None
    key = min(counts, key=lambda each: (-counts[each], each))
    name = min(written[key], key=lambda each: (-written[key][each], each))
    return Archetype(key=key, name=name, by="genus")


def matchup_records(
    held: Mapping[PlayerId, str], results: Iterable[Result]
) -> Mapping[tuple[str, str], Record]:
    """Return the record of each archetype against each other, by (own key, opponent's key).

    ``held`` maps players to the key of their archetype. A mirror match counts as one won and one
    lost, or as one drawn. Byes, forfeits and matches with a player whose archetype is unknown are
    left out.
    """
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for result in results:
        if not was_played(result) or not held.keys() >= set(result.seats):
            continue
        a, b = (held[player] for player in result.seats)
        if result.winner is Winner.DRAW:
            for pair in {(a, b), (b, a)}:
                counts[pair]["drawn"] += 1
            continue
        won = result.winner is SEAT_WINNERS[0]
        counts[a, b]["won" if won else "lost"] += 1
        counts[b, a]["lost" if won else "won"] += 1
    return {pair: Record(**found) for pair, found in sorted(counts.items())}
