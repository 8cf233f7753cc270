"""The download of a series' archive; the page for events' archives restores it."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.views.decorators.http import require_safe

from tournaments.pages.access import actor_of
from tournaments.series.access import SERIES
from tournaments.series.api_archive import archive_response
from tournaments.series.selectors import read_series


@require_safe
def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the archive of a series, for its organisers; ``?events=0``: without its events."""
    actor = actor_of(request)
    return archive_response(read_series(slug, actor), actor, request.GET.get("events"))


urlpatterns = [path(f"{SERIES}archive.json", archive, name="series-archive")]
