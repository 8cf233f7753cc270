"""Endpoints of rounds: made, published, taken back; the shape of their clock."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from config import transaction
from rules.drafts.given import ImportedTable
from rules.events.clock import MOST_MINUTES, ClockAction, ClockState
from rules.results import SeatMark
from tournaments.api.request_context import (
    choice_parameter,
    idempotent_post,
    number_parameters,
    page_serializer,
    query_parameters,
)
from tournaments.api.serialization import (
    LARGEST,
    Json,
    NumberListField,
    PositiveNumbersField,
    Serializer,
    WholeNumberField,
    reject_unused_fields,
    round_json,
    validate_input,
)
from tournaments.api.stage_views import StageView
from tournaments.core.clocks import clock_etag_parts
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import can_rule, require_permission
from tournaments.lots.api import first_tied_set
from tournaments.models import Match, Round
from tournaments.models.play import MOST_SEATS
from tournaments.pages.access import public_read
from tournaments.rounds import services as rounds
from tournaments.rounds.services import discard_round, make_extra_round
from tournaments.stages.api import check_is_current_stage

MOST_TABLES = 5_000


class MatchOutput(Serializer):
    """A match and its result."""

    id = serializers.IntegerField()
    stage = serializers.IntegerField()
    group = serializers.CharField()
    round = serializers.IntegerField()
    table = serializers.IntegerField(allow_null=True)
    plays_at = serializers.IntegerField(
        allow_null=True, help_text="Its table, or that beside a later round"
    )
    a = serializers.IntegerField(allow_null=True, help_text="Null if three or more play")
    b = serializers.IntegerField(allow_null=True)
    seats = NumberListField(help_text="The players in the order of their seats")
    best_of = serializers.IntegerField()
    version = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Match.State.choices)
    score = NumberListField(allow_null=True)
    games = serializers.ListField(child=serializers.CharField(), allow_null=True)
    games_won = NumberListField(allow_null=True)
    winner = serializers.CharField(allow_null=True)
    places = serializers.ListField(
        child=serializers.IntegerField(allow_null=True),
        allow_null=True,
        help_text="The place of each seat; several may share one; null for a no-show",
    )
    marks = serializers.DictField(
        child=serializers.ChoiceField(choices=[str(mark) for mark in SeatMark]),
        help_text="Marks of seats at a table of three or more, by number of the seat",
    )
    ended_by = serializers.CharField(allow_null=True)
    extra = serializers.BooleanField(help_text="A tiebreaker match: it only orders tied players")
    reason = serializers.CharField(
        allow_blank=True, help_text="Why they were paired; empty in a schedule"
    )
    by_hand = serializers.BooleanField(help_text="People paired them, not the rules")


class ClockOutput(Serializer):
    """A round timer.

    ``remaining``: seconds left without extensions of single tables, 0 once time is over.
    ``minutes``: full length.
    """

    state = serializers.ChoiceField(choices=[str(key) for key in ClockState])
    remaining = serializers.IntegerField(min_value=0)
    minutes = serializers.IntegerField()


class CostOutput(Serializer):
    """The cost of a round's pairings: compare from the first number on; less is better."""

    repeats = serializers.IntegerField(help_text="Times that two at a table met before")
    apart = serializers.IntegerField(help_text="Pairs kept apart who sit together")
    again = serializers.IntegerField(help_text="Small tables had before by those at small ones")
    low = serializers.IntegerField(help_text="Points of those at small tables above the fewest")
    spread = serializers.IntegerField(help_text="Squared differences of points at a table")


class RoundOutput(Serializer):
    """A round, numbered through the event; ``clock`` is null without a time limit."""

    number = serializers.IntegerField()
    name = serializers.CharField(help_text="In the reader's language")
    stage = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Round.State.choices)
    clock = ClockOutput(allow_null=True)
    level = NumberListField(
        help_text="The tied players who play tiebreaker matches in it; else empty"
    )
    sets = serializers.ListField(child=NumberListField(), help_text="The same players, by tied set")
    matches = MatchOutput(many=True)
    cost = CostOutput(allow_null=True, help_text="Of rounds at tables, else null")
    proven = serializers.BooleanField(
        allow_null=True, help_text="No set of tables costs less: every one was looked at"
    )


class RoundInput(Serializer):
    """The next round, published at once unless ``draft`` is true.

    ``pairings`` are given for a Swiss round that is paired elsewhere or by hand.
    """

    draft = serializers.BooleanField(default=False)
    pairings = serializers.ListField(
        child=serializers.ListField(
            child=WholeNumberField(min_value=1, allow_null=True),
            min_length=1,
            max_length=MOST_SEATS,
        ),
        max_length=MOST_TABLES,
        required=False,
        help_text="In the order of tables, players by number: [[3, 7], [1, null]]; null: a bye",
    )


class PublishInput(Serializer):
    """The version of the drafted round that the caller has seen."""

    version = WholeNumberField(min_value=0, required=False)


class ClockInput(Serializer):
    """An action on the round timer; ``minutes`` are for ``add``."""

    action = serializers.ChoiceField(choices=[str(key) for key in ClockAction])
    minutes = WholeNumberField(min_value=1, max_value=MOST_MINUTES, required=False)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values; raises ValidationError unless ``minutes`` come with ``add`` only."""
        if values["action"] != ClockAction.ADD:
            reject_unused_fields(values, "minutes")
        return values


class RoundView(StageView):
    """Base of API views about the rounds of an event."""

    tells_seconds = True

    def marks(self) -> Iterable[object]:
        """Return what else the ETag depends on: the seconds left on a running clock."""
        return clock_etag_parts(self.event)

    def shown(self, ordinal: int) -> Json:
        """Return a round as JSON; raises Http404 where the caller may not see one."""
        facts = self.facts()
        found = facts.round_at(ordinal)
        if found is None:
            raise Http404
        return round_json(facts, *found)


@public_read("stage", "state", "page")
class RoundList(RoundView):
    """API view: list the rounds in order of play, or draft the next one.

    Drafts are listed for staff only.
    """

    @extend_schema(
        operation_id="rounds_list",
        parameters=query_parameters("stage", page=True, state=Round.State.values),
        responses=page_serializer(RoundOutput),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of rounds; ``?stage=`` and ``?state=`` leave only those."""
        if (same := self.not_modified(request)) is not None:
            return same
        facts = self.facts()
        stage_number = number_parameters(request, "stage").get("stage")
        state = choice_parameter(request, "state", Round.State.values)
        found = [
            (stage, item)
            for stage in facts.stages
            for item in stage.rounds
            if stage_number in (None, stage.stage.number) and state in (None, item.state)
        ]
        return self.paged(request, found, lambda each: round_json(facts, *each))

    @idempotent_post("rounds_create", RoundInput, {201: RoundOutput})
    def post(self, request: Request, slug: str) -> Response:
        """Make the next round of the open stage and publish it, or only draft it.

        With ``pairings`` the round is made of these, in Swiss rounds and rounds at tables; 400
        with ``path`` for a player twice, missing or not in play. 409 ``pairings_needed`` without
        them where the event is paired elsewhere.
        """
        sent = validate_input(RoundInput, request.data)
        item = rounds.draft_round(
            event=self.event,
            expected_round=load_facts(self.event).last_ordinal + 1,
            given=tuple(ImportedTable(_seats(table)) for table in sent["pairings"])
            if "pairings" in sent
            else None,
            publish=not sent["draft"],
            by=self.actor,
        )
        return Response(self.shown(item.ordinal), status=201)


def _seats(table: Sequence[int | None]) -> tuple[int, ...]:
    """Return a table as it is sent; null stands for the opponent of a bye, else nobody does."""
    seats = tuple(player for player in table if player is not None)
    is_bye = len(table) == 2 and table[1] is None
    return seats if len(seats) == len(table) or is_bye else ()


@public_read()
class RoundDetail(RoundView):
    """API view: a round, by its number in the event."""

    @extend_schema(operation_id="rounds_retrieve", responses=RoundOutput)
    def get(self, request: Request, slug: str, ordinal: int) -> Response:
        """Return the round with its matches."""
        return self.not_modified(request) or self.answer(request, self.shown(ordinal))

    @extend_schema(
        operation_id="rounds_delete",
        parameters=[OpenApiParameter("confirm", str, description="Its name: results may go too")],
        responses={204: None},
    )
    def delete(self, request: Request, slug: str, ordinal: int) -> Response:
        """Remove the last round while it has no result.

        With its name as ``confirm``, in the address or the body, it goes with its results: a
        snapshot is taken first.
        """
        self.shown(ordinal)
        body = request.data if isinstance(request.data, dict) else {}
        confirm = request.query_params.get("confirm") or body.get("confirm")
        if confirm:
            discard_round(
                event=self.event, ordinal=ordinal, confirm=str(confirm)[:200], by=self.actor
            )
        else:
            rounds.delete_last_round(event=self.event, ordinal=ordinal, by=self.actor)
        return Response(status=204)


class Publish(RoundView):
    """API view: publish a drafted round."""

    @idempotent_post("rounds_publish", PublishInput, RoundOutput)
    def post(self, request: Request, slug: str, ordinal: int) -> Response:
        """Show the round to everybody; with ``version`` only if it is still the draft looked at.

        409 ``players_unpaired`` names who has no place.
        """
        self.shown(ordinal)
        seen = validate_input(PublishInput, request.data).get("version")
        rounds.publish_round(event=self.event, ordinal=ordinal, expected=seen, by=self.actor)
        return Response(self.shown(ordinal))


class ExtraInput(Serializer):
    """The players of tiebreaker matches: one set, or several ``sets`` in one round.

    By default the first set that keeps the stage from closing. Published at once unless ``draft``
    is true.
    """

    players = PositiveNumbersField(min_length=2, required=False)
    sets = serializers.ListField(
        child=PositiveNumbersField(min_length=2, max_length=LARGEST),
        min_length=1,
        max_length=LARGEST,
        required=False,
    )
    draft = serializers.BooleanField(default=False)

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the values; raises ValidationError if both ``players`` and ``sets`` are given."""
        if "sets" in values:
            reject_unused_fields(values, "players")
        return values


class ExtraMatches(RoundView):
    """API view: draft tiebreaker matches between tied players of a stage."""

    @idempotent_post("stages_extra_matches", ExtraInput, {201: RoundOutput})
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Draft the next round of tiebreaker matches, published unless only a draft is asked for.

        Two play one match, three and more all against each other, a round a call. Several sets
        play in one round.

        They count for the order of their players alone. Without ``players`` or ``sets`` those play
        who keep the stage from being closed.
        """
        require_permission(can_rule(self.actor, self.event))
        item = self._extra_round(number, validate_input(ExtraInput, request.data))
        return Response(self.shown(item.ordinal), status=201)

    @transaction.atomic
    def _extra_round(self, number: int, values: dict[str, Any]) -> Round:
        facts = load_facts(self.event)
        stage = self.stage(facts, number)
        check_is_current_stage(stage, facts.open_stage)
        return make_extra_round(
            event=self.event,
            sets=values.get("sets") or [values.get("players") or first_tied_set(stage)],
            expected_round=facts.last_ordinal + 1,
            publish=not values["draft"],
            by=self.actor,
        )
