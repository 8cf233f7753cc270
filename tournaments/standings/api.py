"""Endpoints of standings, ties, the final ranking and the workbook."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.sizes import MEBIBYTE
from decks.api.parsing import BodyParser
from rules.standings.rank_document import ranked
from rules.standings.rank_json import read, render
from tournaments.api.fields import LARGEST, Serializer, Whole, validated
from tournaments.api.idempotency import idempotent_post
from tournaments.api.listing import texts_asked
from tournaments.api.request_context import EventView
from tournaments.api.serialization import Json
from tournaments.api.stage_views import OF_GROUPS, StageView
from tournaments.core.event_state import StageFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import can_manage, require
from tournaments.pages.offers import public_read
from tournaments.standings.selectors.ranking import ranking_page
from tournaments.standings.selectors.tie_trace import stage_traces
from tournaments.standings.serializers import (
    RankedOutput,
    StandingOutput,
    TieOutput,
    standings_json,
    tie_json,
)
from tournaments.standings.services import release_standings


@public_read("stage", "group")
class StandingsView(StageView):
    """The standings of a stage."""

    @extend_schema(
        operation_id="standings_list", parameters=OF_GROUPS, responses=StandingOutput(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the rows of the latest stage that has begun, or of ``?stage=`` and ``?group=``."""
        return self.of_stage(request, self._rows)

    def _rows(self, request: Request, stage: StageFacts) -> list[Json]:
        wanted = self.requested_groups(request, stage)
        ranked = [name for name in wanted if name in stage.outcome.standings]
        return [row for name in ranked for row in standings_json(stage, name)]


class ReleaseInput(Serializer):
    """The latest published round, up to which standings are shown from now on."""

    round = Whole(min_value=1, max_value=LARGEST)


class Release(EventView):
    """Standings that are held back, for everybody from now on."""

    @idempotent_post("standings_release", ReleaseInput, ReleaseInput)
    def post(self, request: Request, slug: str) -> Response:
        """Show everybody the standings up to the latest published round; organisers.

        409 ``nothing_held``; ``another_round`` where the ``round`` is not the latest any more.
        """
        require(can_manage(self.actor, self.event))
        number = validated(ReleaseInput, request.data)["round"]
        release_standings(event=self.event, expected_round=number, by=self.actor)
        return Response({"round": number})


@public_read("stage", "group")
class TieBreaks(StageView):
    """Level players, criterion by criterion."""

    @extend_schema(
        operation_id="tie_breaks_list", parameters=OF_GROUPS, responses=TieOutput(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return who is level on the first criterion, where each other one separates and where not.

        Of the latest stage that has begun, or of ``?stage=`` and ``?group=``; players of different
        groups that are compared have a ``rank`` in place of the group.
        """
        return self.of_stage(request, self._rows)

    def _rows(self, request: Request, stage: StageFacts) -> list[Json]:
        across = [] if texts_asked(request, "group") else [""]
        wanted = {*self.requested_groups(request, stage), *across}
        traces = [table for table in stage_traces(stage) if table.group in wanted]
        return [tie_json(stage, table, tied) for table in traces for tied in table.sets]


@public_read()
class Ranking(StageView):
    """The final ranking."""

    @extend_schema(operation_id="ranking_list", responses=RankedOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the ranking; while the event runs, of those who are out or sure of a place."""
        if (same := self.not_modified(request)) is not None:
            return same
        rows = ranking_page(read_facts(self.event)).rows
        return self.answer(request, RankedOutput(rows, many=True).data)


class ResultsParser(BodyParser):
    """A parser that accepts any JSON value, which `rules` then validates."""

    def value(self, content: bytes) -> Any:
        """Return the parsed value; raises BadInput if the body is not JSON."""
        return read(content)


class RankView(APIView):
    """Standings of results sent by the caller."""

    parser_classes = [ResultsParser]
    largest_body = 2 * MEBIBYTE  # thirty thousand matches
    throttle_scope = "heavy"

    @extend_schema(request=OpenApiTypes.OBJECT, responses=OpenApiTypes.OBJECT, operation_id="rank")
    def post(self, request: Request) -> Response:
        """Return the standings; 400 with the ``path`` in the JSON that is wrong, ``too_costly``."""
        return Response(render(ranked(request.data).standings))
