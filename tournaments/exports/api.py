"""The files of an event through the API: workbooks and CSV."""

from collections.abc import Callable

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.listing import numbers_asked, query_parameters
from tournaments.api.stage_views import StageView
from tournaments.exports.csv_files import csv_response
from tournaments.exports.workbook import XLSX, is_whole, workbook_response

WHOLE = OpenApiParameter("whole", OpenApiTypes.STR, enum=["1"], required=False)


class Workbook(StageView):
    """The standings as a workbook, or the whole archive workbook."""

    throttle_scope = "heavy"

    @extend_schema(
        operation_id="export", parameters=[WHOLE], responses={(200, XLSX): OpenApiTypes.BINARY}
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the standings to hand out; with ``?whole=1`` all that the caller may see."""
        same = self.not_modified(request)
        if same is not None:
            return same
        answer = workbook_response(self.event, self.sight, whole=is_whole(request.query_params))
        answer["ETag"], answer["Cache-Control"] = self.tag(request), "private, no-cache"
        return answer  # type: ignore[return-value]


class CsvFile(StageView):
    """Base class of the calls for CSV: ``kind`` says of what."""

    kind: str

    def get(self, request: Request, slug: str) -> Response:
        """Return the rows of the event, or of ``?stage=``, with what the caller may see."""
        if (same := self.not_modified(request)) is not None:
            return same
        stage = numbers_asked(request, "stage").get("stage")
        answer = csv_response(self.kind, self.event, self.sight, stage)
        answer["ETag"], answer["Cache-Control"] = self.tag(request), "private, no-cache"
        return answer  # type: ignore[return-value]


def _documented(kind: str) -> Callable[[type], type]:
    return extend_schema_view(
        get=extend_schema(
            operation_id=f"{kind}_csv",
            parameters=query_parameters("stage"),
            responses={(200, "text/csv"): OpenApiTypes.STR},
        )
    )


@_documented("standings")
class StandingsCsv(CsvFile):
    """The standings, or the final ranking where there is no table."""

    kind = "standings"


@_documented("ranking")
class RankingCsv(CsvFile):
    """The final ranking."""

    kind = "ranking"


@_documented("matches")
class MatchesCsv(CsvFile):
    """The matches."""

    kind = "matches"


@_documented("players")
class PlayersCsv(CsvFile):
    """The players."""

    kind = "players"
