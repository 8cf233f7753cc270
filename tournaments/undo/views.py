"""Views: undo and redo."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from config.web import rule_errors
from tournaments.desk.views.access import posted_number
from tournaments.log.selectors.log import name_of
from tournaments.pages.access import organiser_event
from tournaments.undo.services.undo import redo, undo


@require_POST
@rule_errors
def log_undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Undo the act that the page showed."""
    event, actor = organiser_event(request, slug)
    line = undo(event=event, expected=posted_number(request, "expected"), by=actor)
    messages.success(request, _("Taken back: %(what)s.") % {"what": name_of(line)})
    return _back(request, slug)


@require_POST
@rule_errors
def log_redo(request: HttpRequest, slug: str) -> HttpResponse:
    """Redo the act that was undone last."""
    event, actor = organiser_event(request, slug)
    line = redo(event=event, expected=posted_number(request, "expected"), by=actor)
    messages.success(request, _("Done again: %(what)s.") % {"what": name_of(line)})
    return _back(request, slug)


def _back(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the event's page that showed the button, else to the log."""
    back = request.POST.get("back", "")
    inside = back.startswith(f"/events/{slug}/")
    if inside and url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        return redirect(back)
    return redirect("tournaments:log", slug)
