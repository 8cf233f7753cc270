"""The door of a day: one list for the events of a series in which players check in."""

from collections.abc import Callable, Iterator
from functools import partial

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.api import status_code
from config.web import post_only
from config.wording import error_message
from rules.errors import RuleError
from tournaments.arrivals.services import record_fee_payment
from tournaments.core.permissions import Actor, is_staff
from tournaments.models import Entry, Event
from tournaments.pages.access import find_actor
from tournaments.pages.views import bad_request_error
from tournaments.players.selectors.players import player_row
from tournaments.players.services.entries import check_in
from tournaments.series.access import SERIES, render_series_page
from tournaments.series.arrivals import (
    Arrival,
    ArrivingPerson,
    arriving_people,
    count_attendance,
    events_checking_in,
)
from tournaments.series.selectors import SeriesFacts, read_series

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
]
