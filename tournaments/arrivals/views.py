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
from config.web import post_only, redirect_with_message, render_page
from config.wording import error_message
from rules.errors import BadInput, RuleError
from tournaments.arrivals import photos
from tournaments.arrivals.photos import entry_by_code
from tournaments.arrivals.selectors import CheckInList, check_in_list
from tournaments.arrivals.services import (
    check_in_many,
    drop_absent_players,
    drop_players_without_list,
    record_fee_payment,
)
from tournaments.core.names import attach_name_marks, load_name_marks
from tournaments.core.permissions import Actor, can_manage, can_run_rounds, desk_rights
from tournaments.events.services import change_event
from tournaments.models import Entry, Event
from tournaments.pages.access import find_organiser_event, find_staff_event, require_role
from tournaments.players.selectors.players import PlayerRow, joinable_matches, player_row
from tournaments.players.services.entries import (
    admit_waiting_player,
    check_in,
    move_to_waiting_list_end,
)
from tournaments.players.views.players import get_entry_or_404, show_next_waiting_players

Act = Callable[..., tuple[Entry, ...]]
MOST = 5_000
LONGEST_HERE = 7 * 24 * 60


@require_safe
def check_in_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Page of the check-in list, for the staff."""
    event, actor = find_staff_event(request, slug)
    return render_page(request, "tournaments/arrivals/door.html", _context(event, actor))


@require_POST
def mark_checked_in(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Check a player in or undo it; respond with the row and counts, or redirect."""
    action = "undo_check_in" if request.POST.get("undo") else "check_in"
    return _mark_and_render(request, slug, number, partial(check_in, action=action))


@require_POST
def mark_fee_paid(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Record that a player has paid the entry fee, or undo it.

    Responds with the row and counts (htmx), or redirects.
    """
    paid = not request.POST.get("undo")
    return _mark_and_render(request, slug, number, partial(record_fee_payment, paid=paid))


@post_only
def admit_waiting(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Give a waiting player a place and check them in.

    With ``later`` move them to the end of the waiting list instead.
    """
    event, actor = find_staff_event(request, slug)
    move = move_to_waiting_list_end if request.POST.get("later") else admit_waiting_player
    entry = move(entry=get_entry_or_404(event, number), by=actor)
    attach_name_marks((entry,), load_name_marks(event))
    words = _("Saved: %(name)s") % {"name": entry.display_name}
    return redirect_with_message(request, words, "tournaments:arrivals", slug)


def _mark_and_render(
    request: HttpRequest, slug: str, number: int, act: Callable[..., Entry]
) -> HttpResponse:
    event, actor = find_staff_event(request, slug)
    refused, status = "", 200
    try:
        act(entry=get_entry_or_404(event, number), by=actor)
    except RuleError as error:
        refused, status = error_message(error), status_code(error)
    if not getattr(request, "htmx", None):
        if refused:
            messages.error(request, refused)
        return redirect("tournaments:arrivals", slug)
    row = player_row(event, number)
    if row is None:
        raise Http404
    context = _context(event, actor) | {"row": row, "refused": refused, "fresh": True}
    return render(request, "tournaments/arrivals/_marked.html", context, status=status)


@post_only
def change_self_check_in_time(request: HttpRequest, slug: str) -> HttpResponse:
    """Store how many minutes before the start players may check themselves in."""
    event, actor = find_organiser_event(request, slug)
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
    return redirect_with_message(request, words, "tournaments:arrivals", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def check_in_everybody(request: HttpRequest, slug: str) -> HttpResponse:
    """Page that asks whether to check in all absent players, then does."""
    words = _("Mark all as present")
    return _act_on_many(request, slug, words, check_in_many, lambda f: f.absent, look="primary")


@require_http_methods(["GET", "HEAD", "POST"])
def drop_absent(request: HttpRequest, slug: str) -> HttpResponse:
    """Page that asks whether to drop absent players, then does."""
    return _act_on_many(
        request, slug, _("Drop absent players"), drop_absent_players, lambda f: f.absent
    )


@require_http_methods(["GET", "HEAD", "POST"])
def drop_without_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Page that asks whether to drop players without a decklist, then does."""
    words = _("Drop players without a decklist")
    return _act_on_many(
        request, slug, words, drop_players_without_list, lambda found: found.without_list
    )


def _act_on_many(
    request: HttpRequest,
    slug: str,
    words: str,
    act: Act,
    whom: Callable[[CheckInList], Collection[PlayerRow]],
    look: str = "danger",
) -> HttpResponse:
    event, actor = find_staff_event(request, slug)
    require_role(can_run_rounds, actor, event)
    context = {"event": event, "actor": actor, "words": words, "look": look}
    status = 200
    if request.method == "POST":
        try:
            moved = act(event=event, numbers=_numbers(request), by=actor)
        except RuleError as error:
            context["error"], status = error_message(error), status_code(error)
        else:
            names = ", ".join(
                entry.display_name for entry in attach_name_marks(moved, load_name_marks(event))
            )
            messages.success(request, _("Saved: %(name)s") % {"name": names})
            show_next_waiting_players(request, event)
            return redirect("tournaments:arrivals", slug)
    found = check_in_list(event)
    context |= {"rows": whom(found), "waiting": found.waiting if look == "danger" else 0}
    return render_page(request, "tournaments/arrivals/many.html", context, status=status)


def _numbers(request: HttpRequest) -> set[int]:
    sent = request.POST.getlist("player")[:MOST]
    return {int(one) for one in sent if one.isascii() and one.isdigit() and len(one) < 9}


@require_http_methods(["GET", "HEAD", "POST"])
def scanned_player_page(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Page of the player with a scanned check-in code; its button checks them in."""
    event, actor = find_staff_event(request, slug)
    entry = entry_by_code(event, code)
    if entry is None:
        raise Http404(_("This code doesn’t belong to any player in this event."))
    context: dict[str, Any] = {"event": event, "actor": actor, "entry": entry}
    status = 200
    if request.method == "POST":
        try:
            arrive = admit_waiting_player if entry.status == Entry.Status.WAITING else check_in
            arrive(entry=entry, by=actor)
        except RuleError as error:
            context["error"], status = error_message(error), status_code(error)
        else:
            return redirect("tournaments:arrive", slug, code)
    found = player_row(event, entry.number)
    waits = entry.status == Entry.Status.WAITING
    context |= {"row": found, "lets_in": waits and event.plan is None}
    context["runs"] = can_run_rounds(actor, event)
    if waits or entry.status == Entry.Status.WITHDRAWN:
        name = "tournaments:manage-player-enter" if waits else "tournaments:manage-player-leave"
        context["offers"] = joinable_matches(event, entry)
        context["joins_at"] = reverse(name, args=[slug, entry.number])
    return render_page(request, "tournaments/arrivals/scanned.html", context, status=status)


def _context(event: Event, actor: Actor) -> dict[str, Any]:
    return {
        "event": event,
        "actor": actor,
        "shown": check_in_list(event),
        "runs": can_run_rounds(actor, event),
        "rights": desk_rights(actor, event),
        "open": event.plan is None,
        "manages": can_manage(actor, event),
    }


DOOR = "events/<slug:slug>/manage/arrivals/"

urlpatterns = [
    path(DOOR, check_in_page, name="arrivals"),
    path(f"{DOOR}<int:number>/", mark_checked_in, name="arrivals-mark"),
    path(f"{DOOR}<int:number>/fee/", mark_fee_paid, name="arrivals-fee"),
    path(f"{DOOR}<int:number>/waiting/", admit_waiting, name="arrivals-waiting"),
    path(f"{DOOR}opens/", change_self_check_in_time, name="arrivals-opens"),
    path(f"{DOOR}all/", check_in_everybody, name="arrivals-all"),
    path(f"{DOOR}photo/", photos.upload_code_photo, name="arrivals-photo"),
    path(f"{DOOR}absent/", drop_absent, name="arrivals-absent"),
    path(f"{DOOR}no-list/", drop_without_list, name="arrivals-no-list"),
    path("events/<slug:slug>/arrive/<str:code>/", scanned_player_page, name="arrive"),
]
