"""Pages that everybody opens when a round is posted, for 128 players after seven rounds.

Against the bare rows with a table made of plain lists, and against the smallest page of the site.
"""

from collections.abc import Callable, Iterator

from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bench import plain_standings
from bench.timing import Figure, Ratio, compare
from tests import factories
from tournaments.models import Event
from tournaments.selectors.facts import load_facts

PLAYERS, ROUNDS = 128, 7
ROWS = """
    SELECT a.number, b.number, report.score_a, report.score_b
    FROM tournaments_match AS played
    JOIN tournaments_round AS round ON round.id = played.round_id
    JOIN tournaments_report AS report ON report.id = played.decision_id
    JOIN tournaments_entry AS a ON a.id = played.a_id
    JOIN tournaments_entry AS b ON b.id = played.b_id
    WHERE round.event_id = %s
"""


def measure() -> Iterator[Ratio | Figure]:
    """Yield the ratios of reading, of whole pages and of an answer that nothing has changed."""
    event, client = running(), Client(SERVER_NAME="localhost")
    title = f"{PLAYERS} players, {ROUNDS} rounds"
    yield compare(
        f"facts and standings, {title} / bare rows, plain lists",
        lambda: load_facts(event, drafts=False).stages[0].outcome,
        lambda: table(event),
    )
    for name in ("pairings", "standings"):
        address = f"/events/{event.slug}/{name}/"

        def page(address: str = address, **headers: str) -> HttpResponse:
            return client.get(address, headers={"HX-Request": "true", **headers})

        tag = page().headers["ETag"]
        yield Figure(f"{name}, {title}: queries", queries(page), 9)
        yield compare(f"{name}, {title} / health", page, lambda: client.get("/health/live"))
        yield compare(
            f"{name}, {title}, unchanged / health",
            lambda page=page, tag=tag: page(**{"If-None-Match": tag}),
            lambda: client.get("/health/live"),
        )


def queries(page: Callable[[], HttpResponse]) -> int:
    """Return how many queries a page makes, without the begin and the end of their transaction."""
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
    """Return the order of the players, with nothing that the site would need of them."""
    with connection.cursor() as cursor:
        cursor.execute(ROWS, [event.pk])
        return plain_standings.league(PLAYERS + 1, cursor.fetchall())
