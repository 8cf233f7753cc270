"""The lists of an event's players as sheets to print."""

from collections.abc import Iterable

from decks.rulebook import deck_format
from decks.sheets import Sheet, sheet_of
from tournaments.models import Entry, Event


def sheets_of(event: Event) -> tuple[tuple[Sheet, ...], tuple[Entry, ...]]:
    """Return everybody's list by number, and who plays without one; one or two queries."""
    entries = event.entries.playing().select_related("submission__decklist").order_by("number")
    return _sheets(event, entries), tuple(entry for entry in entries if entry.submission is None)


def sheet_of_entry(event: Event, number: int) -> Sheet | None:
    """Return the list of one player, playing or not, None without list; one or two queries."""
    entries = event.entries.filter(number=number).select_related("submission__decklist")
    return next(iter(_sheets(event, entries)), None)


def _sheets(event: Event, entries: Iterable[Entry]) -> tuple[Sheet, ...]:
    shape = deck_format(event.format)
    return tuple(
        sheet_of(
            entry.submission.decklist,
            shape,
            event=event.name,
            player=entry.name,
            number=entry.number,
            handed_in=entry.submission.submitted_at,
            time_zone=event.time_zone,
        )
        for entry in entries
        if entry.submission is not None
    )
