"""Endpoints of stages: listed, closed, second leg."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from rules.errors import RuleError
from tournaments.api.request_context import idempotent_post
from tournaments.api.serialization import (
    NumberListField,
    NumbersByNameField,
    Serializer,
    stage_json,
    validate_input,
)
from tournaments.api.stage_views import StageView
from tournaments.core.event_state import StageFacts, load_facts
from tournaments.models import Stage
from tournaments.pages.access import public_read
from tournaments.stages import services as stages


class GroupOutput(Serializer):
    """A group and the numbers of its players by seat, null for a vacant seat.

    ``rounds``: the pairings of a round robin, else empty.
    """

    name = serializers.CharField()
    seats = serializers.ListField(child=serializers.IntegerField(allow_null=True))
    rounds = serializers.ListField(child=serializers.ListField(child=NumberListField()))


class StageOutput(Serializer):
    """A stage with its groups.

    ``places``: {place: player number} once it is closed.
    """

    number = serializers.IntegerField()
    name = serializers.CharField()
    key = serializers.CharField()
    kind = serializers.CharField()
    legs = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Stage.State.choices)
    groups = GroupOutput(many=True)
    places = NumbersByNameField()


class DrawOutput(Serializer):
    """A random draw: the order of players that it gave, and where it comes from."""

    number = serializers.IntegerField()
    order = NumberListField()
    seed = serializers.CharField(allow_blank=True)
    by_hand = serializers.BooleanField()
    seed_given = serializers.BooleanField(allow_null=True)
    public_since = serializers.DateTimeField(allow_null=True)
    told_by_line = serializers.IntegerField(allow_null=True)
    count = serializers.IntegerField()
    words = serializers.CharField(allow_blank=True)


class CloseInput(Serializer):
    """Whether to hide the standings (``hold``) and the next stage's decklists (``hold_lists``)."""

    hold = serializers.BooleanField(default=False)
    hold_lists = serializers.BooleanField(default=False)


class ClosedOutput(Serializer):
    """The places decided by a closed stage, and the next stage."""

    places = NumbersByNameField()
    next = StageOutput(allow_null=True)


@public_read()
class StageList(StageView):
    """Endpoint: list the stages in order."""

    @extend_schema(operation_id="stages_list", responses=StageOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return all stages; none before the start."""
        same = self.not_modified(request)
        return same or self.answer(request, [stage_json(stage) for stage in self.facts().stages])


class CloseStage(StageView):
    """Endpoint: close a stage."""

    @idempotent_post("stages_close", CloseInput, ClosedOutput)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Close the stage and seat the next; 409 with what is missing.

        With ``hold`` the standings that are held back stay so; 409 ``nothing_held`` without any.
        With ``hold_lists`` the decklists that the next stage opens are held back; 409
        ``no_lists_held`` where it opens none.
        """
        sent = validate_input(CloseInput, request.data)
        self.stage(load_facts(self.event), number)
        following = stages.close_stage(
            event=self.event,
            expected_stage=number,
            hold=sent["hold"],
            lists_held=sent["hold_lists"],
            by=self.actor,
        )
        facts = load_facts(self.event)
        closed = self.stage(facts, number)
        opened = stage_json(self.stage(facts, following.number)) if following else None
        return Response({"places": dict(closed.stage.places), "next": opened})


class SecondLeg(StageView):
    """Endpoint: add a second leg to a round-robin stage."""

    @idempotent_post("stages_second_leg", None, StageOutput)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Add the second leg to the stage, while the first one is played."""
        self.stage(load_facts(self.event), number)
        stages.decide_second_leg(event=self.event, expected_stage=number, by=self.actor)
        return Response(stage_json(self.stage(load_facts(self.event), number)))


def check_is_current_stage(stage: StageFacts, current: StageFacts | None) -> None:
    """Raise RuleError ``stage_not_open`` unless ``stage`` is the open one, ``current``."""
    if stage is not current:
        raise RuleError(
            "stage_not_open",
        )
