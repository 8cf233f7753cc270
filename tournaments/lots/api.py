"""Endpoint of lots between tied players."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config import transaction
from rules.errors import RuleError
from tournaments.api.request_context import idempotent_post
from tournaments.api.serialization import (
    PositiveNumbersField,
    Serializer,
    reject_unused_fields,
    validate_input,
)
from tournaments.api.stage_views import StageView
from tournaments.core.event_state import StageFacts, load_facts
from tournaments.core.permissions import can_rule, require_permission
from tournaments.lots import services as draws
from tournaments.lots.selectors import draw_json
from tournaments.models import Draw
from tournaments.stages.api import DrawOutput, check_is_current_stage

BY_HAND = ("witnesses", "note")
"""The fields that only a draw by hand has."""


class StartInput(Serializer):
    """Request body to start an event.

    ``groups`` are the players of each group, seated as drawn by hand; without them the order is
    drawn at random, from ``seed`` if given.
    """

    seed = serializers.CharField(max_length=64, required=False)
    groups = serializers.ListField(child=PositiveNumbersField(), allow_empty=False, required=False)
    witnesses = serializers.CharField(max_length=300, required=False)
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)
    override = serializers.CharField(max_length=300, required=False)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values; raises ValidationError if a field does not fit the kind of draw."""
        if "groups" in values:
            reject_unused_fields(values, "seed")
        else:
            reject_unused_fields(values, *BY_HAND)
        return values


class LotsInput(Serializer):
    """Request body to order tied players: ``order`` as drawn by hand, first to last.

    Without ``order`` the random draw is made here.
    """

    order = PositiveNumbersField(allow_empty=False, required=False)
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)
    witnesses = serializers.CharField(max_length=300, required=False)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values; raises ValidationError for fields of a draw by hand without one."""
        if "order" not in values:
            reject_unused_fields(values, *BY_HAND)
        return values


class TiebreakingDraw(StageView):
    """Endpoint for the random draws between tied players of a stage."""

    @idempotent_post("stages_lots", LotsInput, {201: DrawOutput})
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Draw the lots, or record the order in which they were drawn by hand.

        The answer says where the order comes from: ``by_hand``, ``seed_given``, since when its
        fingerprint was public, and by which line of the log it was told.
        """
        require_permission(can_rule(self.actor, self.event))
        draw = self._draw(number, validate_input(LotsInput, request.data))
        return Response(draw_json(draw), status=201)

    @transaction.atomic
    def _draw(self, number: int, values: dict[str, Any]) -> Draw:
        facts = load_facts(self.event)
        stage = self.stage(facts, number)
        check_is_current_stage(stage, facts.open_stage or facts.stages[-1])
        if not values.get("order"):
            return draws.draw_tied_order(
                event=self.event, tied=first_tied_set(stage), by=self.actor
            )
        return draws.record_tied_order(
            event=self.event,
            order=values["order"],
            witnesses=values.get("witnesses") or values.get("note") or "API",
            note=values.get("note", ""),
            by=self.actor,
        )


def first_tied_set(stage: StageFacts) -> list[int]:
    """Return the player numbers of the first tied set that must be drawn.

    Such sets keep the stage from closing. Raises RuleError ``not_tied`` if there are none.
    """
    if not stage.outcome.lots_needed:
        raise RuleError(
            "not_tied",
        )
    return [int(player) for player in stage.outcome.lots_needed[0]]
