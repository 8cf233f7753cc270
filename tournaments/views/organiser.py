"""The organiser's home, and the log."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from config.web import page, rule_errors
from tournaments.models import Event
from tournaments.permissions import Actor, can_manage, can_run_rounds, is_staff
from tournaments.selectors.log import in_words, log_page
from tournaments.selectors.setup import setup_of
from tournaments.selectors.undo import last_act
from tournaments.services.events import move_event
from tournaments.services.undo import undo
from tournaments.views.access import get_event, staff_only
from tournaments.views.desk_access import posted_number


def staff_event(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return the event and who asks; 403 unless they are on its staff."""
    event, actor = get_event(request, slug)
    staff_only(is_staff(actor, event))
    return event, actor


def organiser_event(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return the event and who asks; 403 unless they organise it."""
    event, actor = get_event(request, slug)
    staff_only(can_manage(actor, event))
    return event, actor


@require_safe
def manage(request: HttpRequest, slug: str) -> HttpResponse:
    """Show where the event stands and the next thing to do."""
    event, actor = staff_event(request, slug)
    context = {
        "event": event,
        "actor": actor,
        "setup": setup_of(event),
        "manages": can_manage(actor, event),
        "runs": can_run_rounds(actor, event),
    }
    return page(request, "tournaments/organiser/manage.html", context)


@require_POST
@rule_errors
def manage_move(request: HttpRequest, slug: str) -> HttpResponse:
    """Open or close registration, finish the event, or open it again."""
    event, actor = organiser_event(request, slug)
    action = request.POST.get("action", "")
    done = {
        "open_registration": _("Registration is open."),
        "close_registration": _("Registration is closed."),
        "finish": _("The event is finished."),
        "reopen": _("The event is open again."),
    }
    if action in done:
        move_event(event=event, action=action, by=actor)
        messages.success(request, done[action])
    return redirect("tournaments:manage", slug)


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who did what and when."""
    event, actor = organiser_event(request, slug)
    word = request.GET.get("word", "").replace("\x00", "").strip()[:80]
    shown = log_page(event, word, request.GET.get("page", "1"))
    act = last_act(event)
    context = {"event": event, "actor": actor, "log": shown, "word": word, "act": act}
    context["act_words"] = in_words(act.line) if act else None
    return page(request, "tournaments/organiser/log.html", context)


@require_POST
@rule_errors
def log_undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the last act back, as the page showed it."""
    event, actor = organiser_event(request, slug)
    line = undo(event=event, expected=posted_number(request, "expected"), by=actor)
    messages.success(request, _("Taken back: %(what)s.") % {"what": in_words(line).what})
    return redirect("tournaments:log", slug)
