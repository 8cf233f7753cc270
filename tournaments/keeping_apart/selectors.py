"""Pairs that Swiss rounds keep apart: players of one club, and the organiser's pairs."""

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations

from rules.results import PlayerId
from rules.stages.base import Pairs
from tournaments.core.names import attach_name_marks, load_name_marks
from tournaments.core.rows import AnyEntry
from tournaments.models import Event, KeptApart


def pairs_to_avoid(event: Event, entries: Mapping[PlayerId, AnyEntry]) -> Pairs:
    """Return the pairs of player numbers that Swiss pairing should avoid; one query.

    These are the organiser's pairs and, if the event keeps clubs apart, active players of one club
    (regardless of case and surrounding spaces). ``entries``: {player number: entry}.
    """
    pairs = {frozenset[PlayerId](pair) for pair in event.kept_apart.numbers()}
    if event.apart_clubs:
        clubs = defaultdict(list)
        for number, entry in entries.items():
            if entry.club.strip() and entry.plays:
                clubs[entry.club.strip().casefold()].append(number)
        pairs |= {
            frozenset(pair) for members in clubs.values() for pair in combinations(members, 2)
        }
    return frozenset(pairs)


def organiser_pairs(event: Event) -> tuple[KeptApart, ...]:
    """Return the pairs that the organiser keeps apart, with their players; two queries."""
    found = tuple(event.kept_apart.select_related("a", "b"))
    attach_name_marks((player for pair in found for player in pair.players), load_name_marks(event))
    return found
