"""The organiser's home: where an event stands, and what comes next."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from config.web import RuleFormView, page, rule_errors
from rules.formulas.adviser import twice_options
from tournaments.advice.views import asked_advice
from tournaments.core.permissions import (
    Actor,
    can_create_events,
    can_manage,
    can_run_rounds,
    is_staff,
)
from tournaments.desk.views.access import unreadable
from tournaments.events.forms.event import EventForm, initial_of, settings_of
from tournaments.events.forms.templates import TEMPLATES
from tournaments.events.selectors.events import is_to_open
from tournaments.events.selectors.setup import setup_of
from tournaments.events.services.events import change_event, create_event, move_event
from tournaments.formulas.selectors import formulas_offered
from tournaments.models import Event
from tournaments.pages.access import actor_of, confirmed_event, staff_only


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
    """A form about an event, for its organisers alone."""

    event: Event
    actor: Actor

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the event; 403 unless who asks organises it."""
        self.event, self.actor = organiser_event(request, kwargs["slug"])
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the event and who asks."""
        return super().get_context_data(**{"event": self.event, "actor": self.actor} | kwargs)


FIRST = "doomtrooper-original"


class NewEvent(LoginRequiredMixin, RuleFormView):
    """One form for a new event; a template fills it."""

    template_name, form_class = "tournaments/events/new.html", EventForm

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

    template_name, form_class = "tournaments/events/settings.html", EventForm

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
