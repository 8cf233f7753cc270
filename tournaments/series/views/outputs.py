"""What a series gives away: workbook, CSV, archive, sheet, feed, calendar, picture, chat text."""

from collections.abc import Iterable

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.addresses import absolute_url
from tournaments.exports.api import csv_download_response
from tournaments.exports.workbook import workbook_download
from tournaments.models import Event
from tournaments.pages.access import allow_series_caching, find_actor, public_read
from tournaments.pages.views import strip_scheme
from tournaments.paper.views import requested_paper_size, sheet_pdf_response
from tournaments.public.selectors.listed import FeedItem, latest_feed_items
from tournaments.public.views import NEWS, EventFeed, calendar_entries, calendar_response
from tournaments.series.access import SERIES
from tournaments.series.api_files import archive_response
from tournaments.series.exports import series_csv, series_workbook
from tournaments.series.selectors import SeriesFacts, SeriesTable, load_series_table, read_series
from tournaments.series.shown import chat_messages, picture_content, sheet_content
from tournaments.sharing.texts import BETWEEN
from tournaments.sharing.views import render_picture


def _facts_and_table(request: HttpRequest, slug: str) -> tuple[SeriesFacts, SeriesTable]:
    """Return a series and its table; 404 without points, or before the first event is over."""
    facts = read_series(slug, find_actor(request))
    table = load_series_table(facts)
    if table is None or not table.events:
        raise Http404(_("Nothing to print yet."))
    return facts, table


def _address(request: HttpRequest, slug: str) -> str:
    return absolute_url(request, reverse("tournaments:series", args=[slug]))


@require_safe
def workbook(request: HttpRequest, slug: str) -> HttpResponse:
    """Download a series' standings as .xlsx."""
    facts, table = _facts_and_table(request, slug)
    return workbook_download(series_workbook(facts.series, table), slug)


@require_safe
def csv_download(request: HttpRequest, slug: str) -> HttpResponse:
    """Download a series' standings as CSV."""
    facts, table = _facts_and_table(request, slug)
    return csv_download_response(series_csv(facts.series, table), slug)


@require_safe
def sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a series' standings as a PDF; ``?paper=letter`` chooses the paper size."""
    facts, table = _facts_and_table(request, slug)
    address = strip_scheme(_address(request, slug))
    content = sheet_content(facts.series, table, address, timezone.now())
    return sheet_pdf_response(content, "series", requested_paper_size(request), slug)


@require_safe
def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the archive of a series, for its organisers.

    ``?events=0`` leaves out the archives of its events.
    """
    actor = find_actor(request)
    return archive_response(read_series(slug, actor), actor, request.GET.get("events"))


# --- Calendar and feed ----------------------------------------------------------------------
def public_events(facts: SeriesFacts) -> QuerySet[Event]:
    """Return the events of a series without drafts, by start."""
    return facts.series.events.exclude(state=Event.State.DRAFT).order_by("starts_at", "pk")


@public_read(every_act=True)
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the iCalendar file of a series' events."""
    facts = read_series(slug, find_actor(request))
    allow_series_caching(request, find_actor(request), facts.events)
    return calendar_response(
        calendar_entries(request, public_events(facts)), slug, facts.series.name
    )


class SeriesFeed(EventFeed):
    """Atom feed of the latest events of a series."""

    def get_object(self, _request: HttpRequest, facts: SeriesFacts) -> SeriesFacts:
        """Return the series that is followed."""
        return facts

    def title(self, facts: SeriesFacts) -> str:  # type: ignore[override]
        """Return the name of the series."""
        return facts.series.name

    def link(self, facts: SeriesFacts) -> str:  # type: ignore[override]
        """Return the address of its page."""
        return facts.series.get_absolute_url()

    def items(self, facts: SeriesFacts) -> Iterable[FeedItem]:  # type: ignore[override]
        """Return its latest events by start, most recently announced first."""
        return latest_feed_items(public_events(facts), NEWS)


follow = SeriesFeed()


@public_read(every_act=True)
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the Atom feed of a series' events."""
    facts = read_series(slug, find_actor(request))
    allow_series_caching(request, find_actor(request), facts.events)
    return follow(request, facts=facts)


# --- Shared links ---------------------------------------------------------------------------
def series_picture_path(facts: SeriesFacts) -> str:
    """Return the path of a series' current preview picture in the active language."""
    version = facts.series.version + sum(event.version for event in facts.events)
    path = reverse("tournaments:series-picture", args=[facts.series.slug])
    return f"{path}?language={get_language()}&v={version}"


@public_read("language", "v")
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a series' preview picture as PNG; 404 without a public event.

    ``?language=`` chooses the language; ``?v=`` only makes caches ask again.
    """
    facts = read_series(slug, find_actor(request))
    language = request.GET.get("language", get_language())
    if language not in dict(settings.LANGUAGES) or not public_events(facts).exists():
        raise Http404
    with override(language):
        content = picture_content(facts, load_series_table(facts))
    allow_series_caching(request, find_actor(request), facts.events)
    return HttpResponse(render_picture(content), content_type="image/png")


@public_read()
def text(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a series' first ranks as text for chats, messages separated by ``BETWEEN``."""
    facts, table = _facts_and_table(request, slug)
    found = chat_messages(facts.series, table, _address(request, slug))
    allow_series_caching(request, find_actor(request), facts.events)
    return HttpResponse(BETWEEN.join(found), content_type="text/plain; charset=utf-8")


urlpatterns = [
    path(f"{SERIES}table.xlsx", workbook, name="series-export"),
    path(f"{SERIES}table.csv", csv_download, name="series-csv"),
    path(f"{SERIES}archive.json", archive, name="series-archive"),
    path(f"{SERIES}print/", sheet, name="series-print"),
    path(f"{SERIES}calendar.ics", calendar, name="series-calendar"),
    path(f"{SERIES}feed/", feed, name="series-feed"),
    path(f"{SERIES}picture.png", picture, name="series-picture"),
    path(f"{SERIES}text/", text, name="text-series"),
]
