"""Pages read by everybody when a round is posted, for 128 players after seven rounds.

Baselines: loading the rows and computing a table from plain lists, and a trivial response behind
the site's middleware.
"""

from collections.abc import Callable, Iterator
from functools import partial

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import include, path

from bench import plain_standings
from bench.timing import Figure, Ratio, compare
from tests import factories
from tournaments.core.event_state import load_facts
from tournaments.models import Event

PLAYERS, ROUNDS = 128, 7
QUERIES = 8
ROWS = """
    SELECT a.number, b.number, report.score_a, report.score_b
    FROM tournaments_match AS played
    JOIN tournaments_round AS round ON round.id = played.round_id
    JOIN tournaments_report AS report ON report.id = played.decision_id
    JOIN tournaments_entry AS a ON a.id = played.a_id
    JOIN tournaments_entry AS b ON b.id = played.b_id
    WHERE round.event_id = %s
"""


def hello(_request: HttpRequest) -> HttpResponse:
    """Return a trivial response."""
    return HttpResponse("hello", content_type="text/plain")


urlpatterns = [path("hello", hello), path("", include("config.urls"))]


def measure() -> Iterator[Ratio | Figure]:
    """Yield the ratios of reading the facts, of whole pages, and of 304 responses."""
    event, client = running(), Client(SERVER_NAME="localhost")
    yield compare(
        f"facts and standings, {PLAYERS} x {ROUNDS} / bare rows, plain lists",
        lambda: load_facts(event, drafts=False).stages[0].outcome,
        lambda: table(event),
        goal=3.0,
    )
    with override_settings(ROOT_URLCONF=__name__):
        for name in ("pairings", "standings"):
            yield from of_page(
                f"/events/{event.slug}/{name}/", f"{name}, {PLAYERS} x {ROUNDS}", client
            )


def of_page(address: str, title: str, client: Client) -> Iterator[Ratio | Figure]:
    """Yield a page's number of queries, and the ratios of the page and of its 304 response."""

    def page(**headers: str) -> HttpResponse:
        return client.get(address, headers={"HX-Request": "true", **headers})

    def word() -> HttpResponse:
        return client.get("/hello")

    tag = page().headers["ETag"]
    yield Figure(f"{title}: queries", queries(page), QUERIES)
    yield compare(f"{title} / hello", page, word, goal=9.0)
    unchanged = partial(page, **{"If-None-Match": tag})
    yield Figure(f"{title}, unchanged: queries", queries(unchanged), 3)
    yield compare(f"{title}, unchanged / hello", unchanged, word)


def queries(page: Callable[[], HttpResponse]) -> int:
    """Return the number of queries of a page, without BEGIN and COMMIT."""
    with CaptureQueriesContext(connection) as made:
        page()
    return sum(query["sql"].startswith("SELECT") for query in made)


def running() -> Event:
    """Return an event after seven Swiss rounds."""
    by = factories.organiser()
    event = factories.started(by, PLAYERS, formula="swiss-cut")
    for _round in range(ROUNDS):
        factories.play_round(factories.next_round(event, by), by)
    return event


def table(event: Event) -> list[int]:
    """Return the bare order of the players, loaded and computed from plain lists."""
    with connection.cursor() as cursor:
        cursor.execute(ROWS, [event.pk])
        return plain_standings.league(PLAYERS + 1, cursor.fetchall())
