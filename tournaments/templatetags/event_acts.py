"""The acts that move an event on, the buttons that make the next of a chain, the panel of its
regulars, and the warning that another event has the same tables.
"""

from typing import Any

from django import template
from django.template.context import Context

from config.ui_dates import in_words
from tournaments.core.permissions import Actor, can_manage
from tournaments.events.selectors.events import setup_of
from tournaments.events.selectors.table_clashes import table_clashes
from tournaments.models import Event
from tournaments.pages.access import actor_of
from tournaments.repeats.selectors import (
    RegularRow,
    can_repeat,
    last_event,
    next_event,
    regular_rows,
)

register = template.Library()


def _actor(context: Context, event: Event | None = None) -> Actor:
    return context.get("actor") or actor_of(context["request"], event)


@register.inclusion_tag("tournaments/repeats/_repeat.html", takes_context=True)
def repeat_button(context: Context, event: Event, small: bool = False) -> dict[str, Any]:
    """Render *Repeat*, or a link to the next event once it is made; nothing for others.

    No query for who is not signed in; else one, and those of the actor's rights.
    """
    actor = _actor(context, event)
    found = next_event(event, actor)
    shown = found is not None or can_repeat(actor, event)
    return {"event": event, "next": found, "shown": shown, "small": small} | _request(context)


@register.inclusion_tag("tournaments/repeats/_last.html", takes_context=True)
def repeat_last(context: Context) -> dict[str, Any]:
    """Render *Repeat* for the last event of the reader, by name and day.

    Nothing without one, or where it can't be drawn. Two queries.
    """
    last = last_event(_actor(context))
    day = in_words(last.begins, "month") if last else ""
    return {"last": last, "day": day} | _request(context)


@register.inclusion_tag("tournaments/repeats/_regulars.html", takes_context=True)
def regulars_offer(context: Context, event: Event, back: str) -> dict[str, Any]:
    """Render the regulars of the chain to be added before the start; nothing without any.

    ``back`` is the name of the page that comes again. No query without a chain.
    """
    actor = _actor(context, event)
    rows: tuple[RegularRow, ...] = ()
    if event.plan is None and event.source_id is not None and can_manage(actor, event):
        rows = regular_rows(event, actor)
    expected = sum(row.comes for row in rows)
    return {"event": event, "rows": rows, "expected": expected, "back": back} | _request(context)


def _request(context: Context) -> dict[str, Any]:
    return {"request": context["request"], "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("tournaments/events/_table_clashes.html", takes_context=True)
def table_warning(context: Context) -> dict[str, Any]:
    """Render which events of that day and venue have tables of ``event``, and a way out."""
    event = context["event"]
    actor = _actor(context, event)
    found, may_move = table_clashes(event, actor), can_manage(actor, event)
    return {"event": event, "found": found, "may_move": may_move} | _request(context)


@register.inclusion_tag("tournaments/events/_next_acts.html", takes_context=True)
def next_acts(context: Context, event: Event) -> dict[str, Any]:
    """Render the next step of an event, check-in and its other moves; at most four queries."""
    actor = _actor(context, event)
    manages = can_manage(actor, event)
    return _request(context) | {
        "event": event,
        "actor": actor,
        "manages": manages,
        "setup": setup_of(event),
        "remaining": event.remaining_mentions.count() if manages else 0,
    }
