"""Whether every list of events can show an event: its row, the feed, the calendar, the API."""

from collections.abc import Sequence

from tournaments.api.serialization import listed_json
from tournaments.core.drawing import drawn
from tournaments.models import Event
from tournaments.public.selectors.calendar import calendar_of, entry_of
from tournaments.public.selectors.listed import listed_event, listed_rows
from tournaments.public.selectors.news import news_of

SOMEWHERE = "https://example.org"


def drawn_everywhere(event: Event) -> Event:
    """Return the event if every list of events can show it; the queries of ``listed_event``.

    Raises what drawing raises: ValueError, KeyError and others, whatever is wrong with it.
    """
    listed_event(event)
    return _drawn_outside_lists(event)


def all_drawn_everywhere(events: Sequence[Event]) -> list[Event]:
    """Return the events that every list of events can show; the queries of ``listed_rows``."""
    return drawn((row.card.event for row in listed_rows(events)), _drawn_outside_lists)


def _drawn_outside_lists(event: Event) -> Event:
    news_of(event)
    calendar_of([entry_of(event, SOMEWHERE)])
    listed_json(event)
    return event
