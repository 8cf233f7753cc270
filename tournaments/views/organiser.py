"""The organiser's home: where an event stands, and what comes next."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from config.web import page, rule_errors
from tournaments.models import Event
from tournaments.permissions import Actor, can_manage, can_run_rounds, is_staff
from tournaments.selectors.events import is_to_open
from tournaments.selectors.setup import setup_of
from tournaments.services.events import move_event
from tournaments.views.access import confirmed_event, staff_only
from tournaments.views.desk_access import unreadable


def staff_event(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return the event and who asks; 403 unless they are on its staff."""
    event, actor = confirmed_event(request, slug)
    staff_only(is_staff(actor, event))
    return event, actor


def organiser_event(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return the event and who asks; 403 unless they organise it."""
    event, actor = confirmed_event(request, slug)
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
    if action not in done:
        raise unreadable()
    moved = move_event(event=event, action=action, by=actor)
    later = _("Everybody sees the event now. Registration opens at its time.")
    messages.success(request, later if is_to_open(moved) else done[action])
    return redirect("tournaments:manage", slug)
