"""The buttons that make the next event of a chain and add its regulars."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from config.web import post_only, redirect_with_message
from config.wording import format_moment
from rules.errors import RuleError
from tournaments.pages.access import MANAGE, find_organiser_event
from tournaments.pages.views import bad_request_error
from tournaments.repeats.selectors import next_event
from tournaments.repeats.services import add_regulars, repeat_event

MOST = 5_000
BACK = ("manage-players", "arrivals")
"""The pages that offer the regulars."""


@post_only
def create_next_event(request: HttpRequest, slug: str) -> HttpResponse:
    """Create the next event and redirect to it, or to the one created before."""
    event, actor = find_organiser_event(request, slug)
    try:
        made = repeat_event(source=event, once=True, by=actor)
        words = _("Saved: %(name)s")
    except RuleError as refused:
        there = next_event(event, actor)
        if refused.code != "repeated_already" or there is None:
            raise
        made, words = there, _("The next event already exists: %(name)s.")
    name = f"{made.name}, {format_moment(made.begins, 'all')}"
    return redirect_with_message(
        request, words % {"name": name}, "tournaments:manage-players", made.slug
    )


@post_only
def add_ticked_regulars(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter the ticked regulars in an event."""
    event, actor = find_organiser_event(request, slug)
    keys = []
    for sent in request.POST.getlist("player")[:MOST]:
        other, _slash, number = sent.partition("/")
        if not (number.isascii() and number.isdigit() and len(number) < 9):
            raise bad_request_error()
        keys.append((other, int(number)))
    back = request.POST.get("back", "")
    to = f"tournaments:{back if back in BACK else 'manage-players'}"
    count = len(add_regulars(event=event, keys=keys, by=actor))
    words = _("Players added: %(count)s")
    return redirect_with_message(request, words % {"count": count}, to, event.slug)


urlpatterns = [
    path(f"{MANAGE}repeat/", create_next_event, name="manage-repeat"),
    path(f"{MANAGE}regulars/", add_ticked_regulars, name="manage-regulars"),
]
