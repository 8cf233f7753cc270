"""The buttons of the clock."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from rules.clock import ClockAction
from tournaments.forms.judging import ClockForm
from tournaments.permissions import can_keep_time
from tournaments.services.clock import run_clock
from tournaments.views.access import staff_only
from tournaments.views.desk import desk
from tournaments.views.desk_access import acts, checked, desk_event


@acts(desk)
def desk_clock(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Start, stop or go on with the clock, or give everybody more time."""
    event, actor = desk_event(request, slug)
    staff_only(can_keep_time(actor, event))
    values = checked(ClockForm(request.POST)).cleaned_data
    action, minutes = ClockAction(values["action"]), values["minutes"] or 0
    run_clock(
        event=event,
        ordinal=ordinal,
        action=action,
        minutes=minutes,
        expected=values["version"],
        by=actor,
    )
    said = {
        ClockAction.START: _("The clock is running."),
        ClockAction.PAUSE: _("The clock is stopped."),
        ClockAction.RESUME: _("The clock goes on."),
        ClockAction.ADD: _("Everybody has more time: +%(minutes)s min.") % {"minutes": minutes},
        ClockAction.RESET: _("The clock is set back to the whole time."),
    }
    messages.success(request, said[action])
    return redirect("tournaments:desk", slug)
