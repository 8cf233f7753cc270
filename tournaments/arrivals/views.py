"""The page at the door, its acts on many, and what a scanned code opens."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.api import status_code
from config.web import done, page, posted
from config.wording import explain
from rules.errors import BadInput, RuleError
from tournaments.arrivals import photos
from tournaments.arrivals.photos import entry_of_code
from tournaments.arrivals.selectors import Arrivals, arrivals
from tournaments.arrivals.services import (
    check_in_many,
    mark_fee,
    withdraw_many,
    withdraw_without_list,
)
from tournaments.core.names import attach_marks, marks_in
from tournaments.core.permissions import Actor, can_manage, can_run_rounds, rights_of
from tournaments.events.services import change_event
from tournaments.models import Entry, Event
from tournaments.pages.access import organiser_event, staff_event, staff_only
from tournaments.players.selectors.players import PlayerRow, offers, player_row
from tournaments.players.services.entries import ask_later, check_in, let_in
from tournaments.players.views.players import entry_of, tell_who_is_next

Act = Callable[..., tuple[Entry, ...]]
MOST = 5_000
LONGEST_HERE = 7 * 24 * 60


@require_safe
def door(request: HttpRequest, slug: str) -> HttpResponse:
    event, actor = staff_event(request, slug)
    return page(request, "tournaments/arrivals/door.html", _context(event, actor))


@require_POST
def mark(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Check a player in or undo it; answers with the row and the counts, or the whole page."""
    action = "undo_check_in" if request.POST.get("undo") else "check_in"
    return _mark_and_render(request, slug, number, partial(check_in, action=action))


@require_POST
def fee(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Note that a player has paid, or take it back; answers as ``mark``."""
    paid = not request.POST.get("undo")
    return _mark_and_render(request, slug, number, partial(mark_fee, paid=paid))


@posted
def waiting(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Let somebody of the waiting list in, who is here, or name the next in their place."""
    event, actor = staff_event(request, slug)
    move = ask_later if request.POST.get("later") else let_in
    entry = move(entry=entry_of(event, number), by=actor)
    attach_marks((entry,), marks_in(event))
    words = _("Saved: %(name)s") % {"name": entry.display_name}
    return done(request, words, "tournaments:arrivals", slug)


def _mark_and_render(
    request: HttpRequest, slug: str, number: int, act: Callable[..., Entry]
) -> HttpResponse:
    event, actor = staff_event(request, slug)
    refused, status = "", 200
    try:
        act(entry=entry_of(event, number), by=actor)
    except RuleError as error:
        refused, status = explain(error), status_code(error)
    if not getattr(request, "htmx", None):
        if refused:
            messages.error(request, refused)
        return redirect("tournaments:arrivals", slug)
    row = player_row(event, number)
    if row is None:
        raise Http404
    context = _context(event, actor) | {"row": row, "refused": refused, "fresh": True}
    return render(request, "tournaments/arrivals/_marked.html", context, status=status)


@posted
def opens(request: HttpRequest, slug: str) -> HttpResponse:
    """Store how long before the start players may check themselves in."""
    event, actor = organiser_event(request, slug)
    sent = request.POST.get("minutes", "").strip()
    if not (sent.isascii() and sent.isdigit() and int(sent[:6]) <= LONGEST_HERE):
        raise BadInput(
            "impossible_minutes",
            "Enter a whole number from %(least)s to %(most)s.",
            least=0,
            most=LONGEST_HERE,
        )
    event = change_event(event=event, changes={"here_minutes": int(sent)}, by=actor)
    words = _("Saved.")
    return done(request, words, "tournaments:arrivals", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def everybody(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the players whom "all present" would check in, then check them in."""
    words = _("Mark all as present")
    return _act_on_many(request, slug, words, check_in_many, lambda f: f.absent, look="primary")


@require_http_methods(["GET", "HEAD", "POST"])
def absent(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the absent players, then withdraw them."""
    return _act_on_many(request, slug, _("Drop absent players"), withdraw_many, lambda f: f.absent)


@require_http_methods(["GET", "HEAD", "POST"])
def no_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the players without a list, then withdraw them."""
    words = _("Drop players without a decklist")
    return _act_on_many(
        request, slug, words, withdraw_without_list, lambda found: found.without_list
    )


def _act_on_many(
    request: HttpRequest,
    slug: str,
    words: str,
    act: Act,
    whom: Callable[[Arrivals], Collection[PlayerRow]],
    look: str = "danger",
) -> HttpResponse:
    event, actor = staff_event(request, slug)
    staff_only(can_run_rounds, actor, event)
    context = {"event": event, "actor": actor, "words": words, "look": look}
    status = 200
    if request.method == "POST":
        try:
            moved = act(event=event, numbers=_numbers(request), by=actor)
        except RuleError as error:
            context["error"], status = explain(error), status_code(error)
        else:
            names = ", ".join(entry.display_name for entry in attach_marks(moved, marks_in(event)))
            messages.success(request, _("Saved: %(name)s") % {"name": names})
            tell_who_is_next(request, event)
            return redirect("tournaments:arrivals", slug)
    found = arrivals(event)
    context |= {"rows": whom(found), "waiting": found.waiting if look == "danger" else 0}
    return page(request, "tournaments/arrivals/many.html", context, status=status)


def _numbers(request: HttpRequest) -> set[int]:
    sent = request.POST.getlist("player")[:MOST]
    return {int(one) for one in sent if one.isascii() and one.isdigit() and len(one) < 9}


@require_http_methods(["GET", "HEAD", "POST"])
def scanned(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Show the player of a scanned code, and check them in when the button is pressed."""
    event, actor = staff_event(request, slug)
    entry = entry_of_code(event, code)
    if entry is None:
        raise Http404(_("This code belongs to nobody in this event."))
    context: dict[str, Any] = {"event": event, "actor": actor, "entry": entry}
    status = 200
    if request.method == "POST":
        try:
            arrive = let_in if entry.status == Entry.Status.WAITING else check_in
            arrive(entry=entry, by=actor)
        except RuleError as error:
            context["error"], status = explain(error), status_code(error)
        else:
            return redirect("tournaments:arrive", slug, code)
    found = player_row(event, entry.number)
    waits = entry.status == Entry.Status.WAITING
    context |= {"row": found, "lets_in": waits and event.plan is None}
    context["runs"] = can_run_rounds(actor, event)
    if waits or entry.status == Entry.Status.WITHDRAWN:
        name = "tournaments:manage-player-enter" if waits else "tournaments:manage-player-leave"
        context["offers"] = offers(event, entry)
        context["joins_at"] = reverse(name, args=[slug, entry.number])
    return page(request, "tournaments/arrivals/scanned.html", context, status=status)


def _context(event: Event, actor: Actor) -> dict[str, Any]:
    return {
        "event": event,
        "actor": actor,
        "shown": arrivals(event),
        "runs": can_run_rounds(actor, event),
        "rights": rights_of(actor, event),
        "open": event.plan is None,
        "manages": can_manage(actor, event),
    }


DOOR = "events/<slug:slug>/manage/arrivals/"

urlpatterns = [
    path(DOOR, door, name="arrivals"),
    path(f"{DOOR}<int:number>/", mark, name="arrivals-mark"),
    path(f"{DOOR}<int:number>/fee/", fee, name="arrivals-fee"),
    path(f"{DOOR}<int:number>/waiting/", waiting, name="arrivals-waiting"),
    path(f"{DOOR}opens/", opens, name="arrivals-opens"),
    path(f"{DOOR}all/", everybody, name="arrivals-all"),
    path(f"{DOOR}photo/", photos.photographed, name="arrivals-photo"),
    path(f"{DOOR}absent/", absent, name="arrivals-absent"),
    path(f"{DOOR}no-list/", no_list, name="arrivals-no-list"),
    path("events/<slug:slug>/arrive/<str:code>/", scanned, name="arrive"),
]
