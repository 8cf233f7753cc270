"""What a link to a public page of an event shows where it is shared."""

from typing import Any

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.translation import gettext as _

from config.ui_dates import in_words
from tournaments.events.selectors.events import state_badge
from tournaments.models import Event
from tournaments.sharing.views import picture_address

register = template.Library()
SUBJECTS = {"standings": "standings"}


@register.inclusion_tag("tournaments/sharing/_head.html", takes_context=True)
def sharing_head(context: Context) -> dict[str, Any]:
    """Render title, words and picture of the page: its event, its standings or its player.

    No query. Addresses are absolute, and the picture's has the version in it.
    """
    request, event = context["request"], context["event"]
    here = request.resolver_match
    name = getattr(here, "url_name", "")
    subject, title = SUBJECTS.get(name, "event"), event.name
    if subject == "standings":
        title = " – ".join((_("Standings"), event.name))
    shown = context.get("shown")
    if name == "player" and shown is not None:
        subject = f"player-{here.kwargs['number']}"
        title = f"{shown['entry'].name} – {event.name}"
    path = reverse(here.view_name, args=here.args, kwargs=here.kwargs)
    return {
        "title": title,
        "about": _event_in_words(event),
        "address": request.build_absolute_uri(path),
        "picture": request.build_absolute_uri(picture_address(event, subject)),
    }


def _event_in_words(event: Event) -> str:
    local = event.starts_at.astimezone(event.zone)
    return " · ".join(filter(None, (state_badge(event)[0], in_words(local, "all"), event.venue)))
