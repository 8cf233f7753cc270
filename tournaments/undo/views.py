"""The buttons of undo and redo, and the page that asks for a name before."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from config.api import status_code
from config.web import post_only, render_page, rule_error_response
from config.wording import error_message
from rules.errors import BadInput, RuleError
from tournaments.models import LogLine
from tournaments.pages.access import EVENT, find_organiser_event
from tournaments.pages.views import parse_posted_number
from tournaments.undo.selectors import confirmation_names, logged_action_label, undo_question
from tournaments.undo.services import redo, undo


@post_only
def undo_logged_act(request: HttpRequest, slug: str) -> HttpResponse:
    """Undo the act that the page showed, on POST.

    If a name must be typed, show a page that asks for it.
    """
    return _act_and_redirect(request, slug, undo, _("Undone."))


@post_only
def redo_logged_act(request: HttpRequest, slug: str) -> HttpResponse:
    """Redo the act that was undone last, on POST.

    If a name must be typed, show a page that asks for it.
    """
    return _act_and_redirect(request, slug, redo, _("Saved."))


def _act_and_redirect(
    request: HttpRequest, slug: str, act: Callable[..., LogLine], sentence: str
) -> HttpResponse:
    event, actor = find_organiser_event(request, slug)
    expected, confirm = (
        parse_posted_number(request, "expected"),
        request.POST.get("confirm", "")[:200],
    )
    try:
        line = act(event=event, expected=expected, confirm=confirm, by=actor)
    except BadInput as refused:
        if refused.code != "not_confirmed":
            raise
        line = event.log.get(number=expected)
        context = {
            "event": event,
            "actor": actor,
            "line": line,
            "what": logged_action_label(line),
            "question": undo_question(line, again=act is redo),
            "name": confirmation_names(event, line, again=act is redo)[0],
            "heading": _("Do again") if act is redo else _("Undo"),
            "back": request.POST.get("back", ""),
            "error": error_message(refused) if "confirm" in request.POST else "",
        }
        return render_page(
            request, "tournaments/undo/ask.html", context, status=status_code(refused)
        )
    except RuleError as refused:
        if refused.code != "stale":
            raise
        to = reverse("tournaments:log", args=[slug])
        return rule_error_response(request, refused, back=to, label=_("Open the log"))
    messages.success(request, sentence)
    return _redirect_back(request, slug)


def _redirect_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the event's page that showed the button, else to the log."""
    back = request.POST.get("back", "")
    inside = back.startswith(f"/events/{slug}/")
    if inside and url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        return redirect(back)
    return redirect("tournaments:log", slug)


urlpatterns = [
    path(f"{EVENT}log/undo/", undo_logged_act, name="log-undo"),
    path(f"{EVENT}log/redo/", redo_logged_act, name="log-redo"),
]
