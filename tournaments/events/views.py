"""Pages of organisers: new event, settings, and the steps from draft to finish."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from config.web import RuleFormView, page, rule_errors
from rules.formulas.adviser import twice_options
from rules.registry import Registry
from tournaments.advice.views import asked_advice
from tournaments.core.permissions import (
    Actor,
    can_create_events,
    can_manage,
    can_run_rounds,
)
from tournaments.desk.views.access import unreadable
from tournaments.events.forms.event import EventForm, initial_of, settings_of
from tournaments.events.selectors.events import is_to_open
from tournaments.events.selectors.setup import setup_of
from tournaments.events.services.events import change_event, create_event, move_event
from tournaments.formulas.selectors import formulas_offered
from tournaments.models import Event
from tournaments.pages.access import (
    actor_of,
    organiser_event,
    staff_event,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTemplate:
    """Initial settings of a new event; ``values`` are settings by name."""

    key: str
    label: str | Promise
    about: str | Promise
    values: Mapping[str, Any] = field(default_factory=dict)


TEMPLATES: Registry[EventTemplate] = Registry("template")

TEMPLATES.add(
    EventTemplate(
        key="doomtrooper-original",
        label=gettext_lazy("Doomtrooper Original, Mutant Chronicles formula"),
        about=gettext_lazy("Groups, second groups, repechage and a final; 60 minutes a round."),
        values={"format": "doomtrooper-original", "formula": "mutant-chronicles", "minutes": 60},
    )
)
TEMPLATES.add(
    EventTemplate(
        key="creatures-of-exo",
        label=gettext_lazy("Creatures of Exo, groups and knock-out"),
        about=gettext_lazy("Groups of about four, then single elimination; 50 minutes a round."),
        values={"format": "creatures-of-exo", "formula": "groups-knockout", "minutes": 50},
    )
)
TEMPLATES.add(
    EventTemplate(
        key="single-group",
        label=gettext_lazy("Single group"),
        about=gettext_lazy("Everybody meets everybody; good for an evening with few players."),
        values={
            "format": "doomtrooper-original",
            "formula": "single-group",
            "minutes": 50,
        },
    )
)
TEMPLATES.add(
    EventTemplate(
        key="blank", label=gettext_lazy("Blank"), about=gettext_lazy("Choose everything yourself.")
    )
)


@require_safe
def manage(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the event's steps, what blocks the next one, and its button."""
    event, actor = staff_event(request, slug)
    context = {
        "event": event,
        "actor": actor,
        "setup": setup_of(event),
        "manages": can_manage(actor, event),
        "runs": can_run_rounds(actor, event),
    }
    return page(request, "tournaments/events/manage.html", context)


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


class OrganiserFormView(RuleFormView):
    """Base of forms that change an event; organisers only."""

    event: Event
    actor: Actor

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the event; 403 for others than its organisers."""
        self.event, self.actor = organiser_event(request, kwargs["slug"])
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the event and the actor."""
        return super().get_context_data(**{"event": self.event, "actor": self.actor} | kwargs)


FIRST = "doomtrooper-original"


class NewEvent(LoginRequiredMixin, RuleFormView):
    """The form for a new event, filled from a template."""

    template_name, form_class = "tournaments/events/new.html", EventForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return 403 for users who may not create events."""
        if request.user.is_authenticated and not can_create_events(actor_of(request)):
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Offer the user's house formats and formulas."""
        return super().get_form_kwargs() | {"owner_id": self.request.user.pk}

    def get_initial(self) -> dict[str, Any]:
        """Return the values of the chosen template and of the adviser's link."""
        return initial_of({**TEMPLATES.get(self._template()).values, **_advised(self.request)})

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the templates and the adviser."""
        advice_form, advice = asked_advice(self.request, template=self._template())
        return super().get_context_data(
            templates=TEMPLATES,
            chosen=self._template(),
            advice_form=advice_form,
            advice=advice,
            **kwargs,
        )

    def act(self, form: EventForm) -> HttpResponse:
        """Create the event and redirect to its page."""
        event = create_event(values=form.values(), by=actor_of(self.request))
        _say(self.request, form.notes)
        messages.success(self.request, _("The event is made. Only its staff see it so far."))
        return redirect("tournaments:manage", event.slug)

    def _template(self) -> str:
        key = self.request.GET.get("template", FIRST)
        return key if key in TEMPLATES else FIRST


class Settings(OrganiserFormView):
    """The settings of an event; fields locked after the start are disabled."""

    template_name, form_class = "tournaments/events/settings.html", EventForm

    def get_form_kwargs(self) -> dict[str, Any]:
        """Fill in the current settings."""
        initial = initial_of(settings_of(self.event))
        locked = self.event.plan is not None
        owner_id = self.event.created_by_id
        more = {"initial": initial, "locked": locked, "owner_id": owner_id}
        return super().get_form_kwargs() | more

    def act(self, form: EventForm) -> HttpResponse:
        """Store the changed settings."""
        change_event(event=self.event, changes=form.values(), by=self.actor)
        _say(self.request, form.notes)
        messages.success(self.request, _("The settings are stored."))
        return redirect(reverse("tournaments:manage", args=[self.event.slug]))


def _advised(request: HttpRequest) -> dict[str, Any]:
    """Return the settings in an adviser's link; invalid ones are ignored."""
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
