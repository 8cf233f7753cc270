"""Events for calendars (.ics) and for readers of feeds (Atom)."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from icalendar import Calendar
from icalendar import Event as Entry

from config.ui_dates import in_words
from tournaments.core.held_facts import read_facts
from tournaments.events.selectors.events import players_of, state_badge
from tournaments.events.selectors.rules_in_words import plan_or_reason
from tournaments.events.selectors.timetable import timetable_of
from tournaments.models import Event
from tournaments.pages.access import actor_of, confirmed_event
from tournaments.pages.offers import offer, public_read

MOST, BEFORE = 500, timedelta(days=60)
"""Events of the calendar, and how long past ones stay in it."""
NEWS = 30
YEAR = timedelta(days=366)


@public_read()
@require_safe
def calendar(request: HttpRequest) -> HttpResponse:
    """Return the calendar of upcoming and recent events; one query."""
    since = timezone.now() - BEFORE
    coming = Event.objects.public().filter(starts_at__gte=since).order_by("starts_at", "pk")[:MOST]
    offer(request, actor_of(request))
    return _answer(request, coming, "girone")


@public_read()
@require_safe
def event_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the calendar of one event; until it is over its end is that of the timetable."""
    event, actor = confirmed_event(request, slug)
    facts = read_facts(event)
    plan = facts.plan or plan_or_reason(event, players_of(event))[0]
    planned = timetable_of(facts, plan)
    offer(request, actor, event)
    return _answer(request, [event], event.slug, ends=planned.ends if planned else None)


def _answer(
    request: HttpRequest, events: Iterable[Event], name: str, *, ends: datetime | None = None
) -> HttpResponse:
    made = Calendar()
    made.add("prodid", "-//Girone//Girone//")
    made.add("version", "2.0")
    made.add("x-wr-calname", "Girone")
    begins = []
    for event in events:
        made.add_component(_entry(request, event, ends))
        begins.append(event.starts_at.date())
    if begins:  # how each zone's hours go, for the years that are told of alone
        first, last = min(begins) - YEAR, max(begins) + YEAR
        made.add_missing_timezones(first_date=first, last_date=last)
    answer = HttpResponse(made.to_ical(), content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="{name}.ics"'
    return answer


def _entry(request: HttpRequest, event: Event, ends: datetime | None) -> Entry:
    """Return an event in its time zone; it has an end if one is planned, or once it is over."""
    entry = Entry()
    entry.add("uid", f"event-{event.pk}@{request.get_host()}")
    entry.add("dtstamp", event.created_at)
    entry.add("sequence", event.version)
    entry.add("summary", event.name)
    entry.add("dtstart", event.starts_at.astimezone(event.zone))
    ends = event.finished_at or ends
    if ends and ends > event.starts_at:
        entry.add("dtend", ends.astimezone(event.zone))
    if event.venue:
        entry.add("location", event.venue)
    if event.about:
        entry.add("description", event.about)
    entry.add("url", request.build_absolute_uri(_address(event)))
    return entry


def _address(event: Event) -> str:
    return reverse("tournaments:event", args=[event.slug])


class News(Feed):  # type: ignore[type-arg]
    """Feed of the latest events by start, upcoming ones included; one query."""

    feed_type = Atom1Feed

    def title(self) -> str:
        """Return the name of the feed."""
        return _("Girone: events")

    def link(self) -> str:
        """Return the address of the page that the feed follows."""
        return reverse("tournaments:event-list")

    def items(self) -> Iterable[Event]:
        """Return the latest events by start, most recently announced first."""
        last = Event.objects.public().order_by("-starts_at")[:NEWS]
        return sorted(last, key=lambda event: event.pk, reverse=True)

    def item_title(self, item: Event) -> str:  # type: ignore[override]
        """Return the name of an event."""
        return item.name

    def item_description(self, item: Event) -> str:  # type: ignore[override]
        """Return time, place and state of an event."""
        local = item.starts_at.astimezone(item.zone)
        words = (in_words(local, "all"), item.venue, state_badge(item)[0])
        return " · ".join(filter(None, words))

    def item_link(self, item: Event) -> str:
        """Return the address of an event."""
        return _address(item)

    def item_pubdate(self, item: Event) -> datetime:
        """Return when the event was announced."""
        return item.created_at

    def item_updateddate(self, item: Event) -> datetime:
        """Return when the event reached its state."""
        return item.finished_at or item.started_at or item.created_at


news = News()


@public_read()
@require_safe
def feed(request: HttpRequest) -> HttpResponse:
    """Return the Atom feed."""
    answer = news(request)
    offer(request, actor_of(request))
    return answer
