"""The questions that a large site is asked: each list, history, log and search."""

from collections.abc import Callable

from django.test import Client
from rest_framework.test import APIClient

from tests.large_site import LargeSite
from tournaments.models import Event

Questions = dict[str, Callable[[], object]]


def questions(site: LargeSite) -> Questions:
    """Return what is asked by its name; each asks as a reader does, and checks the answer."""
    nobody, organiser, player = Client(), Client(), Client()
    organiser.force_login(site.organiser)
    player.force_login(site.player)
    program = APIClient()
    event = f"/events/{site.event.slug}/"
    deep = Event.objects.filter(state=Event.State.FINISHED).count() // 100
    api = f"/api/v1/events/{site.event.slug}/"
    asked = {
        "front page": (nobody, "/"),
        "front page of past events, the last": (nobody, "/?page=9999"),
        "front page, a word": (nobody, "/?q=town+4999"),
        "front page, a game": (nobody, "/?game=doomtrooper&page=5"),
        "front page, a month and a place": (nobody, "/?month=2026-11&place=hall"),
        "calendar": (nobody, "/events.ics"),
        "feed": (nobody, "/feed/"),
        "front page of an organiser": (organiser, "/"),
        "my events of a player": (player, "/me/"),
        "my events of an organiser": (organiser, "/me/"),
        "log": (organiser, f"{event}log/"),
        "log, last page": (organiser, f"{event}log/?page=9999"),
        "log, a word": (organiser, f"{event}log/?find=Player+4999"),
        "events by the API": (program, "/api/v1/events/"),
        "events by the API, page 90": (program, f"/api/v1/events/?page={deep}"),
        "events by the API, running": (program, "/api/v1/events/?status=running"),
        "events by the API, finished, page 90": (
            program,
            f"/api/v1/events/?status=finished&page={deep}",
        ),
        "events by the API, a name": (program, "/api/v1/events/?search=town+4999"),
        "events by the API, a frequent word": (program, "/api/v1/events/?search=cup"),
        "players by the API": (program, f"{api}players/"),
        "players by the API, a name": (program, f"{api}players/?search=ann"),
    }
    return {name: _asking(client, address) for name, (client, address) in asked.items()}


def _asking(client: Client, address: str) -> Callable[[], object]:
    def ask() -> object:
        answer = client.get(address, headers={"host": "localhost"})
        assert answer.status_code == 200, (address, answer.status_code)
        return answer

    return ask
