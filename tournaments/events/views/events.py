"""Pages of organisers: new event, settings, and the steps from draft to finish."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.web import RuleFormView, done, is_fragment, page, posted
from tournaments.advice.views import asked_advice
from tournaments.chain.addresses import has_started
from tournaments.core.permissions import (
    can_create_events,
    can_manage,
    can_run_rounds,
)
from tournaments.events.event_templates import TEMPLATES
from tournaments.events.forms.choices import groups_of, usual_json
from tournaments.events.forms.event import EventForm, initial_of, settings_of
from tournaments.events.forms.forecast import advice_line
from tournaments.events.forms.texts import InformationForm
from tournaments.events.selectors.events import former_events, players_of
from tournaments.events.selectors.setup import setup_of
from tournaments.events.services.copies import copy_event
from tournaments.events.services.events import change_event, create_event, move_event
from tournaments.events.services.rooms import say_other_rooms
from tournaments.events.views.linked import advised_settings, typed_values
from tournaments.models import Event
from tournaments.pages.access import (
    actor_of,
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


FIRST = "doomtrooper-original"
COPY = "copy"
NOT_COPIED = (
    *("starts_at", "decklist_deadline", "registration_opens", "registration_closes"),
    "listed",
)


class EventFormView(RuleFormView):
    """Base view of an event's settings form, and of the parts of it that its script requests."""

    form_class = EventForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the form, or the part named by the script: ``options`` or ``advice``."""
        if not is_fragment(request):
            return super().get(request, *args, **kwargs)
        form = self.get_form()
        if request.GET.get("part") == "options":
            context = {"fields": form.formula_fields(), "form": form}
            return page(request, "tournaments/events/_options.html", context)
        line = advice_line(form, self.players())
        return page(request, "tournaments/events/_advice_line.html", {"line": line})

    def players(self) -> int:
        """Return the number of players once it is known, else 0."""
        return 0

    def get_form_kwargs(self) -> dict[str, Any]:
        """Bind the form to the typed values if a script requests a part of it."""
        kwargs = super().get_form_kwargs()
        if is_fragment(self.request) and self.request.GET.get("part") == "advice":
            kwargs["data"] = self.request.GET
        return kwargs

    def get_initial(self) -> dict[str, Any]:
        """Return the initial values, with the formula that the script has just chosen."""
        initial = super().get_initial()
        if self.request.GET.get("part") == "options":
            initial["formula"] = self.request.GET.get("formula", "")
        return initial

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the groups of choices."""
        context = super().get_context_data(**kwargs)
        groups = groups_of(context["form"])
        changed = sum(group.changed for group in groups)
        return context | {
            "groups": groups,
            "changed": changed,
            "usual": usual_json(context["form"]),
            "fields": context["form"].formula_fields(),
            "any_wrong": any(group.wrong for group in groups),
        }


class NewEvent(LoginRequiredMixin, EventFormView):
    """The form for a new event, filled from a template or from a former event."""

    template_name = "tournaments/events/new.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return 403 for users who may not create events."""
        if request.user.is_authenticated and not can_create_events(actor_of(request)):
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Offer the user's house formats and formulas."""
        return super().get_form_kwargs() | {"owner_id": self.request.user.pk}

    def get_initial(self) -> dict[str, Any]:
        """Return the values of the template or former event, of the adviser and typed before."""
        source = self.source
        values = settings_of(source) if source else TEMPLATES.get(self._template()).values
        values = {key: item for key, item in values.items() if key not in NOT_COPIED}
        initial = initial_of({**values, **advised_settings(self.request)})
        return initial | super().get_initial() | typed_values(self.request)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the templates, former events, the line of advice and the adviser."""
        chosen = COPY if self.source else self._template()
        advice_form, advice = asked_advice(self.request, template=self._template())
        context = super().get_context_data(**kwargs)
        return context | {
            "templates": [item for item in TEMPLATES if item.tile or item.key == chosen],
            "chosen": chosen,
            "picked": "template" in self.request.GET or self.source is not None,
            "former": former_events(actor_of(self.request)),
            "source": self.source,
            "line": advice_line(context["form"]),
            "advice_form": advice_form,
            "advice": advice,
        }

    def act(self, form: EventForm) -> HttpResponse:
        """Create the event and redirect to its page, saying what comes."""
        values, by = form.values(), actor_of(self.request)
        source = self.source
        if source is None:
            event = create_event(values=values, by=by)
        else:
            event = copy_event(source=source, values=values, by=by)
        _show_warnings(self.request, form.notes)
        messages.success(self.request, _("The event is made. Only its staff see it so far."))
        if values["capacity"]:
            messages.info(self.request, advice_line(form).words)
        return redirect("tournaments:manage", event.slug)

    @cached_property
    def source(self) -> Event | None:
        """Return the event to copy, if the user is its organiser; one query for a slug."""
        slug = self.request.GET.get(COPY, "")
        found = Event.objects.filter(slug=slug[:80]).first() if slug else None
        return found if found and can_manage(actor_of(self.request), found) else None

    def _template(self) -> str:
        key = self.request.GET.get("template", FIRST)
        return key if key in TEMPLATES else FIRST


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
        return kwargs | {"initial": initial, "locked": locked, "owner_id": owner_id}

    def act(self, form: EventForm) -> HttpResponse:
        """Store the changed settings."""
        change_event(event=self.event, changes=form.values(), by=self.actor)
        _show_warnings(self.request, form.notes)
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
        """Add the text to preview."""
        context = super().get_context_data(**kwargs)
        return context | {"text": str(context["form"]["information"].value() or "")}

    def act(self, form: InformationForm) -> HttpResponse:
        """Store the text; with ``preview`` show it alone."""
        if "preview" in self.request.POST:
            context = self.get_context_data(form=form)
            fragment = "tournaments/events/_information.html"
            return page(self.request, self.template_name, context, fragment=fragment)
        change_event(event=self.event, changes=form.cleaned_data, by=self.actor)
        words = _("The information is stored.")
        return done(self.request, words, "tournaments:manage-information", self.event.slug)


def _show_warnings(request: HttpRequest, notes: list[str]) -> None:
    for note in notes:
        messages.warning(request, note)


urlpatterns = [
    path("events/new/", NewEvent.as_view(), name="event-new"),
    path(MANAGE, manage, name="manage"),
    path(f"{MANAGE}move/", manage_move, name="manage-move"),
    path(f"{MANAGE}tables/", move_tables, name="manage-tables"),
    path(f"{MANAGE}information/", Information.as_view(), name="manage-information"),
    path(f"{MANAGE}settings/", Settings.as_view(), name="manage-settings"),
]
