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
from django.urls import include, path, reverse

from bench.standings import plain_league
from bench.timing import Figure, Ratio, compare
from rules.matches.match_rules import Claim
from tests import factories
from tournaments.core.event_state import load_facts
from tournaments.core.facts_cache import EventSnapshots, cached_facts
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match
from tournaments.players.services.entries import make_link
from tournaments.results.services.results import correct_result

PLAYERS, ROUNDS = 128, 7
OF_READER = ("django_session", "accounts_user")
"""Tables that tell who reads."""
ROWS = """
    SELECT a.number, b.number, report.score_a, report.score_b
    FROM tournaments_match AS played
    JOIN tournaments_round AS round ON round.id = played.round_id
    JOIN tournaments_report AS report ON report.id = played.decision_id
    JOIN tournaments_matchseat AS one ON one.match_id = played.id AND one.number = 1
    JOIN tournaments_matchseat AS two ON two.match_id = played.id AND two.number = 2
    JOIN tournaments_entry AS a ON a.id = one.entry_id
    JOIN tournaments_entry AS b ON b.id = two.entry_id
    WHERE round.event_id = %s
"""


def hello(_request: HttpRequest) -> HttpResponse:
    """Return a trivial response."""
    return HttpResponse("hello", content_type="text/plain")


urlpatterns = [path("hello", hello), path("", include("config.urls"))]


def measure() -> Iterator[Ratio | Figure]:
    """Yield the ratios of reading the facts, of whole pages, and of 304 responses."""
    event, before, client, phone = running()
    yield compare(
        f"facts and standings, {PLAYERS} x {ROUNDS} / bare rows, plain lists",
        lambda: load_facts(event, for_staff=False).stages[0].outcome,
        lambda: table(event),
        goal=3.0,
    )
    with override_settings(ROOT_URLCONF=__name__):
        for name, most in (("pairings", 3), ("standings", 6)):
            address = f"/events/{event.slug}/{name}/"
            yield from of_page(address, f"{name}, {PLAYERS} x {ROUNDS}", client, before, most)
        address = f"/events/{event.slug}/me/"
        yield from of_player(address, f"own page, {PLAYERS} x {ROUNDS}", phone, before)


def of_page(
    address: str, title: str, client: Client, before: EventSnapshots, most: int
) -> Iterator[Ratio | Figure]:
    """Yield a page's queries and ratios.

    After a result, in a process that has read nothing of the event, of a version that is known,
    and as 304.
    """

    def page(**headers: str) -> HttpResponse:
        return client.get(address, headers={"HX-Request": "true", **headers})

    def after_a_result() -> HttpResponse:
        hold(before)
        return page()

    def cold() -> HttpResponse:
        hold(None)
        return page()

    tag = page().headers["ETag"]
    unchanged = partial(page, **{"If-None-Match": tag})
    yield Figure(f"{title}, after a result: queries", queries(after_a_result), most)
    yield compare(f"{title}, after a result / hello", after_a_result, word(client), goal=9.0)
    yield compare(f"{title}, nothing held / hello", cold, word(client))
    yield compare(f"{title}, nothing changed / hello", page, word(client))
    yield Figure(f"{title}, unchanged: queries", queries(unchanged), 1)
    yield compare(f"{title}, unchanged / hello", unchanged, word(client))


def of_player(
    address: str, title: str, phone: Client, before: EventSnapshots
) -> Iterator[Ratio | Figure]:
    """Yield the queries and ratios of a player's page after a result at another table.

    For all but the first reader of the version, and for the first.
    """

    def page() -> HttpResponse:
        return phone.get(address)

    def first() -> HttpResponse:
        hold(before)
        return page()

    first()
    yield Figure(f"{title}, after a result: queries but of who reads", queries(page), 3)
    yield compare(f"{title}, after a result / hello", page, word(phone), goal=3.0)
    yield compare(f"{title}, first reader after it / hello", first, word(phone))


def word(client: Client) -> Callable[[], HttpResponse]:
    """Return the call of a trivial response."""
    return lambda: client.get("/hello")


def hold(facts: EventSnapshots | None) -> None:
    """Let the process hold these facts alone, as of the version before, or none."""
    cached_facts.forget()
    if facts is not None:
        cached_facts.keep(facts)


def queries(page: Callable[[], HttpResponse]) -> int:
    """Return the number of queries of a page, without BEGIN, COMMIT and who reads it."""
    with CaptureQueriesContext(connection) as made:
        page()
    found = [query["sql"] for query in made if query["sql"].startswith("SELECT")]
    return sum(not any(f'FROM "{table}"' in sql for table in OF_READER) for sql in found)


def running() -> tuple[Event, EventSnapshots, Client, Client]:
    """Return an event after seven Swiss rounds and what was held of it before the last result.

    Also a browser that is nobody's, and the phone of a player.
    """
    by = factories.organiser()
    event = factories.started(by, PLAYERS, formula="swiss-cut")
    for _round in range(ROUNDS):
        factories.play_round(factories.next_round(event, by), by)
    phone = phone_of(event)
    client, address = Client(SERVER_NAME="localhost"), f"/events/{event.slug}/"
    for name in ("pairings/", "standings/"):
        client.get(address + name)
    before = cached_facts.latest(Event.objects.get(pk=event.pk))
    match = Match.objects.filter(round__event=event).order_by("-pk")[0]
    claim = Claim(score=(10, 40) if match.decision.winner == "a" else (40, 10))
    correct_result(match=match, version=match.version, claim=claim, reason="Typo", by=by)
    return Event.objects.get(pk=event.pk), before, client, phone


def phone_of(event: Event) -> Client:
    """Return the phone of a player who has opened the personal link."""
    client = Client(SERVER_NAME="localhost")
    entry = event.entries.get(number=1)
    token = make_link(entry=entry, by=Actor(entry=entry))
    client.get(reverse("tournaments:open-link", args=[token]))
    return client


def table(event: Event) -> list[int]:
    """Return the bare order of the players, loaded and computed from plain lists."""
    with connection.cursor() as cursor:
        cursor.execute(ROWS, [event.pk])
        return plain_league(PLAYERS + 1, cursor.fetchall())
