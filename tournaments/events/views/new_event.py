"""The page of a new event, filled in from a template, a former event or ready-made rules."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from rules.deckbuilding.data.files import ReadyMade, ready_made
from tournaments.advice.views import asked_advice
from tournaments.core.permissions import (
    can_create_events,
    can_manage,
)
from tournaments.events.event_templates import TEMPLATES
from tournaments.events.forms.event import EventForm
from tournaments.events.forms.forecast import advice_line
from tournaments.events.forms.initial import initial_of, settings_of
from tournaments.events.forms.other_game import (
    OtherGameForm,
    ReadyCard,
    ready_cards,
    ready_initial,
    ready_settings,
)
from tournaments.events.selectors.events import former_events
from tournaments.events.services.copies import copy_event
from tournaments.events.services.events import create_event
from tournaments.events.services.other_games import create_event_of_game
from tournaments.events.views.event_form import EventFormView, show_warnings
from tournaments.events.views.linked import advised_settings, typed_values
from tournaments.models import Event
from tournaments.pages.access import (
    actor_of,
)

FIRST_TEMPLATE = "doomtrooper-original"
COPY = "copy"
NOT_COPIED = (
    *("starts_at", "decklist_deadline", "registration_opens", "registration_closes"),
    "listed",
)


class NewEvent(LoginRequiredMixin, EventFormView):
    """The form for a new event, filled from a template or from a former event."""

    template_name = "tournaments/events/new.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return 403 for users who may not create events."""
        if request.user.is_authenticated and not can_create_events(actor_of(request)):
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def get_form_class(self) -> type[EventForm]:
        """Return the form, for a template that asks for the game with its fields."""
        return OtherGameForm if self.asks_game else EventForm

    def get_form_kwargs(self) -> dict[str, Any]:
        """Offer the user's house formats and formulas."""
        kwargs = super().get_form_kwargs() | {"owner_id": self.request.user.pk}
        return kwargs | ({"ready": self.ready} if self.asks_game else {})

    def get_initial(self) -> dict[str, Any]:
        """Return the values of the template or former event, of the adviser and typed before."""
        source = self.source
        template = TEMPLATES.get(self._template())
        values = settings_of(source) if source else template.values
        values = {key: item for key, item in values.items() if key not in NOT_COPIED}
        asked = ready_initial(self.ready) if self.asks_game else {}
        by_ready = ready_settings(self.ready) if self.asks_game else {}
        values = {**by_ready, **values} if template.ready else {**values, **by_ready}
        initial = initial_of({**values, **advised_settings(self.request)}) | asked
        return initial | super().get_initial() | typed_values(self.request, self.ready)

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
            "ready_cards": self._ready_cards() if self.asks_game else (),
            "ready": self.ready,
        }

    def _ready_cards(self) -> tuple[list[ReadyCard], list[ReadyCard]]:
        game = self.request.GET.get("game", "") or (self.ready.game if self.ready else "")
        return ready_cards(game, self.ready)

    def act(self, form: EventForm) -> HttpResponse:
        """Create the event and redirect to its page, saying what comes."""
        values, by = form.values(), actor_of(self.request)
        source = self.source
        if isinstance(form, OtherGameForm) and form.content is not None:
            event = create_event_of_game(content=form.content, values=values, by=by)
        elif source is None:
            event = create_event(values=values, by=by)
        else:
            event = copy_event(source=source, values=values, by=by)
        show_warnings(self.request, form.notes)
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

    @property
    def asks_game(self) -> bool:
        """Return whether the form asks which game the event is of."""
        return self.source is None and TEMPLATES.get(self._template()).asks_game

    @cached_property
    def ready(self) -> ReadyMade | None:
        """Return the ready-made rules chosen above the form."""
        key = self.request.GET.get("ready", TEMPLATES.get(self._template()).ready)
        return next((one for one in ready_made() if one.key == key), None)

    def _template(self) -> str:
        key = self.request.GET.get("template", FIRST_TEMPLATE)
        return key if key in TEMPLATES else FIRST_TEMPLATE
