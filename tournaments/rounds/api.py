"""Endpoints of rounds: made, published, taken back, their clock."""

from collections.abc import Iterable

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.fields import validated
from tournaments.api.idempotency import idempotent_post
from tournaments.api.listing import numbers_asked, one_of, page_of, query_parameters
from tournaments.api.serialization import Json, round_json
from tournaments.api.stage_views import StageView
from tournaments.core.clocks import clock_marks
from tournaments.core.event_state import load_facts
from tournaments.models import Round
from tournaments.pages.offers import public_read
from tournaments.rounds import services as rounds
from tournaments.rounds.serializers import PublishInput, RoundInput, RoundOutput
from tournaments.rounds.services import discard_round


class RoundView(StageView):
    """Base class of the endpoints for the rounds of an event."""

    tells_seconds = True

    def marks(self) -> Iterable[object]:
        """Return what else the ETag depends on: the seconds left on a running clock."""
        return clock_marks(self.event)

    def shown(self, ordinal: int) -> Json:
        """Return a round as JSON; raises Http404 where the caller may not see one."""
        facts = self.facts()
        found = facts.round_at(ordinal)
        if found is None:
            raise Http404
        return round_json(facts, *found)


@public_read("stage", "state", "page")
class RoundList(RoundView):
    """The rounds in order of play; drafts are visible to the staff only."""

    @extend_schema(
        operation_id="rounds_list",
        parameters=query_parameters("stage", page=True, state=Round.State.values),
        responses=page_of(RoundOutput),
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return a page of rounds; ``?stage=`` and ``?state=`` leave only those."""
        if (same := self.not_modified(request)) is not None:
            return same
        facts = self.facts()
        stage_number = numbers_asked(request, "stage").get("stage")
        state = one_of(request, "state", Round.State.values)
        found = [
            (stage, item)
            for stage in facts.stages
            for item in stage.rounds
            if stage_number in (None, stage.stage.number) and state in (None, item.state)
        ]
        return self.paged(request, found, lambda each: round_json(facts, *each))

    @idempotent_post("rounds_create", RoundInput, {201: RoundOutput})
    def post(self, request: Request, slug: str) -> Response:
        """Make the next round of the open stage and publish it, or only draft it."""
        sent = validated(RoundInput, request.data)
        item = rounds.draft_round(
            event=self.event,
            expected_round=load_facts(self.event).last_ordinal + 1,
            publish=not sent["draft"],
            by=self.actor,
        )
        return Response(self.shown(item.ordinal), status=201)


@public_read()
class RoundDetail(RoundView):
    """One round, identified by its number in the event."""

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
        """Take back the last round while it has no result.

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
            rounds.take_back_round(event=self.event, ordinal=ordinal, by=self.actor)
        return Response(status=204)


class Publish(RoundView):
    """The publication of a draft."""

    @idempotent_post("rounds_publish", PublishInput, RoundOutput)
    def post(self, request: Request, slug: str, ordinal: int) -> Response:
        """Show the round to everybody; with ``version`` only if it is still the draft looked at."""
        self.shown(ordinal)
        seen = validated(PublishInput, request.data).get("version")
        rounds.publish_round(event=self.event, ordinal=ordinal, expected=seen, by=self.actor)
        return Response(self.shown(ordinal))
