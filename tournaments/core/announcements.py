"""Announcements of an event: those shown now, and former ones."""

from datetime import datetime

from django.db.models import Max
from django.utils import timezone

from tournaments.core.event_state import EventFacts
from tournaments.core.values_cache import cached
from tournaments.models import Announcement, Event

MOST_FORMER = 8


def current_announcements(event: Event) -> tuple[Announcement, ...]:
    """Return the announcements shown now, the latest first; one query, none before the start."""
    if event.state != Event.State.RUNNING:
        return ()
    shown = event.announcements.filter(ended_at__isnull=True, until__gt=timezone.now())
    return tuple(shown.select_related("by").order_by("-pk"))


def announcements_in(facts: EventFacts) -> tuple[Announcement, ...]:
    """Return the announcements shown now, by an event's facts; one query while there are any.

    One more the first time, which finds out how long there are any.
    """
    event = facts.event
    until = cached(facts, "announced", lambda: _last_until(event))
    if until is None or until <= timezone.now():
        return ()
    return current_announcements(event)


def _last_until(event: Event) -> datetime | None:
    """Return when the last announcement ends, None without one; at most one query."""
    if event.state != Event.State.RUNNING:
        return None
    going = event.announcements.filter(ended_at__isnull=True).order_by()
    return going.aggregate(last=Max("until"))["last"]


def former_announcements(event: Event) -> tuple[str, ...]:
    """Return past announcements, the latest first, without duplicates; one query.

    In a copy of an event these are the announcements of the former one.
    """
    rows = event.announcements.order_by("-pk").values_list("text", "until", "ended_at")
    now, shown = timezone.now(), set[str]()
    former: dict[str, None] = {}
    for text, until, ended in rows:
        if ended is None and until > now:
            shown.add(text)
        else:
            former.setdefault(text)
    return tuple(text for text in former if text not in shown)[:MOST_FORMER]
