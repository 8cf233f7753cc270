"""The files of a series through the API."""

from collections.abc import Callable

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from config.web import not_modified
from tournaments.exports.api import as_download
from tournaments.exports.workbook import XLSX, workbook_download
from tournaments.models import Series
from tournaments.series.api import SeriesView
from tournaments.series.exports import series_csv, series_workbook
from tournaments.series.selectors import SeriesTable, table_of


class TableFile(SeriesView):
    """Base view of the files with the table: ``write`` makes one, ``download`` gives it a name."""

    write: Callable[[Series, SeriesTable], bytes]
    download: Callable[[bytes, str], HttpResponse]

    def get(self, request: Request, slug: str) -> Response:
        """Return the table after the finished events; 404 without points."""
        if (held := not_modified(request, self.tag(request))) is not None:
            return held  # type: ignore[return-value]
        table = table_of(self.facts)
        if table is None:
            raise Http404
        view = type(self)
        answer = view.download(view.write(self.series, table), slug)
        answer["ETag"], answer["Cache-Control"] = self.tag(request), "private, no-cache"
        return answer  # type: ignore[return-value]


@extend_schema_view(
    get=extend_schema(operation_id="series_export", responses={(200, XLSX): OpenApiTypes.BINARY})
)
class Workbook(TableFile):
    """The table of a series as .xlsx."""

    throttle_scope = "heavy"
    write, download = staticmethod(series_workbook), staticmethod(workbook_download)


@extend_schema_view(
    get=extend_schema(operation_id="series_csv", responses={(200, "text/csv"): OpenApiTypes.STR})
)
class TableCsv(TableFile):
    """The table of a series as CSV."""

    write, download = staticmethod(series_csv), staticmethod(as_download)
