"""Deck sheets to print: everybody's and one player's for the judges, a player's own."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from decks.decklists.sheets import Sheet
from tournaments.models import Entry, Event
from tournaments.players.views.access import player_of
from tournaments.selectors.sheets import sheets_of, sheets_of_entry
from tournaments.views.checks import judged_event


@require_safe
def deck_sheets(request: HttpRequest, slug: str) -> HttpResponse:
    """Show everybody's list, a page each."""
    event, _actor = judged_event(request, slug)
    sheets, without = sheets_of(event)
    return _page(request, event, sheets, without)


@require_safe
def deck_sheet(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show one player's list, or that there is none."""
    event, _actor = judged_event(request, slug)
    sheets, without = sheets_of_entry(event, number)
    if not sheets and not without:
        raise Http404
    return _page(request, event, sheets, without)


@require_safe
def my_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a player the own list, or that there is none."""
    event, entry, _actor = player_of(request, slug)
    sheets, _without = sheets_of_entry(event, entry.number)
    return _page(request, event, sheets)


def _page(
    request: HttpRequest, event: Event, sheets: tuple[Sheet, ...], without: tuple[Entry, ...] = ()
) -> HttpResponse:
    context = {"event": event, "sheets": sheets, "without": without}
    answer = render(request, "tournaments/checks/sheets.html", context)
    answer["Cache-Control"] = "private, no-store"
    return answer
