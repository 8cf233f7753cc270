"""An event made from a template, and its settings."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from config.web import RuleFormView
from rules.formulas.adviser import twice_options
from tournaments.forms.event import EventForm, initial_of, settings_of
from tournaments.forms.event_templates import TEMPLATES
from tournaments.permissions import can_create_events
from tournaments.selectors.formulas import formulas_offered
from tournaments.services.events import change_event, create_event
from tournaments.views.access import actor_of
from tournaments.views.advice import asked_advice
from tournaments.views.organiser_form import OrganiserFormView

FIRST = "doomtrooper-original"


class NewEvent(LoginRequiredMixin, RuleFormView):
    """One form for a new event; a template fills it."""

    template_name, form_class = "tournaments/organiser/new.html", EventForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Let only those in who may make events."""
        if request.user.is_authenticated and not can_create_events(actor_of(request)):
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Offer the house formats of who makes the event."""
        return super().get_form_kwargs() | {"owner_id": self.request.user.pk}

    def get_initial(self) -> dict[str, Any]:
        """Fill the form from the chosen template, and with the formula that was advised."""
        return initial_of({**TEMPLATES.get(self._template()).values, **_advised(self.request)})

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the templates to choose from, and the adviser."""
        advice_form, advice = asked_advice(self.request, template=self._template())
        return super().get_context_data(
            templates=TEMPLATES,
            chosen=self._template(),
            advice_form=advice_form,
            advice=advice,
            **kwargs,
        )

    def act(self, form: EventForm) -> HttpResponse:
        """Make the event and go to its home."""
        event = create_event(values=form.values(), by=actor_of(self.request))
        _say(self.request, form.notes)
        messages.success(self.request, _("The event is made. Only its staff see it so far."))
        return redirect("tournaments:manage", event.slug)

    def _template(self) -> str:
        key = self.request.GET.get("template", FIRST)
        return key if key in TEMPLATES else FIRST


class Settings(OrganiserFormView):
    """The settings of an event; what is locked after the start is said."""

    template_name, form_class = "tournaments/organiser/settings.html", EventForm

    def get_form_kwargs(self) -> dict[str, Any]:
        """Show the settings as they are."""
        initial = initial_of(settings_of(self.event))
        locked = self.event.plan is not None
        owner_id = self.event.created_by_id
        more = {"initial": initial, "locked": locked, "owner_id": owner_id}
        return super().get_form_kwargs() | more

    def act(self, form: EventForm) -> HttpResponse:
        """Store what has changed."""
        change_event(event=self.event, changes=form.values(), by=self.actor)
        _say(self.request, form.notes)
        messages.success(self.request, _("The settings are stored."))
        return redirect(reverse("tournaments:manage", args=[self.event.slug]))


def _advised(request: HttpRequest) -> dict[str, Any]:
    """Return the settings that a link of the adviser asks for; those it can't are left aside."""
    values: dict[str, Any] = {}
    formula, minutes = request.GET.get("formula", ""), request.GET.get("minutes", "")
    offered = {item.key: item for item in formulas_offered(request.user.pk)}
    if formula in offered:
        values["formula"] = formula
        values["options"] = twice_options(offered[formula]) if "twice" in request.GET else {}
    if minutes.isascii() and minutes.isdigit() and 0 < int(minutes[:4]) <= 600:
        values["minutes"] = int(minutes[:4])
    return values


def _say(request: HttpRequest, notes: list[str]) -> None:
    for note in notes:
        messages.warning(request, note)
