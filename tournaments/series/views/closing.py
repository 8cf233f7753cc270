"""Forms that close a series and reopen it."""

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from config.web import done, posted
from tournaments.pages.access import actor_of
from tournaments.series.closing import close_series, reopen_series
from tournaments.series.selectors import read_series


@posted
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Close a series."""
    actor = actor_of(request)
    close_series(series=read_series(slug, actor).series, by=actor)
    return done(request, _("Saved."), "tournaments:series", slug)


@posted
def reopen(request: HttpRequest, slug: str) -> HttpResponse:
    """Reopen a closed series."""
    actor = actor_of(request)
    reopen_series(series=read_series(slug, actor).series, by=actor)
    return done(request, _("Saved."), "tournaments:series", slug)


urlpatterns = [
    path("series/<slug:slug>/close/", close, name="series-close"),
    path("series/<slug:slug>/reopen/", reopen, name="series-reopen"),
]
