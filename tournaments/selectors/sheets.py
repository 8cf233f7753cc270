"""The lists of an event's players as sheets to print."""

from collections.abc import Iterable

from decks.decklists.sheets import Sheet, sheet_of
from decks.formats.rulebook import deck_format
from tournaments.models import Entry, Event


def sheets_of(event: Event) -> tuple[tuple[Sheet, ...], tuple[Entry, ...]]:
    """Return everybody's list by number, and who plays without one; one or two queries."""
    entries = event.entries.playing().select_related("submission__decklist").order_by("number")
    return _parted(event, entries)


def sheets_of_entry(event: Event, number: int) -> tuple[tuple[Sheet, ...], tuple[Entry, ...]]:
    """Return the same of one player, playing or not; both are empty when there is none."""
    entries = event.entries.filter(number=number).select_related("submission__decklist")
    return _parted(event, entries)


def _parted(event: Event, entries: Iterable[Entry]) -> tuple[tuple[Sheet, ...], tuple[Entry, ...]]:
    shape = deck_format(event.format)
    found = tuple(entries)
    sheets = tuple(
        sheet_of(
            entry.submission.decklist,
            shape,
            event=event.name,
            player=entry.name,
            number=entry.number,
            handed_in=entry.submission.submitted_at,
            time_zone=event.time_zone,
        )
        for entry in found
        if entry.submission is not None
    )
    return sheets, tuple(entry for entry in found if entry.submission is None)
