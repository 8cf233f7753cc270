"""The table of a season of 60 events with 60 players each: made anew, and read again.

Baselines: the 150 ms that a reader may wait for it, and the page of an event, read again too.
"""

from collections.abc import Iterator
from time import process_time

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from bench.timing import Figure, Ratio, compare
from tests import factories as make
from tests.front import ask, shared
from tests.large_series import large_series
from tournaments.models import Series
from tournaments.public.page_cache import PageCache
from tournaments.public.storage import SERIES, SqliteVersionReader, site_data_versions
from tournaments.series.selectors import SeriesFacts, compute_series_table, load_series_facts

EVENTS = PLAYERS = 60
MOST = 0.15
LEAST_WORK = 20
TURNS = 12
"""Of which a quarter may be quicker: others use the processor too."""


def made_anew(series: Series, facts: SeriesFacts) -> float:
    """Return the seconds of the processor in which the table is made from the kept rows."""
    started = process_time()
    compute_series_table(series, facts.finished)
    return process_time() - started


def measure() -> Iterator[Ratio | Figure]:
    """Yield the ratios of the table, of its page from the cache, and of asking for its version."""
    by = make.organiser()
    event = make.started(by, 8)
    series = large_series(by, events=EVENTS, players=PLAYERS)
    facts = load_series_facts(series)
    name = f"table of {EVENTS} x {PLAYERS} from the kept rows / {MOST * 1000:.0f} ms"
    spent = sorted(made_anew(series, facts) for _turn in range(TURNS))
    yield Ratio(name, spent[TURNS // 4], MOST, goal=1.0)
    path = settings.DATABASES["default"]["NAME"]
    front = PageCache(get_wsgi_application(), SqliteVersionReader(str(path)), shared())
    pages = f"/series/{series.slug}/", f"/events/{event.slug}/standings/"
    for page in pages:
        status, _headers, body = ask(front, page)
        assert body.strip(), (page, status)  # noqa: S101 - else it measures nothing
    ours, baseline = pages
    yield compare(
        "its page from the cache / standings of an event from the cache",
        lambda: [ask(front, ours, HTTP_ACCEPT_ENCODING="gzip") for _time in range(LEAST_WORK)],
        lambda: [ask(front, baseline, HTTP_ACCEPT_ENCODING="gzip") for _time in range(LEAST_WORK)],
        goal=1.5,
    )
    versions = site_data_versions()
    if isinstance(versions, SqliteVersionReader):

        def asked(slug: str) -> object:
            versions.seen.fresh.clear()
            return versions.current(slug)

        yield compare(
            "whether its page is current, after a write / the same of an event",
            lambda: asked(SERIES + series.slug),
            lambda: asked(event.slug),
        )
