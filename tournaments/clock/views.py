"""The buttons of the clock, and extra minutes of a table."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _

from config.web import post_only, redirect_with_message, wants_json
from rules.events.clock import ClockAction
from tournaments.clock.forms import ClockForm, ExtensionForm
from tournaments.clock.services import delete_extension, extend_time, run_clock
from tournaments.core.permissions import can_judge, can_keep_time
from tournaments.pages.access import EVENT, ROUND, find_judge_event, find_staff_event, require_role
from tournaments.pages.views import (
    action_view,
    call_view,
    find_staff_match,
    is_from_floor,
    repeatable_post,
    require_valid_form,
    saved_response,
)


@action_view("tournaments:desk")
def control_round_timer(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Start, pause, resume or reset the round timer, or add minutes for all tables."""
    event, actor = find_staff_event(request, slug)
    require_role(can_keep_time, actor, event)
    values = require_valid_form(ClockForm(request.POST)).cleaned_data
    action, minutes = ClockAction(values["action"]), values["minutes"] or 0
    run_clock(
        event=event,
        ordinal=ordinal,
        action=action,
        minutes=minutes,
        expected=values["version"],
        by=actor,
    )
    return redirect_with_message(request, _("Saved."), "tournaments:desk", slug)


@post_only
def remove_extension(request: HttpRequest, slug: str, extension_id: int) -> HttpResponse:
    """Delete a time extension; return to the page it was sent from."""
    event, actor = find_judge_event(request, slug)
    found = delete_extension(event=event, extension_id=extension_id, by=actor)
    messages.success(request, _("Removed."))
    if is_from_floor(request):
        return redirect("tournaments:floor", slug)
    return redirect("tournaments:match", slug, found.pk)


def _render_origin(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    if is_from_floor(request):
        return call_view("tournaments:floor", request, slug=slug)
    return call_view("tournaments:match", request, slug=slug, match_id=match_id)


@repeatable_post
@action_view(_render_origin, "match_id")
def extend_match_time(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Give the table of a match a time extension."""
    found, actor = find_staff_match(request, slug, match_id)
    require_role(can_judge, actor, found.round.event)
    if found.size == 1:
        raise Http404
    values = require_valid_form(ExtensionForm(request.POST)).cleaned_data
    given = extend_time(match=found, **values, by=actor)
    names = {"table": found.plays_at or found.number, "minutes": given.minutes}
    sentence = _("Table %(table)s: +%(minutes)s min.") % names
    if not is_from_floor(request):
        return saved_response(request, sentence, found)
    to = reverse("tournaments:floor", args=[slug], query={"given": given.pk})
    if wants_json(request):
        return JsonResponse({"status": "saved", "sentence": sentence, "to": to})
    return redirect(to)


urlpatterns = [
    path(f"{ROUND}clock/", control_round_timer, name="desk-clock"),
    path(f"{EVENT}matches/<int:match_id>/extend/", extend_match_time, name="match-extend"),
    path(
        f"{EVENT}extra-time/<int:extension_id>/take-back/",
        remove_extension,
        name="extension-take-back",
    ),
]
