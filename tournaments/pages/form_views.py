"""Form views for the organisers of an event."""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.web import RuleFormView
from tournaments.core.permissions import Actor
from tournaments.models import Event
from tournaments.pages.access import organiser_event


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
