"""The warning that another event has the same tables."""

from typing import Any

from django import template
from django.template.context import Context

from tournaments.core.permissions import can_manage
from tournaments.events.selectors.table_clashes import table_clashes
from tournaments.pages.access import actor_of

register = template.Library()


@register.inclusion_tag("tournaments/events/_table_clashes.html", takes_context=True)
def table_warning(context: Context) -> dict[str, Any]:
    """Render which events of that day and venue have tables of ``event``, and a way out."""
    request, event = context["request"], context["event"]
    actor = context.get("actor") or actor_of(request, event)
    found = table_clashes(event, actor)
    return {
        "event": event,
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "found": found,
        "may_move": can_manage(actor, event),
    }
