"""Endpoints of stages: listed, closed, second leg."""

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from rules.errors import RuleError
from rules.wording import gettext_noop
from tournaments.api.idempotency import once
from tournaments.api.listing import filters, numbers, texts
from tournaments.api.request_context import EventView
from tournaments.api.serialization import stage_json
from tournaments.core.event_state import EventFacts, StageFacts, load_facts
from tournaments.core.held_facts import read_facts
from tournaments.core.permissions import is_staff
from tournaments.models import Stage
from tournaments.pages.offers import public_read
from tournaments.stages import services as stages
from tournaments.stages.serializers import ClosedOutput, StageOutput

OF_GROUPS = filters("stage", "group")
"""Parameters of `StageView.requested_stage` and `requested_groups`."""


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

    def requested_stage(self, request: Request) -> StageFacts | None:
        """Return the requested stage, None if it has not begun; raises Http404 if unknown."""
        facts = read_facts(self.event)
        begun = [one for one in facts.stages if one.stage.state != Stage.State.PENDING]
        number = numbers(request, "stage").get("stage")
        if number is None:
            return begun[-1] if begun else None
        wanted = self.stage(facts, number)
        return wanted if wanted in begun else None

    def requested_groups(self, request: Request, stage: StageFacts) -> list[str]:
        """Return the names of the requested groups; raises Http404 if unknown."""
        known = list(stage.state.seats)
        wanted = texts(request, "group").get("group")
        if wanted is not None and wanted not in known:
            raise Http404
        return known if wanted is None else [wanted]


@public_read()
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


def check_current(stage: StageFacts, current: StageFacts | None) -> None:
    """Raise RuleError ``stage_not_open`` unless the stage is the current one."""
    if stage is not current:
        raise RuleError(
            "stage_not_open",
            gettext_noop("This stage is not in progress. Nothing was made."),
        )
