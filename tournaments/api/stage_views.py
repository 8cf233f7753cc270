"""The base of calls about the stages of an event."""

from collections.abc import Callable

from django.http import Http404
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.request_context import (
    EventView,
    number_parameters,
    query_parameters,
    text_parameters,
)
from tournaments.api.serialization import Json
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import is_staff
from tournaments.models import Event, Stage

OF_GROUPS = query_parameters("stage", "group")
"""Parameters of `StageView.requested_stage` and `requested_groups`."""


class StageView(EventView):
    """Base class of endpoints about an event's stages; finds stages and groups by parameter."""

    def facts(self) -> EventFacts:
        """Return the state of the event, as far as the caller may see it; after a write, anew."""
        event = self.event
        if self.request.method not in SAFE_METHODS:
            event = Event.objects.filter(pk=event.pk).first() or event
        return read_facts(event, for_staff=is_staff(self.sight, event))

    def stage(self, facts: EventFacts, number: int) -> StageFacts:
        """Return a stage by its number; raises Http404 if there is none."""
        found = next((stage for stage in facts.stages if stage.stage.number == number), None)
        if found is None:
            raise Http404
        return found

    def requested_stage(self, request: Request) -> StageFacts | None:
        """Return the requested stage, None if it has not begun; raises Http404 if unknown."""
        facts = read_facts(self.event)
        begun = [one for one in facts.stages if one.stage.state != Stage.State.PENDING]
        number = number_parameters(request, "stage").get("stage")
        if number is None:
            return begun[-1] if begun else None
        wanted = self.stage(facts, number)
        return wanted if wanted in begun else None

    def of_stage(
        self, request: Request, rows: Callable[[Request, StageFacts], list[Json]]
    ) -> Response:
        """Return the rows of the requested stage; none if it has not begun."""
        if (same := self.not_modified(request)) is not None:
            return same
        stage = self.requested_stage(request)
        return self.answer(request, rows(request, stage) if stage else [])

    def requested_groups(self, request: Request, stage: StageFacts) -> list[str]:
        """Return the names of the requested groups; raises Http404 if unknown."""
        known = list(stage.state.seats)
        wanted = text_parameters(request, "group").get("group")
        if wanted is not None and wanted not in known:
            raise Http404
        return known if wanted is None else [wanted]
