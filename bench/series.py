"""The table of a season of 60 events with 60 players each: made anew, and read again.

Baselines: the 150 ms that a reader may wait for it, and the page of an event, read again too.
"""

from collections.abc import Iterator

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from bench.timing import Figure, Ratio, compare
from tests import factories as make
from tests.front import ask, shared
from tests.large_series import large_series
from tournaments.public.page_cache import PageCache
from tournaments.public.storage import SERIES, SqliteVersions, versions_of_site
from tournaments.series.selectors import compute_table, facts_of_series

EVENTS = PLAYERS = 60
MOST = 0.15
LEAST_WORK = 20


def measure() -> Iterator[Ratio | Figure]:
    """Yield the ratios of the table, of its page from the cache, and of asking for its version."""
    by = make.organiser()
    event = make.started(by, 8)
    series = large_series(by, events=EVENTS, players=PLAYERS)
    facts = facts_of_series(series)
    made = compare(
        f"table of {EVENTS} x {PLAYERS} from the kept rows / {MOST * 1000:.0f} ms",
        lambda: compute_table(series, facts.finished),
        lambda: sum(range(1000)),
    )
    yield Ratio(made.name, made.ours, MOST, goal=1.0)
    path = settings.DATABASES["default"]["NAME"]
    front = PageCache(get_wsgi_application(), SqliteVersions(str(path)), shared())
    pages = f"/series/{series.slug}/", f"/events/{event.slug}/standings/"
    for page in pages:
        status, _headers, body = ask(front, page)
        assert body.strip(), (page, status)  # noqa: S101 - else it measures nothing
    ours, baseline = pages
    yield compare(
        "its page from the cache / standings of an event from the cache",
        lambda: [ask(front, ours) for _time in range(LEAST_WORK)],
        lambda: [ask(front, baseline) for _time in range(LEAST_WORK)],
        goal=1.5,
    )
    versions = versions_of_site()
    if isinstance(versions, SqliteVersions):

        def asked(slug: str) -> object:
            versions.seen.fresh.clear()
            return versions.current(slug)

        yield compare(
            "whether its page is current, after a write / the same of an event",
            lambda: asked(SERIES + series.slug),
            lambda: asked(event.slug),
        )
