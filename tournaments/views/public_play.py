"""What everybody follows while an event is played: pages that refresh themselves."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from config.web import page, unchanged, version_tag
from tournaments.models import Event
from tournaments.permissions import Actor
from tournaments.selectors.announcements import current_announcements
from tournaments.selectors.clock import clock_beat, current_clock
from tournaments.selectors.draws import draws_page
from tournaments.selectors.events import registration_of
from tournaments.selectors.facts import EventFacts, load_facts
from tournaments.selectors.formula_layout import picture
from tournaments.selectors.formula_picture import formula_columns
from tournaments.selectors.notes import rulings_of
from tournaments.selectors.pairings import pairings_page
from tournaments.selectors.ranking import ranking_page
from tournaments.selectors.rules_in_words import plan_or_reason
from tournaments.selectors.shown_lists import public_leaders
from tournaments.selectors.standings import columns, stage_standings
from tournaments.selectors.verdicts import current_stage
from tournaments.views.access import confirmed_event, own_entry
from tournaments.views.live import CLOCK, with_clock

Shown = Callable[[EventFacts], Mapping[str, Any]]


def _live(request: HttpRequest, slug: str, name: str, show: Shown) -> HttpResponse:
    """Answer the whole page, its fragment for who polls, or that nothing has changed."""
    event, actor = confirmed_event(request, slug)
    announced = current_announcements(event)
    marks = [each.pk for each in announced]
    tag = version_tag(request, event.version, name, request.GET.urlencode(), *marks)
    polls = bool(getattr(request, "htmx", None))
    if polls and (same := unchanged(request, tag)):
        return with_clock(same, event) if name == "pairings" else same
    context = {"event": event, "actor": actor, "own_number": _own_number(actor, event)}
    context |= {"announcements": announced, "fragment": f"tournaments/public/_{name}.html"}
    context |= show(load_facts(event, drafts=False))
    response = page(
        request,
        f"tournaments/public/{name}.html",
        context,
        fragment="tournaments/public/_live.html",
        tag=tag if polls else None,
    )
    return with_clock(response, event) if polls and name == "pairings" else response


def _own_number(actor: Actor, event: Event) -> int:
    entry = own_entry(actor, event)
    return entry.number if entry else 0


@require_safe
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Say what is left of the round, and nothing else: one query, whoever asks."""
    told = clock_beat(slug)
    if told is None:
        confirmed_event(request, slug)  # 404, but for the staff of a draft
        told = ""
    headers = {CLOCK: told, "Cache-Control": "no-store"}
    return HttpResponse(told, content_type="text/plain", headers=headers)


@require_safe
def pairings(request: HttpRequest, slug: str, ordinal: int | None = None) -> HttpResponse:
    """Show a published round, the latest unless another is asked for."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        leaders, rulings = public_leaders(facts.event), rulings_of(facts.event)
        shown = pairings_page(facts, ordinal, leaders, rulings)
        if shown is None and ordinal is not None:
            raise Http404
        clock = current_clock(facts) if shown and shown.is_latest else None
        return {"pairings": shown, "ordinal": ordinal, "clock": clock}

    return _live(request, slug, "pairings", show)


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings of every stage, and why each rank is what it is."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        stages = stage_standings(facts)
        has_tables = any(stage.tables for stage in stages)
        return {
            "stages": stages,
            "legend": columns(facts.event) if has_tables else (),
            "foreseen": current_stage(facts) is not None,
        }

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
