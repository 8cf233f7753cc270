"""Endpoint that makes rounds of extra matches."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config import transaction
from tournaments.api.request_context import idempotent_post
from tournaments.api.serialization import LARGEST, Chosen, Serializer, refuse_unused, validated
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import can_rule, require
from tournaments.extra_matches.services import make_extra_round
from tournaments.lots.api import first_tied
from tournaments.models import Round
from tournaments.rounds.api import RoundOutput, RoundView
from tournaments.stages.api import check_current


class ExtraInput(Serializer):
    """Extra matches among the level ``players``, or of several ``sets`` of them in one round.

    Without both they are among the first who block the stage. Published at once unless they are
    only to be drafted.
    """

    players = Chosen(min_length=2, required=False)
    sets = serializers.ListField(
        child=Chosen(min_length=2, max_length=LARGEST),
        min_length=1,
        max_length=LARGEST,
        required=False,
    )
    draft = serializers.BooleanField(default=False)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values; raises ValidationError if both ``players`` and ``sets`` are given."""
        if "sets" in values:
            refuse_unused(values, "players")
        return values


class ExtraMatches(RoundView):
    """Extra matches between tied sets of a stage, instead of lots."""

    @idempotent_post("stages_extra_matches", ExtraInput, {201: RoundOutput})
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Draft the next round of extra matches, published unless only a draft is asked for.

        Two play one match, three and more all against each other, a round a call. Several sets
        play in one round.
        """
        require(can_rule(self.actor, self.event))
        item = self._extra_round(number, validated(ExtraInput, request.data))
        return Response(self.shown(item.ordinal), status=201)

    @transaction.atomic
    def _extra_round(self, number: int, values: dict[str, Any]) -> Round:
        facts = load_facts(self.event)
        stage = self.stage(facts, number)
        check_current(stage, facts.open_stage)
        return make_extra_round(
            event=self.event,
            sets=values.get("sets") or [values.get("players") or first_tied(stage)],
            expected_round=facts.last_ordinal + 1,
            publish=not values["draft"],
            by=self.actor,
        )
