"""An event as an entry of a calendar."""

from datetime import datetime
from urllib.parse import urljoin, urlsplit

from django.urls import reverse
from icalendar import Event as Entry

from tournaments.models import Event


def calendar_entry(event: Event, site: str, ends: datetime | None = None) -> Entry:
    """Return an event in its time zone; it has an end if one is planned, or once it is over.

    ``site`` is the address at which the site is read.
    """
    entry = Entry()
    entry.add("uid", f"event-{event.pk}@{urlsplit(site).netloc}")
    entry.add("dtstamp", event.created_at)
    entry.add("sequence", event.version)
    entry.add("summary", event.name)
    entry.add("dtstart", event.begins)
    ends = event.finished_at or ends
    if ends and ends > event.starts_at:
        entry.add("dtend", ends.astimezone(event.zone))
    if event.venue:
        entry.add("location", event.venue)
    if event.about:
        entry.add("description", event.about)
    entry.add("url", urljoin(site, reverse("tournaments:event", args=[event.slug])))
    entry.to_ical()
    return entry
