"""What everybody follows while an event is played: pages that refresh themselves."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from config.web import page, unchanged, version_tag
from tournaments.models import Event
from tournaments.permissions import Actor
from tournaments.selectors.draws import draws_page
from tournaments.selectors.events import registration_of
from tournaments.selectors.facts import EventFacts, load_facts
from tournaments.selectors.formula_layout import picture
from tournaments.selectors.formula_picture import formula_columns
from tournaments.selectors.pairings import pairings_page
from tournaments.selectors.ranking import ranking_page
from tournaments.selectors.rules_in_words import plan_or_reason
from tournaments.selectors.shown_lists import public_leaders
from tournaments.selectors.standings import columns, stage_standings
from tournaments.views.access import get_event, own_entry

Shown = Callable[[EventFacts], Mapping[str, Any]]


def _live(request: HttpRequest, slug: str, name: str, show: Shown) -> HttpResponse:
    """Answer the whole page, its fragment for who polls, or that nothing has changed."""
    event, actor = get_event(request, slug)
    tag = version_tag(request, event.version, name, request.GET.urlencode())
    polls = bool(getattr(request, "htmx", None))
    if polls and (same := unchanged(request, tag)):
        return same
    context = {"event": event, "actor": actor, "own_number": _own_number(actor, event)}
    context |= show(load_facts(event, drafts=False))
    return page(
        request,
        f"tournaments/public/{name}.html",
        context,
        fragment=f"tournaments/public/_{name}.html",
        tag=tag if polls else None,
    )


def _own_number(actor: Actor, event: Event) -> int:
    entry = own_entry(actor, event)
    return entry.number if entry else 0


@require_safe
def pairings(request: HttpRequest, slug: str, ordinal: int | None = None) -> HttpResponse:
    """Show a published round, the latest unless another is asked for."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        shown = pairings_page(facts, ordinal, public_leaders(facts.event))
        if shown is None and ordinal is not None:
            raise Http404
        return {"pairings": shown, "ordinal": ordinal}

    return _live(request, slug, "pairings", show)


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings of every stage, and why each rank is what it is."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        return {"stages": stage_standings(facts), "legend": columns(facts.event)}

    return _live(request, slug, "standings", show)


@require_safe
def formula(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the whole formula as a picture and as a list."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        players = 0 if facts.plan else registration_of(facts.event).players
        plan, note = plan_or_reason(facts.event, players)
        columns = formula_columns(facts, plan) if plan else ()
        return {"columns": columns, "picture": picture(columns), "note": note}

    return _live(request, slug, "formula", show)


@require_safe
def ranking(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the final ranking."""
    return _live(request, slug, "ranking", lambda facts: {"ranking": ranking_page(facts)})


@require_safe
def draws(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every draw, and how to check it."""
    return _live(request, slug, "draws", lambda facts: {"draws": draws_page(facts)})
