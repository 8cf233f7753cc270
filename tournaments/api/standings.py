"""Standings, the final ranking and the workbook through the API.

Contracts, API.
"""

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.listing import filters
from tournaments.api.output import ProspectOutput, RankedOutput, StandingOutput, TieOutput
from tournaments.api.shapes import prospect_json, ranking_json, standings_json, tie_json
from tournaments.api.stages import StageView
from tournaments.models import Stage
from tournaments.selectors.facts import StageFacts, load_facts
from tournaments.selectors.prospects import kept_prospects, may_see_prospects
from tournaments.selectors.tie_trace import stage_traces
from tournaments.views.downloads import workbook_response

TABLE = filters("stage", "group")


class StandingsView(StageView):
    """The standings of a stage."""

    @extend_schema(
        operation_id="standings_list", parameters=TABLE, responses=StandingOutput(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the rows of the latest stage that has begun, or of ``?stage=`` and ``?group=``."""
        if (same := self.not_modified(request)) is not None:
            return same
        stage = self._stage(request)
        groups = list(stage.outcome.standings) if stage else []
        wanted = request.query_params.get("group")
        if wanted is not None:
            if wanted not in groups:
                raise Http404
            groups = [wanted]
        rows = [row for group in groups for row in standings_json(stage, group)] if stage else []
        return self.answer(request, rows)

    def _stage(self, request: Request) -> StageFacts | None:
        facts = load_facts(self.event, drafts=False)
        number = request.query_params.get("stage")
        begun = [one for one in facts.stages if one.stage.state != Stage.State.PENDING]
        if number is None:
            return begun[-1] if begun else None
        whole = number.isascii() and number.isdigit() and len(number) < 10
        return self.stage(facts, int(number) if whole else 0)


class TieBreaks(StandingsView):
    """Level players, criterion by criterion."""

    @extend_schema(operation_id="tie_breaks_list", parameters=TABLE, responses=TieOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return who is level on the first criterion, where each other one separates and where not.

        Of the latest stage that has begun, or of ``?stage=`` and ``?group=``; players of different
        groups that are compared have a ``rank`` in place of the group.
        """
        if (same := self.not_modified(request)) is not None:
            return same
        stage = self._stage(request)
        wanted = request.query_params.get("group")
        if stage is not None and wanted is not None and wanted not in stage.outcome.standings:
            raise Http404
        tables = stage_traces(stage) if stage else ()
        rows = [
            tie_json(stage, table, tied)
            for table in tables
            if stage is not None and wanted in (None, table.group)
            for tied in table.sets
        ]
        return self.answer(request, rows)


class Scenarios(StandingsView):
    """Who is through, who is out, and what the next match must bring."""

    throttle_scope = "heavy"

    @extend_schema(
        operation_id="scenarios_list", parameters=TABLE, responses=ProspectOutput(many=True)
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the prospects in a stage of groups, of all players or of ``?group=``.

        404 where the event shows them to its staff only; none where nobody goes on.
        """
        if not may_see_prospects(self.actor, self.event):
            raise Http404
        if (same := self.not_modified(request)) is not None:
            return same
        stage = self._stage(request)
        if stage is None:
            return self.answer(request, [])
        seats = stage.state.seats
        wanted = request.query_params.get("group")
        if wanted is not None and wanted not in seats:
            raise Http404
        names = [wanted] if wanted is not None else list(seats)
        found = kept_prospects(stage)
        rows = [
            prospect_json(name, found[player])
            for name in names
            for player in seats[name]
            if player in found
        ]
        return self.answer(request, rows)


class Ranking(StageView):
    """The final ranking."""

    @extend_schema(operation_id="ranking_list", responses=RankedOutput(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Return the ranking; while the event runs, of those who are out."""
        same = self.not_modified(request)
        return same or self.answer(request, ranking_json(load_facts(self.event, drafts=False)))


class Workbook(StageView):
    """The workbook."""

    throttle_scope = "heavy"

    @extend_schema(operation_id="export", responses={200: OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str) -> Response:
        """Return the workbook with what the caller may see."""
        same = self.not_modified(request)
        if same is not None:
            return same
        answer = workbook_response(self.event, self.sight)
        answer["ETag"], answer["Cache-Control"] = self.tag(request), "private, no-cache"
        return answer  # type: ignore[return-value]
