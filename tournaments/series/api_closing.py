"""Closing and reopening a series through the API. Contracts, *Added: series*."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.api.request_context import idempotent_post
from tournaments.series.api import SeriesOutput, SeriesView, series_json
from tournaments.series.closing import close_series, reopen_series
from tournaments.series.selectors import read_series


class Close(SeriesView):
    """Whether a series is closed."""

    @idempotent_post("series_close", None, SeriesOutput)
    def post(self, request: Request, slug: str) -> Response:
        """Pin the final rows of the finished events; 409 ``event_runs`` while one is played.

        Afterwards an event whose final rows differ is named in ``changed_since``.
        """
        close_series(series=self.series, by=self.actor)
        return self._answer(request, slug)

    @extend_schema(operation_id="series_reopen", responses=SeriesOutput)
    def delete(self, request: Request, slug: str) -> Response:
        """Reopen the series."""
        reopen_series(series=self.series, by=self.actor)
        return self._answer(request, slug)

    def _answer(self, request: Request, slug: str) -> Response:
        self.facts = read_series(slug, self.actor)
        return self.answer(request, series_json(self.facts))
