"""The plan of an event in play through the API. Contracts, Joining, plan, repeat, finish."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from config.wording import error_message
from rules.errors import BadInput
from rules.plan_changes import CUT, ROUNDS
from tournaments.api.request_context import EventView
from tournaments.api.serialization import Serializer, WholeNumberField, validate_input
from tournaments.events.api import EventOutput, event_json
from tournaments.plan_changes.selectors import MINUTES
from tournaments.plan_changes.services import change_plan

FIELDS = {
    "bad_rounds": ROUNDS,
    "bad_cut": CUT,
    "cut_too_large": CUT,
    "invalid_cut": CUT,
    "bad_option": CUT,
    "bad_minutes": MINUTES,
}
"""The field that an error of a rule belongs to, by its code."""


class PlanInput(Serializer):
    """New settings of a running event's plan; those left out stay as they are.

    ``stage``: number of the stage in progress; ``cut``: players in the top cut.
    """

    stage = WholeNumberField(required=False)
    rounds = WholeNumberField(required=False)
    cut = WholeNumberField(required=False)
    third_place = serializers.BooleanField(required=False)
    minutes = WholeNumberField(required=False)


class PlanDetail(EventView):
    """Endpoint: change the plan of a running event."""

    @extend_schema(operation_id="plan_update", request=PlanInput, responses=EventOutput)
    def patch(self, request: Request, slug: str) -> Response:
        """Change rounds, top cut, third place or minutes while they are played; return the event.

        ``rounds`` and ``cut`` are those of the stage in play, ``third_place`` that of the knock-out
        in play or to come. 409 ``plan_fixed`` with the reason, also where ``stage`` is not in play.
        """
        change = dict(validate_input(PlanInput, request.data))
        stage = change.pop("stage", None)
        try:
            change_plan(event=self.event, change=change, stage=stage, by=self.actor)
        except BadInput as wrong:
            if field := FIELDS.get(wrong.code):
                raise ValidationError({field: [error_message(wrong)]}) from None
            raise
        self.event.refresh_from_db()
        return Response(event_json(self.event))
