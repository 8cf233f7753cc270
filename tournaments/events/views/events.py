"""Pages of organisers: new event, settings, and the steps from draft to finish."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.web import done, page, posted
from tournaments.core.leaders import has_decks
from tournaments.core.permissions import (
    can_manage,
    can_rule,
    can_run_rounds,
)
from tournaments.events.forms.event import EventForm
from tournaments.events.forms.forecast import advice_line
from tournaments.events.forms.initial import initial_of, settings_of
from tournaments.events.forms.texts import InformationForm
from tournaments.events.selectors.events import has_started, players_of
from tournaments.events.selectors.setup import setup_of
from tournaments.events.services.events import change_event, move_event
from tournaments.events.services.rooms import say_other_rooms
from tournaments.events.services.settings import LONGEST_INFORMATION
from tournaments.events.views.event_form import EventFormView, show_warnings
from tournaments.events.views.new_event import NewEvent
from tournaments.models import Event
from tournaments.pages.access import (
    organiser_event,
    staff_event,
)
from tournaments.pages.acting import unreadable_request
from tournaments.pages.addresses import MANAGE
from tournaments.pages.form_views import OrganiserFormView
from tournaments.players.selectors.registration import is_to_open


@require_safe
def manage(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the event's steps, what blocks the next one, and its button."""
    event, actor = staff_event(request, slug)
    context = {
        "event": event,
        "actor": actor,
        "setup": setup_of(event),
        "remaining": event.remaining_mentions.count(),
        "manages": can_manage(actor, event),
        "runs": can_run_rounds(actor, event),
        "rules": can_rule(actor, event),
        "archive": reverse("tournaments_api:archive", args=[slug]),
        "deletable": can_manage(actor, event) and not has_started(event),
    }
    return page(request, "tournaments/events/manage.html", context)


@posted
def manage_move(request: HttpRequest, slug: str) -> HttpResponse:
    """Open or close registration, finish the event, or open it again."""
    event, actor = organiser_event(request, slug)
    action = request.POST.get("action", "")
    words = {
        "open_registration": _("Registration is open."),
        "close_registration": _("Registration is closed."),
        "finish": _("The event is finished."),
        "reopen": _("The event is open again."),
    }
    if action not in words:
        raise unreadable_request()
    moved = move_event(event=event, action=action, by=actor)
    later = _("Everybody sees the event now. Registration opens at its time.")
    return done(request, later if is_to_open(moved) else words[action], "tournaments:manage", slug)


class Settings(OrganiserFormView, EventFormView):
    """The settings of an event; fields locked after the start are disabled."""

    template_name = "tournaments/events/settings.html"

    def players(self) -> int:
        """Return the number of players once registration is closed; one query."""
        return players_of(self.event) if self.event.state == Event.State.CLOSED else 0

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the line of advice before the start."""
        context = super().get_context_data(**kwargs)
        line = None if self.event.plan else advice_line(context["form"], self.players())
        return context | {"line": line}

    def get_form_kwargs(self) -> dict[str, Any]:
        """Fill in the current settings."""
        kwargs = super().get_form_kwargs()
        initial = initial_of(settings_of(self.event)) | kwargs["initial"]
        locked = self.event.plan is not None
        owner_id = self.event.created_by_id
        event = {"locked": locked, "owner_id": owner_id, "decks": has_decks(self.event)}
        return kwargs | {"initial": initial} | event

    def act(self, form: EventForm) -> HttpResponse:
        """Store the changed settings."""
        change_event(event=self.event, changes=form.values(), by=self.actor)
        show_warnings(self.request, form.notes)
        words = _("The settings are stored.")
        return done(self.request, words, reverse("tournaments:manage", args=[self.event.slug]))


@posted
def move_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the event other tables, those that its warning offers; or say that rooms differ."""
    event, actor = organiser_event(request, slug)
    if "other_rooms" in request.POST:
        say_other_rooms(event=event, by=actor)
        words = _("Events in other rooms are not named any more.")
        return done(request, words, "tournaments:manage-settings", slug)
    change_event(event=event, changes={"tables": request.POST.get("tables", "")}, by=actor)
    words = _("The event has other tables now: a draft and the next round get them.")
    return done(request, words, "tournaments:manage-settings", slug)


class Information(OrganiserFormView):
    """The page of information, with a preview while it is written."""

    template_name, form_class = "tournaments/events/information.html", InformationForm
    beside = {"too_long": "information"}

    def get_initial(self) -> dict[str, Any]:
        """Return the stored text."""
        return {"information": self.event.information}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the text to preview; of one that is too long the beginning, as far as is taken."""
        context = super().get_context_data(**kwargs)
        text = str(context["form"]["information"].value() or "")
        return context | {"text": text[:LONGEST_INFORMATION]}

    def act(self, form: InformationForm) -> HttpResponse:
        """Store the text; with ``preview`` show it alone."""
        if "preview" in self.request.POST:
            context = self.get_context_data(form=form)
            fragment = "tournaments/events/_information.html"
            return page(self.request, self.template_name, context, fragment=fragment)
        change_event(event=self.event, changes=form.cleaned_data, by=self.actor)
        words = _("The information is stored.")
        return done(self.request, words, "tournaments:manage-information", self.event.slug)


urlpatterns = [
    path("events/new/", NewEvent.as_view(), name="event-new"),
    path(MANAGE, manage, name="manage"),
    path(f"{MANAGE}move/", manage_move, name="manage-move"),
    path(f"{MANAGE}tables/", move_tables, name="manage-tables"),
    path(f"{MANAGE}information/", Information.as_view(), name="manage-information"),
    path(f"{MANAGE}settings/", Settings.as_view(), name="manage-settings"),
]
