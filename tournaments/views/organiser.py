"""The organiser's home, and the log."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from config.web import page, rule_errors
from tournaments.models import Event, Restoration
from tournaments.permissions import Actor, can_manage, can_run_rounds, is_staff
from tournaments.selectors.events import is_to_open
from tournaments.selectors.log import in_words, log_page, name_of
from tournaments.selectors.setup import setup_of
from tournaments.selectors.undo import undoing
from tournaments.services.events import move_event
from tournaments.services.undo import redo, undo
from tournaments.views.access import confirmed_event, staff_only
from tournaments.views.desk_access import posted_number, unreadable


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


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who did what and when, and what of it can be taken back."""
    event, actor = organiser_event(request, slug)
    word = request.GET.get("word", "").replace("\x00", "").strip()[:80]
    shown = log_page(event, word, request.GET.get("page", "1"))
    offer = undoing(event)
    context = {
        "event": event,
        "actor": actor,
        "log": shown,
        "word": word,
        "last": offer.last,
        "last_words": in_words(offer.last.line) if offer.last else None,
        "again": in_words(offer.again) if offer.again else None,
        "undoable": {act.line.number for act in offer.others},
        "brought": Restoration.objects.filter(event=event).select_related("by").first(),
    }
    return page(request, "tournaments/organiser/log.html", context)


@require_POST
@rule_errors
def log_undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Take an act back, as the page showed it."""
    event, actor = organiser_event(request, slug)
    line = undo(event=event, expected=posted_number(request, "expected"), by=actor)
    messages.success(request, _("Taken back: %(what)s.") % {"what": name_of(line)})
    return _back(request, slug)


@require_POST
@rule_errors
def log_redo(request: HttpRequest, slug: str) -> HttpResponse:
    """Do again what was taken back last."""
    event, actor = organiser_event(request, slug)
    line = redo(event=event, expected=posted_number(request, "expected"), by=actor)
    messages.success(request, _("Done again: %(what)s.") % {"what": name_of(line)})
    return _back(request, slug)


def _back(request: HttpRequest, slug: str) -> HttpResponse:
    """Return to the page of the event that showed the button, else to the log."""
    back = request.POST.get("back", "")
    inside = back.startswith(f"/events/{slug}/")
    if inside and url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        return redirect(back)
    return redirect("tournaments:log", slug)
