"""Evenings and series for tests: who plays, and what is refused."""

from collections.abc import Iterable
from typing import Any

from rest_framework.test import APIClient

from rules.people.person_names import Person
from tests import factories as make
from tests.recipes import recipe
from tournaments.core.permissions import Actor
from tournaments.events.services import change_event_state
from tournaments.lots.services import draw_start_order
from tournaments.models import Event, Series
from tournaments.players.services.entries import add_entries
from tournaments.series.services import create_series
from tournaments.starting.services import start_event

ROOT = "/api/v1/series/"
EIGHT = "Ada Bea Carlo Dora Elio Fosca Gino Hugo"
LEAGUE = {"by_place": [10, 8, 6, 5, 4, 3, 2, 1]}
ORDER = ["points", "lots"]


@recipe
def unstarted(by: Actor, names: str | Iterable[str] = EIGHT, **values: Any) -> Event:
    """Return a knock-out of people with these names before its start; a club follows a slash."""
    fresh = make.open_event(by, **{"formula": "single-elimination"} | values)
    listed = names.split() if isinstance(names, str) else names
    add_entries(event=fresh, people=[Person(*name.split("/")) for name in listed], by=by)
    return fresh


def played_by(event: Event, by: Actor) -> Event:
    """Return an event once it is played; seat 1 wins each match."""
    draw = draw_start_order(event=event, seed="seed", by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    return make.play_event(Event.objects.get(pk=event.pk), by)


@recipe
def evening(by: Actor, names: str | Iterable[str] = EIGHT, **values: Any) -> Event:
    """Return a finished knock-out of people with these names."""
    return played_by(unstarted(by, names, **values), by)


def group_evening(by: Actor, names: str = "Ada Bea Carlo Dora", **values: Any) -> Event:
    """Return a finished round robin of people with these names."""
    return evening(by, names, formula="single-group", **values)


def reopened(event: Event, by: Actor) -> Event:
    """Return an event whose end was taken back."""
    return change_event_state(event=event, action="reopen", by=by)


def series_of(api: APIClient, *events: Event, **values: Any) -> str:
    """Create a series in which a name is a person, and return its address."""
    sent: dict[str, Any] = {"name": "Lega", "events": [event.slug for event in events]}
    sent |= {"points": LEAGUE, "order": ORDER, "names_are_people": True} | values
    answer = api.post(ROOT, sent, format="json")
    assert answer.status_code == 201, answer.json()
    return f"{ROOT}{answer.json()['slug']}/"


def names_of(api: APIClient, at: str) -> list[str]:
    """Return the names of the table in its order."""
    return [row["name"] for row in api.get(f"{at}table/").json()["table"]]


def sent(answer: Any, status: int = 201) -> Any:
    """Return what the API answered, with this status."""
    assert answer.status_code == status, (answer.status_code, answer.content)
    return answer.json()


def refused(answer: Any, status: int, code: str, path: str | None = None) -> dict[str, Any]:
    """Return the refusal, which has this status, code and path."""
    told: dict[str, Any] = answer.json()
    assert (answer.status_code, told["code"]) == (status, code), told
    assert path is None or told["path"] == path, told
    return told


def season(by: Actor, events: Iterable[Event], points: Any = None, **values: Any) -> Series:
    """Return a series of these events in which a name is a person, by points 10 8 6 5."""
    points = {"by_place": [10, 8, 6, 5]} if points is None else points
    slugs = [event.slug for event in events]
    given = {"name": "Lega", "events": slugs, "points": points or None, "names_are_people": True}
    return create_series(values=given | values, by=by)
