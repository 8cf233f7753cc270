"""Find the series of a request, its page with the tabs, and the base of organisers' forms."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _

from config.web import RuleFormView, render_page
from tournaments.core.permissions import Actor, require_permission
from tournaments.models import Series
from tournaments.pages.access import find_actor
from tournaments.series.selectors import SeriesFacts, read_series
from tournaments.series.today import events_today

SERIES = "series/<slug:slug>/"
Tab = tuple[str, str, bool]
"""Its words, its address, whether it is the current one."""


def managed_series(request: HttpRequest, slug: str) -> tuple[SeriesFacts, Actor]:
    """Return (series with its events, actor) for a slug.

    Raises Http404; PermissionDenied unless the actor organises the series.
    """
    actor = find_actor(request)
    facts = read_series(slug, actor)
    require_permission(facts.may_manage)
    return facts, actor


def series_tabs(facts: SeriesFacts, current: str) -> list[Tab]:
    """Return (label, URL, is current) for each tab of a series' pages.

    Only tabs that the reader may open. ``current`` is the URL name of the open page, such as
    "series-events".
    """
    return [
        (words, reverse(f"tournaments:{name}", args=[facts.series.slug]), name == current)
        for words, name in _tabs(facts)
    ]


def _tabs(facts: SeriesFacts) -> Iterator[tuple[str, str]]:
    if facts.series.points is not None:
        yield _("Standings"), "series"
    if events_today(facts.events):
        yield _("Today"), "series-today"
    yield _("Events"), "series-events"
    if facts.may_manage:
        yield _("Who is who"), "series-people"
        yield _("Staff"), "series-staff"
        yield _("Settings"), "series-settings"


def render_series_page(
    request: HttpRequest, template: str, facts: SeriesFacts, current: str, **context: Any
) -> HttpResponse:
    """Render a series template with the series' tabs.

    ``template`` is a file name without ".html"; ``current`` the URL name of the open tab, "" for
    none.
    """
    return render_page(
        request, f"tournaments/series/{template}.html", _head(facts, current) | context
    )


def _head(facts: SeriesFacts, current: str) -> dict[str, Any]:
    return {"facts": facts, "series": facts.series, "tabs": series_tabs(facts, current)}


class SeriesFormView(RuleFormView):
    """Base view of forms for a series' organisers; ``tab``: the open tab's URL name."""

    tab = ""
    facts: SeriesFacts
    actor: Actor

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the series; 403 for others than its organisers."""
        self.facts, self.actor = managed_series(request, kwargs["slug"])
        return super().dispatch(request, *args, **kwargs)

    @property
    def series(self) -> Series:
        """Return the series."""
        return self.facts.series

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the series and the tabs."""
        return super().get_context_data(**_head(self.facts, self.tab) | kwargs)
