"""What the forms of an event's organisers have in common."""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.web import RuleFormView
from tournaments.models import Event
from tournaments.permissions import Actor
from tournaments.views.organiser import organiser_event


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
