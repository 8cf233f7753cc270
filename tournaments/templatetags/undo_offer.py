"""Buttons to undo and redo the last action."""

from typing import Any

from django import template
from django.template.context import Context

from tournaments.core.permissions import can_manage
from tournaments.log_page.selectors import subject_of
from tournaments.models import LogLine
from tournaments.pages.access import actor_of
from tournaments.undo.selectors import (
    acts_at_hand,
    may_undo_at_desk,
    name_of,
    question_before,
    who_acted,
)

register = template.Library()
register.filter("subject", subject_of)
register.filter("act", name_of)
register.filter("asks", question_before)


@register.filter
def asks_again(line: LogLine) -> str:
    """Return the question to confirm before redoing the act that a line took back."""
    return question_before(line, again=True)


@register.inclusion_tag("tournaments/undo/_undo.html", takes_context=True)
def undo_offer(context: Context, always: bool = False, back: str = "") -> dict[str, Any]:
    """Render undo and redo buttons for organisers of ``event`` beside a success message.

    With ``always``, as on the desk, also without a message: the last act of play, with a link to
    the log in place of the button where it is not the actor's own. The forms return to ``back``, or
    to the current page. No query if nothing is rendered; else one, and the actor's.
    """
    request, event = context["request"], context["event"]
    if not always and not len(context.get("messages") or ()):
        return {}
    actor = context.get("actor") or actor_of(request, event)
    if not can_manage(actor, event):
        return {}
    act, again = acts_at_hand(event, of_play=always)
    last = act if act and (always or act.why_not is None) else None
    line = last.line if last else None
    return {
        "event": event,
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "last": last,
        "what": name_of(line) if line else "",
        "who": who_acted(line) if line else "",
        "in_log": last is not None and always and not may_undo_at_desk(last, actor),
        "asks": question_before(line) if line else "",
        "asks_again": question_before(again, again=True) if again else "",
        "again": again,
        "again_what": name_of(again) if again else "",
        "back": back or request.path,
    }
