"""Pages of lists open to the reader: lists, downloads, sheets, statistics; publishing them."""

from typing import NoReturn

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from config.static_files import READ_BY_ALL
from config.web import post_only, redirect_with_message
from decks.decklists.selectors import decklist_row
from decks.decklists.services import AS_SENT, download_response
from decks.decklists.sheets import DeckSheet
from decks.models import Decklist
from tournaments.core.facts_cache import read_facts
from tournaments.core.visibility import VisibleDecklists, are_lists_public, visible_decklists
from tournaments.decklists.selectors.played import deck_statistics_context
from tournaments.decklists.selectors.shown_lists import (
    download_formats,
    find_entry_with_decklist,
    printable_decklist_of_entry,
    printable_decklists,
    readable_decklist_lines,
)
from tournaments.decklists.services import hide_decklists, publish_decklists, release_decklists
from tournaments.models import Entry, Event
from tournaments.pages.access import (
    EVENT,
    MANAGE,
    allow_caching,
    find_judge_event,
    find_organiser_event,
    find_staff_event,
    find_visible_event,
    public_read,
)
from tournaments.pages.long_lists import is_split_into_parts, parse_requested_part
from tournaments.pages.views import action_view, parse_posted_number
from tournaments.players.views.access import require_own_entry

PAGES = "tournaments/decklists"
unkept = cache_control(private=True, no_store=True)
"""Decorates pages of lists: what they show may be hidden again."""


def raise_hidden_decklist(sight: VisibleDecklists) -> NoReturn:
    """Refuse to show a decklist: PermissionDenied for people of the event, else Http404.

    ``sight.belongs`` says which.
    """
    if sight.belongs:
        raise PermissionDenied(_("You can’t view this decklist."))
    raise Http404


@require_safe
@unkept
def decklists(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the list of players whose decklists the reader may open."""
    event, actor = find_visible_event(request, slug)
    sight = visible_decklists(actor, event)
    facts = read_facts(event) if event.plan else None
    lines = readable_decklist_lines(event, sight, facts)
    if not sight.whole and all(actor.is_entry(line.entry) for line in lines):
        raise_hidden_decklist(sight)
    request.META[READ_BY_ALL] = are_lists_public(event)
    context = {
        "event": event,
        "actor": actor,
        "facts": facts,
        "lines": lines,
        "sight": sight,
        "wanted": parse_requested_part(request.GET),
        "long": is_split_into_parts(len(lines)),
        "leaders": any(line.leader for line in lines),
        "to_lists": True,
    }
    return render(request, f"{PAGES}/shown.html", context)


def get_readable_decklist(
    event: Event, number: int, sight: VisibleDecklists
) -> tuple[Entry, Decklist]:
    """Return (entry, decklist) of a player by number.

    Raises Http404 if there is none, PermissionDenied or Http404 if it is hidden.
    """
    entry = find_entry_with_decklist(event, number)
    if entry is None:
        raise Http404
    if not sight.reads(entry):
        raise_hidden_decklist(sight)
    if entry.submission is None:
        raise Http404
    return entry, entry.submission.decklist


@require_safe
@unkept
def decklist(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show one decklist."""
    event, actor = find_visible_event(request, slug)
    sight = visible_decklists(actor, event)
    entry, found = get_readable_decklist(event, number, sight)
    request.META[READ_BY_ALL] = are_lists_public(event)
    context = {
        "event": event,
        "actor": actor,
        "entry": entry,
        "decklist": decklist_row(found),
        "files": download_formats(),
        "sight": sight,
    }
    return render(request, f"{PAGES}/decklist.html", context)


@require_safe
def decklist_file(request: HttpRequest, slug: str, number: int, kind: str) -> HttpResponse:
    """Download a decklist as a file; the original upload only for its player and judges.

    ``kind``: csv, json, text, xlsx or upload.
    """
    event, actor = find_visible_event(request, slug)
    sight = visible_decklists(actor, event)
    entry, found = get_readable_decklist(event, number, sight)
    if kind == AS_SENT and not (sight.every or actor.is_entry(entry)):
        raise Http404
    return download_response(found, kind)


@public_read()
def deck_statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the decklist statistics; 404 unless all decklists are public."""
    event, actor = find_visible_event(request, slug)
    if not are_lists_public(event):
        raise Http404
    shown = deck_statistics_context(read_facts(event))
    allow_caching(request, actor, event)
    context = {"event": event, "actor": actor, "played": shown}
    return render(request, f"{PAGES}/played.html", context)


@post_only
def publish_lists(request: HttpRequest, slug: str) -> HttpResponse:
    """Publish all decklists of a finished event; redirect to the players."""
    event, actor = find_organiser_event(request, slug)
    publish_decklists(event=event, by=actor)
    words = _("Saved.")
    return redirect_with_message(request, words, "tournaments:manage-players", slug)


@post_only
def hide_lists(request: HttpRequest, slug: str) -> HttpResponse:
    """Hide all published decklists again; redirect to the players."""
    event, actor = find_organiser_event(request, slug)
    hide_decklists(event=event, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:manage-players", slug)


@action_view("tournaments:desk")
def release_lists(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the open stage's withheld decklists to its players; redirect to the desk."""
    event, actor = find_staff_event(request, slug)
    expected = parse_posted_number(request, "expected_stage")
    release_decklists(event=event, expected_stage=expected, by=actor)
    words = _("Saved.")
    return redirect_with_message(request, words, "tournaments:desk", slug)


@require_safe
@unkept
def deck_sheets(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the printable decklists of all players."""
    event, _actor = find_judge_event(request, slug)
    sheets, without = printable_decklists(event)
    return _page(request, event, sheets, without)


@require_safe
@unkept
def deck_sheet(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a player's printable decklist, or that there is none."""
    event, _actor = find_judge_event(request, slug)
    sheets, without = printable_decklist_of_entry(event, number)
    if not sheets and not without:
        raise Http404
    return _page(request, event, sheets, without)


@require_safe
@unkept
def my_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """Show players their own printable decklist, or that there is none."""
    event, entry, _actor = require_own_entry(request, slug)
    sheets, _without = printable_decklist_of_entry(event, entry.number)
    return _page(request, event, sheets)


def _page(
    request: HttpRequest,
    event: Event,
    sheets: tuple[DeckSheet, ...],
    without: tuple[Entry, ...] = (),
) -> HttpResponse:
    context = {"event": event, "sheets": sheets, "without": without}
    return render(request, "tournaments/checks/sheets.html", context)


urlpatterns = [
    path(f"{MANAGE}lists/publish/", publish_lists, name="lists-publish"),
    path(f"{MANAGE}lists/release/", release_lists, name="lists-release"),
    path(f"{MANAGE}lists/hide/", hide_lists, name="lists-hide"),
    path("events/<slug:slug>/decklists/", decklists, name="decklists"),
    path("events/<slug:slug>/decklists/<int:number>/", decklist, name="decklist"),
    path(
        "events/<slug:slug>/decklists/<int:number>/<slug:kind>/",
        decklist_file,
        name="decklist-file",
    ),
    path("events/<slug:slug>/played/", deck_statistics, name="played"),
    path(f"{EVENT}sheets/", deck_sheets, name="deck-sheets"),
    path(f"{EVENT}sheets/<int:number>/", deck_sheet, name="deck-sheet"),
    path(f"{EVENT}me/deck/sheet/", my_sheet, name="my-sheet"),
]
