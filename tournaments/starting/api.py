"""Endpoint of the start of an event."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from config import transaction
from config.wording import error_message
from rules.errors import BadInput
from rules.plans import start_places
from tournaments.api.request_context import EventView, idempotent_post
from tournaments.api.serialization import EventOutput, event_json, stage_json, validate_input
from tournaments.core.event_state import load_facts
from tournaments.core.formulas import build_plan
from tournaments.core.permissions import can_manage, require_permission
from tournaments.lots import services as draws
from tournaments.lots.api import StartInput
from tournaments.lots.selectors import draw_json
from tournaments.models import Draw, Event
from tournaments.stages.api import DrawOutput, StageOutput
from tournaments.starting import services as starting


class StartedOutput(EventOutput):
    """A started event, with its random draw and first stage."""

    draw = DrawOutput()
    stage = StageOutput()


class StartEvent(EventView):
    """Endpoint: start an event."""

    @idempotent_post("events_start", StartInput, StartedOutput)
    def post(self, request: Request, slug: str) -> Response:
        """Close registration and make the first stage: drawn, by a seed, or as given."""
        require_permission(can_manage(self.actor, self.event))
        draw, event = self._start(validate_input(StartInput, request.data))
        facts = load_facts(event)
        stage = stage_json(facts.stages[0])
        return Response({**event_json(event), "draw": draw_json(draw), "stage": stage})

    @transaction.atomic
    def _start(self, values: dict[str, Any]) -> tuple[Draw, Event]:
        if values.get("groups"):
            draw = self._as_given(values)
        else:
            seed = values.get("seed", "")
            draw = draws.draw_start_order(event=self.event, seed=seed, by=self.actor)
        starting.start_event(
            event=self.event,
            draw_number=draw.number,
            override=values.get("override", ""),
            by=self.actor,
        )
        return draw, Event.objects.get(pk=self.event.pk)

    def _as_given(self, values: Mapping[str, Any]) -> Draw:
        """Record the order that gives the requested seats; raises ValidationError ``groups``."""
        order = _order(self.event, values["groups"])
        try:
            return draws.record_start_order(
                event=self.event,
                order=order,
                witnesses=values.get("witnesses") or "API",
                note=values.get("note", ""),
                by=self.actor,
            )
        except BadInput as wrong:
            raise ValidationError({"groups": [error_message(wrong)]}) from None


def _order(event: Event, groups: list[list[int]]) -> list[int]:
    """Return the start order that leads to these seats. Raises ValidationError ``groups``.

    Players who enter at a later stage form one more group, in the order of their places.
    """
    players = sum(map(len, groups))
    seated = [group.seats for group in build_plan(event, players).stages[0].groups]
    first_stage = {place for seats in seated for place in seats}
    later = tuple(place for place in start_places(players) if place not in first_stage)
    seated += [later] if later else []
    sizes = [len(seats) for seats in seated]
    if sizes != [len(group) for group in groups]:
        words = _("The first stage has groups of these sizes: %(sizes)s.")
        raise ValidationError({"groups": [words % {"sizes": ", ".join(map(str, sizes))}]})
    seats = {
        seat: number
        for places, numbers in zip(seated, groups, strict=True)
        for seat, number in zip(places, numbers, strict=True)
    }
    return [seats[f"S{place}"] for place in range(1, players + 1)]
