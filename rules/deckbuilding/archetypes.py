"""What a deck is, in one word of its own game, and what such decks won against each other.

A game with Leaders calls a deck by its Leader; one whose cards have a genus (of its world, its
faction) by the genus of most of its cards. Other games have no such word.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.deckbuilding.checks.genus import genus_key
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.statistics import Record, was_played
from rules.names import card_key
from rules.results import SEAT_WINNERS, PlayerId, Result, Winner

LEADER = "leader"


@dataclass(frozen=True, slots=True, kw_only=True)
class Archetype:
    """The name of a kind of deck; ``by`` is whether it is that of its Leader or of a genus."""

    key: str
    name: str
    by: str


def archetype_of(deck: Deck, zone_keys: Iterable[str]) -> Archetype | None:
    """Return a deck's archetype, by its Leader or genus; None if it has neither.

    Equal numbers of cards of two genera go to the first by key.
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


def records_between(
    held: Mapping[PlayerId, str], results: Iterable[Result]
) -> Mapping[tuple[str, str], Record]:
    """Return the record of each key against each other one, from the first one's side.

    ``held`` maps players to what their deck is. Matches of two that are called the same count as
    played on the pair of it with itself: won and lost once each, or drawn. Byes, forfeits and
    matches with a player whose deck is unknown are left out.
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
