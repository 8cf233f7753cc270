"""Public pages: the list of events, an event, its rules, players, bracket and formula; calendars,
and the feed.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.contrib.syndication.views import Feed
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, re_path, reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.hall import can_control_hall
from config.web import render_page
from decks.labels import LOOKS, game_label, game_labels
from decks.stored_formats import custom_games
from rules.deckbuilding.formats import FormatEmblem
from tournaments.core.clocks import current_clock_display
from tournaments.core.draw_origins import map_readable_rows, readable_rows
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.formulas import formula_labels
from tournaments.core.kept_places import reassignment_texts
from tournaments.core.permissions import can_create_events
from tournaments.core.slugs import event_id_from_code
from tournaments.core.visibility import (
    current_announcements,
    event_restoration,
    restoration_notice,
    visible_decklists,
)
from tournaments.decklists.selectors.shown_lists import player_rows
from tournaments.diagrams.selectors.drawn_brackets import brackets_page
from tournaments.diagrams.selectors.formula_layout import formula_columns, formula_diagram
from tournaments.events.selectors.events import player_count
from tournaments.events.selectors.rules_in_words import plan_with_note, rules_page_context
from tournaments.events.selectors.timetable import event_timetable, planned_starts
from tournaments.models import Event
from tournaments.pages.access import (
    allow_caching,
    find_actor,
    find_visible_event,
    public_read,
    short_event_url,
)
from tournaments.pages.long_lists import PART_PARAMETERS, is_split_into_parts, parse_requested_part
from tournaments.pages.views import polling_page, qr_code, strip_scheme
from tournaments.public.selectors.calendar import (
    CalendarEntry,
    build_calendar,
    build_calendar_entry,
)
from tournaments.public.selectors.listed import (
    FeedItem,
    latest_feed_items,
    listed_events,
    parse_filters,
)
from tournaments.public.selectors.running_event import running_event
from tournaments.public.selectors.upcoming_event import (
    describe_rounds,
    planned_path,
    stage_path,
    upcoming_event,
)
from tournaments.standings.views import standings_content

MOST, BEFORE = 500, timedelta(days=60)
"""Events of the calendar, and how long past ones stay in it."""
NEWS = 30


@public_read()
def calendar(request: HttpRequest) -> HttpResponse:
    """Return the iCalendar file of upcoming and recent events; one query."""
    since = timezone.now() - BEFORE
    coming = Event.objects.listed().filter(starts_at__gte=since).order_by("starts_at", "pk")[:MOST]
    allow_caching(request, find_actor(request))
    return calendar_response(calendar_entries(request, coming), "girone")


def calendar_entries(request: HttpRequest, events: QuerySet[Event]) -> list[CalendarEntry]:
    """Return the calendar entries of events without damaged data; one query."""
    site = request.build_absolute_uri("/")
    return map_readable_rows(readable_rows(events), lambda event: build_calendar_entry(event, site))


@public_read()
def event_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the iCalendar file of one event, with its planned or real end."""
    event, actor = find_visible_event(request, slug)
    facts = read_facts(event)
    plan = facts.plan or plan_with_note(event, player_count(event))[0]
    planned = event_timetable(facts, plan)
    allow_caching(request, actor, event)
    ends = planned.ends if planned else None
    entry = build_calendar_entry(event, request.build_absolute_uri("/"), ends)
    return calendar_response([entry], event.slug)


def calendar_response(
    entries: Iterable[CalendarEntry], name: str, title: str = "Girone"
) -> HttpResponse:
    """Return entries as an iCalendar download.

    ``name`` is the file's, without extension; ``title`` the calendar's.
    """
    content = build_calendar(entries, title)
    answer = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    answer["Content-Disposition"] = f'inline; filename="{name}.ics"'
    return answer


class EventFeed(Feed):  # type: ignore[type-arg]
    """Atom feed of the latest events by start, upcoming ones included; one query."""

    feed_type = Atom1Feed

    def title(self) -> str:
        """Return the name of the feed."""
        return "Girone: " + _("Events")

    def link(self) -> str:
        """Return the address of the page that the feed follows."""
        return reverse("tournaments:event-list")

    def items(self) -> Iterable[FeedItem]:
        """Return the latest events by start, most recently announced first."""
        return latest_feed_items(Event.objects.listed(), NEWS)

    def item_title(self, item: FeedItem) -> str:  # type: ignore[override]
        return item.title

    def item_description(self, item: FeedItem) -> str:  # type: ignore[override]
        """Return time, place and state of an event."""
        return item.words

    def item_link(self, item: FeedItem) -> str:
        return item.path

    def item_pubdate(self, item: FeedItem) -> datetime:
        return item.announced

    def item_updateddate(self, item: FeedItem) -> datetime:
        """Return the moment at which the event reached its state."""
        return item.updated


follow = EventFeed()


@public_read()
def feed(request: HttpRequest) -> HttpResponse:
    """Return the Atom feed of events."""
    answer = follow(request)
    allow_caching(request, find_actor(request))
    return answer


PAGES = "tournaments/public"
STANDINGS = "tournaments/standings/standings.html"
MOST_CHIPS = 20
"""Games that the list of events offers at most."""
public_code = lru_cache(maxsize=256)(qr_code)
"""QR codes of short addresses, which are no secrets: some 4 ms each."""


@public_read("page", "going", "game", "month")
def event_list(request: HttpRequest) -> HttpResponse:
    """Show the list of events by state, filtered by the query string."""
    actor = find_actor(request)
    filters = parse_filters(request.GET)
    pages = request.GET.get("page", 1), request.GET.get("going", 1)
    context = {
        "lists": listed_events(actor, *pages, filters),
        "filters": filters,
        "sent": request.GET,
        "games": _games_to_choose(),
        "can_create": can_create_events(actor),
        "may_open_hall": can_control_hall(request),
    }
    allow_caching(request, actor)
    return render(request, f"{PAGES}/event_list.html", context)


def _games_to_choose() -> list[tuple[str, str, FormatEmblem]]:
    """Return slug, name and look of the games whose events can be looked for; one query."""
    shipped = [(game, game_label(game), LOOKS[game]) for game in game_labels() if game in LOOKS]
    others = custom_games(Event.objects.listed().values("format"))
    return [*shipped, *(each for each in others if each[0] not in LOOKS)][:MOST_CHIPS]


@public_read(*PART_PARAMETERS)
def event(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an event: registration before the start, then present state or final standings."""

    def template(facts: EventFacts) -> str:
        return STANDINGS if facts.event.state == Event.State.FINISHED else f"{PAGES}/event.html"

    def show(facts: EventFacts) -> Mapping[str, Any]:
        if facts.event.state == Event.State.FINISHED:
            return standings_content(request, facts)
        short = short_event_url(request, facts.event)
        formula = formula_labels([facts.event.formula])[facts.event.formula]
        shared: dict[str, Any] = {"path": stage_path(facts), "formula": formula}
        restored = event_restoration(facts.event)
        shared |= {"restored": restored and restoration_notice(facts.event, restored)}
        shared |= {"short": strip_scheme(short).partition("/e/"), "qr": public_code(short)}
        if facts.plan is not None:
            shared |= {"timetable": event_timetable(facts, facts.plan)}
            return shared | {"now": running_event(facts), "clock": current_clock_display(facts)}
        return shared | upcoming_event(facts)

    return polling_page(request, slug, template, show)


@public_read()
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rules of an event and a drawing of its stages."""
    event, actor = find_visible_event(request, slug)
    told = rules_page_context(event, player_count(event))
    context = {
        "event": event,
        "actor": actor,
        "rules": told,
        "path": planned_path(told["plan"]) if told["plan"] else None,
        "formula": formula_labels([event.formula])[event.formula],
        "rounds": describe_rounds(event, told["plan"]),
    }
    allow_caching(request, actor, event)
    return render(request, f"{PAGES}/rules.html", context)


@require_safe
def short_address(request: HttpRequest, short: str) -> HttpResponse:
    """Redirect an event's short URL to its page; 404 if the reader may not see it."""
    found = get_object_or_404(Event.objects.only("slug"), pk=event_id_from_code(short))
    event, _actor = find_visible_event(request, found.slug)
    return redirect("tournaments:event", event.slug)


@public_read(*PART_PARAMETERS)
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the players of an event, with their Leaders if public."""
    event, actor = find_visible_event(request, slug)
    facts = read_facts(event) if event.plan else None
    lines = player_rows(event, visible_decklists(actor, event), facts)
    own = actor.entry_in(event)
    context = {
        "event": event,
        "actor": actor,
        "facts": facts,
        "lines": lines,
        "leaders": any(line.leader for line in lines),
        "lists": any(line.has_list for line in lines),
        "announcements": current_announcements(event),
        "wanted": parse_requested_part(request.GET),
        "long": is_split_into_parts(len(lines)),
        "own_number": own.number if own else 0,
    }
    allow_caching(request, actor, event)
    template, fragment = "tournaments/players/list.html", "tournaments/players/_list.html"
    return render_page(request, template, context, fragment=fragment)


@public_read()
def formula(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tournament format of an event, as a drawing and as a list."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        registered = 0 if facts.plan else player_count(facts.event)
        plan, note = plan_with_note(facts.event, registered)
        columns = formula_columns(facts, plan) if plan else ()
        return {
            "columns": columns,
            "picture": formula_diagram(columns),
            "note": note,
            "kept": reassignment_texts(facts),
        }

    return polling_page(request, slug, "tournaments/formulas/formula.html", show)


@public_read("p")
def bracket(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the brackets of an event; ``?p=`` is a player's number or name to highlight."""
    sought = request.GET.get("p", "")

    def show(facts: EventFacts) -> Mapping[str, Any]:
        return {"shown": brackets_page(facts, sought, planned_starts(facts) if sought else None)}

    return polling_page(request, slug, "tournaments/diagrams/bracket.html", show)


urlpatterns = [
    path("", event_list, name="event-list"),
    re_path(r"^e/(?P<short>[A-Za-z]{4,8})/?$", short_address, name="short-address"),
    path("events.ics", calendar, name="calendar"),
    path("feed/", feed, name="feed"),
    path("events/<slug:slug>.ics", event_calendar, name="event-calendar"),
    path("events/<slug:slug>/", event, name="event"),
    path("events/<slug:slug>/rules/", rules, name="rules"),
    path("events/<slug:slug>/players/", players, name="players"),
    path("events/<slug:slug>/bracket/", bracket, name="bracket"),
    path("events/<slug:slug>/formula/", formula, name="formula"),
]
