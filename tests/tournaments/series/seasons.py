"""Seasons for tests of pages: evenings of people by name, and a series of them."""

from collections.abc import Iterable
from typing import Any

from rules.people.person_names import Person
from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.lots import services as draws
from tournaments.models import Event, Series
from tournaments.players.services.entries import add_entries
from tournaments.series.services import create_series
from tournaments.starting.services import start_event


def evening(by: Actor, names: str = "Ada Bea Carlo Dora", **values: Any) -> Event:
    """Return a finished round robin of people with these names; a club follows a slash."""
    fresh = make.open_event(by, formula="single-group", **values)
    people = [Person(*one.split("/")) for one in names.split()]
    add_entries(event=fresh, people=people, by=by)
    draw = draws.draw_start_order(event=fresh, seed="seed", by=by)
    start_event(event=fresh, draw_number=draw.number, by=by)
    return make.play_event(Event.objects.get(pk=fresh.pk), by)


def season(by: Actor, events: Iterable[Event], points: Any = None, **values: Any) -> Series:
    """Return a series of these events in which a name is a person, by points 10 8 6 5."""
    points = {"by_place": [10, 8, 6, 5]} if points is None else points
    slugs = [event.slug for event in events]
    given = {"name": "Lega", "events": slugs, "points": points or None, "names_are_people": True}
    return create_series(values=given | values, by=by)
