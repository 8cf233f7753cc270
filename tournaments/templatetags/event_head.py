"""The head of every page of an event, and its tabs."""

from typing import Any

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.core.permissions import Actor, can_enter_results, can_judge, can_manage
from tournaments.core.visibility import lists_published
from tournaments.events.selectors.events import state_badge
from tournaments.models import Event
from tournaments.pages.access import actor_of

register = template.Library()


@register.inclusion_tag("tournaments/_event_head.html", takes_context=True)
def event_head(context: Context) -> dict[str, Any]:
    """Render name, date, state, tabs, and links to the reader's own pages.

    Takes ``event`` and, if in the context, ``actor``; else at most three queries.
    """
    request, event = context["request"], context["event"]
    actor = context.get("actor") or actor_of(request, event)
    state, tone = state_badge(event)
    judges = event.plan is not None and can_judge(actor, event)
    lists = event.decklists != Event.Decklists.OFF
    return {
        "event": event,
        "state": state,
        "tone": tone,
        "links": [
            (label, _url(name, event), icon)
            for allowed, label, name, icon in (
                (actor.entry_in(event) is not None, _("My page"), "me", "user"),
                (can_enter_results(actor, event), _("Desk"), "desk", "clipboard-list"),
                (can_enter_results(actor, event), _("Screen"), "screen", "monitor"),
                (can_enter_results(actor, event), _("Print"), "sheets", "printer"),
                (judges and lists, _("Deck checks"), "checks", "search-check"),
                (judges and not lists, _("Penalties"), "penalties", "gavel"),
                (can_manage(actor, event), _("Manage"), "manage", "settings"),
            )
            if allowed
        ],
        "tabs": _tabs(event, getattr(request.resolver_match, "url_name", "")),
        "request": request,
    }


@register.filter
def organised_by(event: Event, actor: Actor) -> bool:
    """Say whether the actor may use the organiser's tools of the event."""
    return can_manage(actor, event)


def _tabs(event: Event, here: str) -> list[tuple[str, str, bool]]:
    started = event.plan is not None
    every = (
        (True, _("Overview"), "event"),
        (True, _("Players"), "players"),
        (started, _("Pairings"), "pairings"),
        (started, _("Standings"), "standings"),
        (True, _("Formula"), "formula"),
        (started, _("Ranking"), "ranking"),
        (True, _("Draws"), "draws"),
        (lists_published(event), _("Lists"), "decklists"),
        (lists_published(event), _("Statistics"), "played"),
    )
    return [(label, _url(name, event), name == here) for shown, label, name in every if shown]


def _url(name: str, event: Event) -> str:
    return reverse(f"tournaments:{name}", args=[event.slug])
