"""The files of a series through the API: table and archive. Contracts, *Added: series*."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.web import not_modified_response
from tournaments.api.request_context import (
    check_scope,
    idempotent_post,
    query_parameters,
    request_actor,
)
from tournaments.archive.api import RawBodyParser
from tournaments.archive.reader import LARGEST
from tournaments.core.permissions import Actor, can_create_events, require_permission
from tournaments.exports.api import csv_download_response
from tournaments.exports.workbook import XLSX, workbook_download
from tournaments.models import Series
from tournaments.series.api import SeriesOutput, SeriesView, series_json
from tournaments.series.archive import restore_series, series_archive
from tournaments.series.exports import series_csv, series_workbook
from tournaments.series.selectors import SeriesFacts, SeriesTable, load_series_table, read_series


class TableFile(SeriesView):
    """Base of API views that download a series' standings as a file.

    ``write`` returns the content; ``download`` makes the response from it and the slug.
    """

    write: Callable[[Series, SeriesTable], bytes]
    download: Callable[[bytes, str], HttpResponse]

    def get(self, request: Request, slug: str) -> Response:
        """Return the table after the finished events; 404 without points."""
        if (held := not_modified_response(request, self.tag(request))) is not None:
            return held  # type: ignore[return-value]
        table = load_series_table(self.facts)
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
    """API view: the standings of a series as .xlsx."""

    throttle_scope = "heavy"
    write, download = staticmethod(series_workbook), staticmethod(workbook_download)


@extend_schema_view(
    get=extend_schema(operation_id="series_csv", responses={(200, "text/csv"): OpenApiTypes.STR})
)
class TableCsv(TableFile):
    """API view: the standings of a series as CSV."""

    write, download = staticmethod(series_csv), staticmethod(csv_download_response)


def archive_response(facts: SeriesFacts, actor: Actor, events: str | None) -> HttpResponse:
    """Return a download of the archive of a series, for its organisers.

    ``events`` is the query parameter: "0" leaves out the events' own archives. Raises
    PermissionDenied.
    """
    require_permission(facts.may_manage)
    content = series_archive(facts.series, actor, events=events != "0")
    answer = HttpResponse(content, content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="{facts.series.slug}.json"'
    answer["Cache-Control"] = "private, no-cache"
    return answer


class SeriesArchive(SeriesView):
    """API view: download the archive of a series."""

    throttle_scope = "heavy"

    @extend_schema(
        operation_id="series_archive",
        responses=OpenApiTypes.OBJECT,
        parameters=query_parameters("events"),
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return the series with the archives of the events that the caller organises.

        With ``?events=0`` they are left out: their heads alone say which they are.
        """
        check_scope(request, None, "manage")
        return archive_response(self.facts, self.actor, request.query_params.get("events"))


class RestoreSeries(APIView):
    """API view: restore a series from an archive in the request's body."""

    parser_classes = [RawBodyParser]
    largest_body = LARGEST
    throttle_scope = "heavy"

    @idempotent_post(
        "series_restore",
        OpenApiTypes.OBJECT,
        {201: SeriesOutput},
        parameters=query_parameters("slug"),
    )
    def post(self, request: Request) -> Response:
        """Store the series under its own slug, or under ``?slug=``.

        An event that is here with the same head is linked, another is restored. All of the file or
        nothing: 400 ``archive_invalid`` with the ``path`` of the first wrong value.
        """
        check_scope(request, None, "manage")
        actor = request_actor(request)
        require_permission(can_create_events(actor))
        slug = request.query_params.get("slug", "")
        sent: Any = request.data
        made = restore_series(sent.get("content", b""), slug=slug, caller=actor.user)
        return Response(series_json(read_series(made.slug, actor)), status=201)
