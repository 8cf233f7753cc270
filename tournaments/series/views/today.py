"""The day of a series or a venue: its page, the hall's screen, and one list at the door."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, resolve, reverse
from django.urls.exceptions import Resolver404
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.addresses import absolute_url
from config.api import status_code
from config.web import not_modified_response, post_only, render_page, version_tag
from config.wording import error_message
from rules.errors import RuleError
from tournaments.arrivals.photos import entry_by_code
from tournaments.arrivals.services import record_fee_payment
from tournaments.core.permissions import Actor, is_staff
from tournaments.models import Entry, Event, PersonalLink
from tournaments.pages.access import (
    LINKS,
    allow_series_caching,
    apply_due_writes,
    find_actor,
    public_read,
)
from tournaments.pages.views import bad_request_error, qr_code, strip_scheme
from tournaments.players.selectors.players import player_row
from tournaments.players.services.entries import check_in
from tournaments.screen.selectors import split_in_chunks
from tournaments.series.access import SERIES, render_series_page, series_tabs
from tournaments.series.selectors import SeriesFacts, read_series
from tournaments.series.today import (
    Arrival,
    ArrivingPerson,
    PlayerSeat,
    arriving_people,
    count_attendance,
    events_checking_in,
    events_today,
    events_today_at,
    group_events_by_kind,
    hall_screen_events,
    list_seats,
    search_seats,
    seats_of_entries,
    should_list_names,
)

PAGES = "tournaments/series"
LONGEST = 200
"""Characters of a venue, a name or a code."""
MOST_FOUND = 20
CARDS, MOST_TIMED = 6, 4
"""Events of a page of the screen, and round timers that fit above every page."""


def _day(request: HttpRequest, slug: str) -> tuple[Actor, SeriesFacts | None, str, list[Event]]:
    """Return the actor, the series or the venue, and its events of the day."""
    actor = find_actor(request)
    facts = read_series(slug, actor) if slug else None
    venue = "" if facts else request.GET.get("venue", "").replace("\x00", "").strip()[:LONGEST]
    events = events_today(facts.events) if facts else events_today_at(venue)
    return actor, facts, venue, [apply_due_writes(event) for event in events]


@public_read("venue", "seats", every_act=True)
def today(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Show the day's events of a series, or of a venue if ``slug`` is "".

    Query string: ``venue``; ``seats`` returns where all players sit; ``find`` is a name or check-in
    code to look for.
    """
    actor, facts, venue, events = _day(request, slug)
    if events:
        allow_series_caching(request, actor, events)
    if request.GET.get("seats"):
        return render_page(request, f"{PAGES}/_seats.html", {"seats": list_seats(events)})
    polls = bool(getattr(request, "htmx", None))
    tag = _tag(request, "today", events)
    if polls and (same := not_modified_response(request, tag)):
        return same
    sought = request.GET.get("find", "").replace("\x00", "").strip()[:LONGEST]
    own = _own_entries(request, events)
    seats = list_seats(events) if own or sought else []
    address = _address("today", facts, venue)
    context: dict[str, Any] = {
        "facts": facts,
        "series": facts and facts.series,
        "tabs": series_tabs(facts, "series-today") if facts else (),
        "venue": venue,
        "address": address,
        "seats_url": f"{address}{'&' if venue else '?'}seats=1",
        "screen_url": _address("screen", facts, venue),
        "day": group_events_by_kind(events, actor.user),
        "own": seats_of_entries(seats, own),
        "sought": sought,
        "found": _found(seats, sought, events)[:MOST_FOUND] if sought else (),
        "rounds": tag,
        "checks_in": bool(facts and actor.user and events_checking_in(facts, actor)),
    }
    template, fragment = f"{PAGES}/today.html", f"{PAGES}/_today.html"
    return render_page(request, template, context, fragment=fragment, tag=tag if polls else None)


def _address(name: str, facts: SeriesFacts | None, venue: str) -> str:
    """Return the path of a page of the same day; ``name`` ends that of its URL."""
    if facts is not None:
        return reverse(f"tournaments:series-{name}", args=[facts.series.slug])
    query = f"?{urlencode({'venue': venue})}" if venue else ""
    return reverse(f"tournaments:venue-{name}") + query


def _tag(request: HttpRequest, name: str, events: list[Event], *more: object) -> str:
    versions = [(event.pk, event.state, event.version) for event in events]
    return version_tag(request, name, timezone.localdate(), versions, *more)


def _own_entries(request: HttpRequest, events: list[Event]) -> set[int]:
    """Return the keys of the entries as which the reader plays; at most two queries."""
    own = set[int]()
    if request.user.is_authenticated:
        playing = Entry.objects.filter(event__in=events, user=request.user)
        own.update(playing.values_list("pk", flat=True))
    links = request.session.get(LINKS, {})
    opened = [links[str(event.pk)] for event in events if str(event.pk) in links]
    if opened:
        live = PersonalLink.objects.filter(pk__in=opened, revoked_at__isnull=True)
        own.update(live.values_list("entry_id", flat=True))
    return own


def _found(seats: list[PlayerSeat], sought: str, events: list[Event]) -> list[PlayerSeat]:
    """Return the seats of those who are called so, or whose code of the door this is."""
    entry = _entry_of_code(sought, events)
    return seats_of_entries(seats, {entry.pk}) if entry else search_seats(seats, sought)


def _entry_of_code(sought: str, events: list[Event]) -> Entry | None:
    _before, mark, rest = sought.partition("/events/")
    try:
        match = resolve(f"{mark}{rest}")
    except (Resolver404, ValueError):
        return None
    if match.view_name != "tournaments:arrive":
        return None
    event = next((one for one in events if one.slug == match.kwargs["slug"]), None)
    return entry_by_code(event, match.kwargs["code"]) if event else None


@public_read("venue", every_act=True)
def screen(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Show the hall screen of a day: round timers, unfinished tables, and seats by name."""
    actor, facts, venue, events = _day(request, slug)
    if events:
        allow_series_caching(request, actor, events)
    running = [event for event in events if event.state == Event.State.RUNNING]
    tag = _tag(request, "screen", events, *map(should_list_names, running))
    polls = bool(getattr(request, "htmx", None))
    if polls and (same := not_modified_response(request, tag)):
        return same
    address = absolute_url(request, _address("today", facts, venue))
    shown = hall_screen_events(events)
    timed = [one for one in shown if one.clock]
    context = {
        "title": facts.series.name if facts else venue,
        "address": strip_scheme(address),
        "qr": qr_code(address),
        "shown": shown,
        "cards": split_in_chunks(shown, CARDS),
        "timed": timed if len(timed) <= MOST_TIMED else (),
        "zone": events[0].time_zone if events else timezone.get_current_timezone_name(),
    }
    template, fragment = f"{PAGES}/today_screen.html", f"{PAGES}/_today_screen.html"
    return render_page(request, template, context, fragment=fragment, tag=tag if polls else None)


MOST = 60
"""Players of a row, and characters of a number with its event."""
ACTS: dict[str, Callable[..., Entry]] = {
    "only": check_in,
    "back": partial(check_in, action="undo_check_in"),
    "paid": partial(record_fee_payment, paid=True),
    "unpaid": partial(record_fee_payment, paid=False),
}
"""What the button for one event does, by the name that it sends."""


@require_safe
def arrivals(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the check-in list of a series' events today, for their staff."""
    facts, actor = _staffed(request, slug)
    events = events_checking_in(facts, actor)
    people = arriving_people(facts, events)
    return render_series_page(
        request, "arrivals", facts, "", people=people, attendance=count_attendance(events)
    )


def _staffed(request: HttpRequest, slug: str) -> tuple[SeriesFacts, Actor]:
    """Return the series; 403 unless the actor is of the staff of an event that is not over."""
    actor = find_actor(request)
    facts = read_series(slug, actor)
    going = (*facts.running, *facts.to_come)
    if actor.user is None or not any(is_staff(actor, event) for event in going):
        raise PermissionDenied(_("This page is for the staff of the event."))
    return facts, actor


@post_only
def update_check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Check a person in, undo that, or record a fee: in one event, or all of their row.

    Responds with the person's row and the counts (htmx), or redirects.
    """
    facts, actor = _staffed(request, slug)
    players = _players(request, facts, actor)
    refused, status = "", 200
    for act, key in _acts(request):
        event, number = players.get(key, (None, 0))
        if event is None:
            raise bad_request_error()
        try:
            act(entry=event.entries.get(number=number), by=actor)
        except RuleError as error:
            refused, status = error_message(error), status_code(error)
    if not getattr(request, "htmx", None):
        if refused:
            messages.error(request, refused)
        return redirect("tournaments:series-arrivals", slug)
    rows = ((event, player_row(event, number)) for event, number in players.values())
    shown = tuple(Arrival(event=event, row=row) for event, row in rows if row is not None)
    context = {
        "series": facts.series,
        "person": ArrivingPerson(players=shown),
        "attendance": count_attendance(events_checking_in(facts, actor)),
        "refused": refused,
    }
    return render(request, "tournaments/series/_arrived.html", context, status=status)


def _acts(request: HttpRequest) -> Iterator[tuple[Callable[..., Entry], str]]:
    """Yield what is done to whom: by the button of an event, else by that of the row."""
    alone = [(act, request.POST[name]) for name, act in ACTS.items() if name in request.POST]
    if alone:
        yield from alone
        return
    act = ACTS["back" if request.POST.get("undo") else "only"]
    for key in request.POST.getlist("mark")[:MOST]:
        yield act, key


def _players(
    request: HttpRequest, facts: SeriesFacts, actor: Actor
) -> dict[str, tuple[Event, int]]:
    """Return the players of the row that was sent, by key (``Arrival.key``).

    Raises BadInput ``bad_request``; PermissionDenied for an event of others.
    """
    events = {event.slug: event for event in facts.events}
    found = dict[str, tuple[Event, int]]()
    for key in request.POST.getlist("player")[:MOST]:
        slug, _colon, number = key.rpartition(":")
        event = events.get(slug)
        if event is None or not (number.isascii() and number.isdigit() and len(number) < 9):
            raise bad_request_error()
        if not is_staff(actor, event):
            raise PermissionDenied(_("This page is for the staff of the event."))
        if not event.entries.filter(number=number).exists():
            raise bad_request_error()
        found[key] = event, int(number)
    if not found:
        raise bad_request_error()
    return found


urlpatterns = [
    path(f"{SERIES}arrivals/", arrivals, name="series-arrivals"),
    path(f"{SERIES}arrivals/mark/", update_check_in, name="series-arrivals-mark"),
    path("today/", today, name="venue-today"),
    path("today/screen/", screen, name="venue-screen"),
    path(f"{SERIES}today/", today, name="series-today"),
    path(f"{SERIES}screen/", screen, name="series-screen"),
]
