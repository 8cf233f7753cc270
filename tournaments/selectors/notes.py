"""Rulings on matches, which everybody reads, and the staff's notes, which are for the staff."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from tournaments.models import Event, Match, Ruling, StaffNote

Rulings = Mapping[int, tuple[str, ...]]
"""The words of the rulings on each match, by its key."""


def rulings_of(event: Event) -> Rulings:
    """Return all rulings on matches of an event; one query."""
    return _by_match(Ruling.objects.filter(match__round__event=event))


def rulings_on(match: Match) -> tuple[Ruling, ...]:
    """Return the rulings on a match, the first one first; one query."""
    return tuple(match.rulings.select_related("by").order_by("pk"))


def staff_notes(match: Match) -> tuple[StaffNote, ...]:
    """Return the staff's notes on a match, the first one first; for staff pages; one query."""
    return tuple(match.staffnotes.select_related("by").order_by("pk"))


def _by_match(found: Iterable[Ruling]) -> Rulings:
    words: dict[int, list[str]] = defaultdict(list)
    for ruling in found:
        words[ruling.match_id].append(ruling.text)
    return {key: tuple(said) for key, said in words.items()}
