"""Events for calendars (.ics) and for readers of feeds (Atom)."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _

from tournaments.core.drawing import drawn, readable_rows
from tournaments.core.facts_cache import read_facts
from tournaments.events.selectors.events import players_of
from tournaments.events.selectors.rules_in_words import plan_or_reason
from tournaments.events.selectors.timetable import timetable_of
from tournaments.models import Event
from tournaments.pages.access import actor_of, confirmed_event
from tournaments.pages.offers import offer, public_read
from tournaments.public.selectors.calendar import Entry, calendar_of, entry_of
from tournaments.public.selectors.news import News, latest_news

MOST, BEFORE = 500, timedelta(days=60)
"""Events of the calendar, and how long past ones stay in it."""
NEWS = 30


@public_read()
def calendar(request: HttpRequest) -> HttpResponse:
    """Return the calendar of upcoming and recent events; one query."""
    since = timezone.now() - BEFORE
    coming = Event.objects.listed().filter(starts_at__gte=since).order_by("starts_at", "pk")[:MOST]
    offer(request, actor_of(request))
    site = request.build_absolute_uri("/")
    found = drawn(readable_rows(coming), lambda event: entry_of(event, site))
    return _answer(found, "girone")


@public_read()
def event_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the calendar of one event; until it is over its end is that of the timetable."""
    event, actor = confirmed_event(request, slug)
    facts = read_facts(event)
    plan = facts.plan or plan_or_reason(event, players_of(event))[0]
    planned = timetable_of(facts, plan)
    offer(request, actor, event)
    ends = planned.ends if planned else None
    return _answer([entry_of(event, request.build_absolute_uri("/"), ends)], event.slug)


def _answer(entries: Iterable[Entry], name: str) -> HttpResponse:
    answer = HttpResponse(calendar_of(entries), content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="{name}.ics"'
    return answer


class Follow(Feed):  # type: ignore[type-arg]
    """Feed of the latest events by start, upcoming ones included; one query."""

    feed_type = Atom1Feed

    def title(self) -> str:
        """Return the name of the feed."""
        return _("Girone: events")

    def link(self) -> str:
        """Return the address of the page that the feed follows."""
        return reverse("tournaments:event-list")

    def items(self) -> Iterable[News]:
        """Return the latest events by start, most recently announced first."""
        return latest_news(Event.objects.listed(), NEWS)

    def item_title(self, item: News) -> str:  # type: ignore[override]
        """Return the name of an event."""
        return item.title

    def item_description(self, item: News) -> str:  # type: ignore[override]
        """Return time, place and state of an event."""
        return item.words

    def item_link(self, item: News) -> str:
        """Return the address of an event."""
        return item.path

    def item_pubdate(self, item: News) -> datetime:
        """Return when the event was announced."""
        return item.announced

    def item_updateddate(self, item: News) -> datetime:
        """Return the moment at which the event reached its state."""
        return item.updated


follow = Follow()


@public_read()
def feed(request: HttpRequest) -> HttpResponse:
    """Return the Atom feed."""
    answer = follow(request)
    offer(request, actor_of(request))
    return answer
