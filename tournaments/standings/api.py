"""Endpoints of standings, ties, the final ranking and the workbook."""

from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.sizes import MEBIBYTE
from rules.standings.rank_json import parse, read, render
from rules.standings.table import rank
from tournaments.api.fields import LARGEST, Serializer, validated
from tournaments.api.idempotency import idempotent
from tournaments.api.listing import texts
from tournaments.api.request_context import EventView
from tournaments.api.stage_views import OF_GROUPS, StageView
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
        if (same := self.not_modified(request)) is not None:
            return same
        stage = self.requested_stage(request)
        if stage is None:
            return self.answer(request, [])
        ranked = [
            name
            for name in self.requested_groups(request, stage)
            if name in stage.outcome.standings
        ]
        return self.answer(request, [row for name in ranked for row in standings_json(stage, name)])


class ReleaseInput(Serializer):
    """The latest published round, up to which standings are shown from now on."""

    round = serializers.IntegerField(min_value=1, max_value=LARGEST)


class Release(EventView):
    """Standings that are held back, for everybody from now on."""

    @extend_schema(operation_id="standings_release", request=ReleaseInput, responses=ReleaseInput)
    @idempotent
    def post(self, request: Request, slug: str) -> Response:
        """Release them up to the latest published round; organisers.

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
        if (same := self.not_modified(request)) is not None:
            return same
        stage = self.requested_stage(request)
        if stage is None:
            return self.answer(request, [])
        across = [] if texts(request, "group") else [""]
        wanted = {*self.requested_groups(request, stage), *across}
        rows = [
            tie_json(stage, table, tied)
            for table in stage_traces(stage)
            if table.group in wanted
            for tied in table.sets
        ]
        return self.answer(request, rows)


@public_read()
class Ranking(StageView):
    """The final ranking."""

    @extend_schema(operation_id="ranking_list", responses=RankedOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the ranking; while the event runs, of those who are out."""
        if (same := self.not_modified(request)) is not None:
            return same
        rows = ranking_page(read_facts(self.event)).rows
        return self.answer(request, RankedOutput(rows, many=True).data)


LONGEST_BODY = 16 * 1024 * 1024
"""In bytes; a hundred thousand matches need about eight million."""


class TooLong(APIException):
    """The body is larger than the largest permitted number of matches needs."""

    status_code = 413
    default_code = "body_too_long"


class ResultsParser(BaseParser):
    """A parser that accepts any JSON value, which `rules` then validates."""

    media_type = "application/json"
    longest = LONGEST_BODY // MEBIBYTE

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the parsed value; raises TooLong, or BadInput if the body is not JSON."""
        body = stream.read(LONGEST_BODY + 1)
        if len(body) > LONGEST_BODY:
            raise TooLong(_("Results need no more than 16 megabytes. Nothing was stored."))
        return read(body)


class RankView(APIView):
    """Standings of results sent by the caller."""

    parser_classes = [ResultsParser]
    throttle_scope = "heavy"

    @extend_schema(request=OpenApiTypes.OBJECT, responses=OpenApiTypes.OBJECT, operation_id="rank")
    def post(self, request: Request) -> Response:
        """Return the standings; 400 with the ``path`` in the JSON that is wrong."""
        return Response(render(rank(**parse(request.data))))
