"""The acts that move an event on, at the head of its players."""

from typing import Any

from django import template
from django.template.context import Context

from tournaments.core.permissions import can_manage
from tournaments.events.selectors.setup import setup_of
from tournaments.models import Event
from tournaments.pages.access import actor_of

register = template.Library()


@register.inclusion_tag("tournaments/events/_next_acts.html", takes_context=True)
def next_acts(context: Context, event: Event) -> dict[str, Any]:
    """Render the next step of an event, check-in and its other moves; at most four queries."""
    request = context["request"]
    actor = context.get("actor") or actor_of(request, event)
    manages = can_manage(actor, event)
    return {
        "event": event,
        "actor": actor,
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "manages": manages,
        "setup": setup_of(event),
        "remaining": event.remaining_mentions.count() if manages else 0,
    }
