"""The workbook through the API."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.stage_views import StageView
from tournaments.exports.workbook import XLSX, workbook_response


class Workbook(StageView):
    """The workbook."""

    throttle_scope = "heavy"

    @extend_schema(operation_id="export", responses={(200, XLSX): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str) -> Response:
        """Return the workbook with what the caller may see."""
        same = self.not_modified(request)
        if same is not None:
            return same
        answer = workbook_response(self.event, self.sight)
        answer["ETag"], answer["Cache-Control"] = self.tag(request), "private, no-cache"
        return answer  # type: ignore[return-value]
