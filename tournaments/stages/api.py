"""Stages through the API: seen, closed, second leg, lots.

Contracts, API.
"""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from config import transaction
from rules.errors import RuleError
from rules.wording import gettext_noop
from tournaments.api.idempotency import once
from tournaments.api.request_context import EventView
from tournaments.api.serialization import stage_json
from tournaments.core.event_state import EventFacts, StageFacts, load_facts
from tournaments.core.permissions import can_rule, is_staff, require
from tournaments.lots import services as draws
from tournaments.lots.serializers import LotsInput
from tournaments.models import Draw
from tournaments.stages import services as stages
from tournaments.stages.serializers import ClosedOutput, DrawOutput, StageOutput


class StageView(EventView):
    """Base class of the endpoints for the stages of an event."""

    def facts(self) -> EventFacts:
        """Return the state of the event, as far as the caller may see it."""
        return load_facts(self.event, drafts=is_staff(self.sight, self.event))

    def stage(self, facts: EventFacts, number: int) -> StageFacts:
        """Return a stage by its number; raises Http404 if there is none."""
        found = next((stage for stage in facts.stages if stage.stage.number == number), None)
        if found is None:
            raise Http404
        return found


class StageList(StageView):
    """The stages in order."""

    @extend_schema(operation_id="stages_list", responses=StageOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return all stages; none before the start."""
        same = self.not_modified(request)
        return same or self.answer(request, [stage_json(stage) for stage in self.facts().stages])


class Close(StageView):
    """The end of a stage."""

    @extend_schema(operation_id="stages_close", request=None, responses=ClosedOutput)
    @once
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Close the stage and seat the next; 409 with what is missing."""
        self.stage(load_facts(self.event), number)
        following = stages.close_stage(event=self.event, expected_stage=number, by=self.actor)
        facts = load_facts(self.event)
        closed = self.stage(facts, number)
        opened = stage_json(self.stage(facts, following.number)) if following else None
        return Response({"places": dict(closed.stage.places), "next": opened})


class SecondLeg(StageView):
    """The second leg of a stage."""

    @extend_schema(operation_id="stages_second_leg", request=None, responses=StageOutput)
    @once
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Decide it while the first leg runs."""
        self.stage(load_facts(self.event), number)
        stages.decide_second_leg(event=self.event, expected_stage=number, by=self.actor)
        return Response(stage_json(self.stage(load_facts(self.event), number)))


class Lots(StageView):
    """Lots among one tied set of a stage."""

    @extend_schema(operation_id="stages_lots", request=LotsInput, responses={201: DrawOutput})
    @once
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Draw them, or record the order in which they were drawn by hand."""
        require(can_rule(self.actor, self.event))
        sent = LotsInput(data=request.data)
        sent.is_valid(raise_exception=True)
        draw = self._draw(number, sent.validated_data)
        drawn = {"number": draw.number, "order": list(draw.order), "seed": draw.seed}
        return Response(drawn, status=201)

    @transaction.atomic
    def _draw(self, number: int, values: dict[str, Any]) -> Draw:
        facts = load_facts(self.event)
        stage = self.stage(facts, number)
        check_current(stage, facts.open_stage or facts.stages[-1])
        if not values.get("order"):
            return draws.draw_lots(event=self.event, tied=first_tied(stage), by=self.actor)
        return draws.record_lots(
            event=self.event,
            order=values["order"],
            witnesses=values.get("witnesses") or values.get("note") or "API",
            note=values.get("note", ""),
            by=self.actor,
        )


def check_current(stage: StageFacts, current: StageFacts | None) -> None:
    """Raise RuleError ``stage_not_open`` unless the stage is the current one."""
    if stage is not current:
        raise RuleError(
            "stage_not_open",
            gettext_noop("This stage is not in progress. Nothing was made."),
        )


def first_tied(stage: StageFacts) -> list[int]:
    """Return the tied set that blocks the stage."""
    if not stage.outcome.lots_needed:
        raise RuleError(
            "not_tied",
            gettext_noop("No place of this stage depends on level players now. Nothing was done."),
        )
    return [int(player) for player in stage.outcome.lots_needed[0]]
