"""The page of an event before its start: free places, players, the stages planned."""

from dataclasses import dataclass
from typing import Any

from decks.formats.selectors import format_labels
from tournaments.core.event_state import EventFacts
from tournaments.core.formulas import formula_labels
from tournaments.events.selectors.rules_in_words import plan_or_reason
from tournaments.events.selectors.timetable import timetable_of
from tournaments.players.selectors.registration import registration_of
from tournaments.public.selectors.stage_path import planned_path

CELLS = 16
"""Cells of the bar of seats, if there are more seats than that."""
NAMED = 48
"""Players who are named; the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats:
    """The bar of seats: the x of each cell and whether it is taken; full when no seat is left."""

    cells: tuple[tuple[int, bool], ...]
    wide: int


def seats_bar(taken: int, capacity: int) -> Seats:
    """Return the bar of seats, one cell for each up to ``CELLS``."""
    count = min(CELLS, capacity)
    full = taken * count // capacity if taken < capacity else count
    return Seats(cells=tuple((13 * at, at < full) for at in range(count)), wide=13 * count)


def upcoming_event(facts: EventFacts) -> dict[str, Any]:
    """Return the content of an event's page before the start.

    One query, one more for a house format, and those of a saved formula.
    """
    event = facts.event
    registration = registration_of(event)
    plan, note = plan_or_reason(event, registration.players)
    coming = [entry for entry in facts.entries.values() if entry.plays]
    return {
        "registration": registration,
        "seats": seats_bar(registration.players, event.capacity) if event.capacity else None,
        "coming": sorted(coming, key=lambda entry: entry.number)[:NAMED],
        "others": max(0, len(coming) - NAMED),
        "path": planned_path(plan) if plan else None,
        "timetable": timetable_of(facts, plan),
        "note": note,
        "format": format_labels([event.format])[event.format],
        "formula": formula_labels([event.formula])[event.formula],
    }
