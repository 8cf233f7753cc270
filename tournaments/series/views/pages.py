"""Pages of series."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.web import page
from tournaments.pages.access import actor_of
from tournaments.pages.offers import offer_series, public_read
from tournaments.series.selectors import read_series, table_of


@public_read()
def series(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a series: its table, and its events."""
    actor = actor_of(request)
    facts = read_series(slug, actor)
    offer_series(request, actor, facts.events)
    return page(
        request, "tournaments/series/series.html", {"facts": facts, "table": table_of(facts)}
    )


urlpatterns = [path("series/<slug:slug>/", series, name="series")]
