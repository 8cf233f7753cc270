"""The page of the rulings of an event."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from config.api import status_of
from config.web import done, page
from config.wording import add_refusal
from rules.errors import RuleError
from tournaments.core.permissions import can_rule
from tournaments.events.forms.texts import RulingsForm
from tournaments.events.services.rulings import fingerprint, rule_event
from tournaments.pages.access import staff_event, staff_only
from tournaments.pages.addresses import EVENT


def rulings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show and store the rulings of the event."""
    event, actor = staff_event(request, slug)
    staff_only(can_rule, actor, event)
    status = 200
    form = RulingsForm(initial={"rulings": event.rulings, "seen": fingerprint(event.rulings)})
    if request.method == "POST":
        status, form = 400, RulingsForm(request.POST)
        if form.is_valid():
            try:
                rule_event(event=event, **form.cleaned_data, by=actor)
            except RuleError as error:
                add_refusal(form, error)
                status = status_of(error)
            else:
                words = _("The rulings are stored: players see them.")
                return done(request, words, "tournaments:desk", slug)
    context = {"event": event, "actor": actor, "form": form}
    return page(request, "tournaments/events/rulings.html", context, status=status)


urlpatterns = [
    path(f"{EVENT}rulings/", rulings, name="rulings"),
]
