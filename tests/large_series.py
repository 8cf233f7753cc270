"""A season of many evenings with the same crowd, written as rows in a moment.

Each event is finished and has its final rows kept under its head: enough for the table of the
season, not for pages of its events.
"""

from datetime import timedelta
from random import Random

from django.utils import timezone

from rules.names import name_key
from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event, FinalRows, Series, SeriesEvent, SeriesStaff
from tournaments.series.final_rows import FORM, Rows

POINTS = {"by_place": [10, 8, 6, 5, 4, 3, 2, 1], "taking_part": 1, "match_points": "1/3", "best": 8}


def large_series(by: Actor, *, events: int = 60, players: int = 60, crowd: int = 100) -> Series:
    """Return a series of finished ``events`` with ``players`` out of a ``crowd`` in each."""
    chance, first = Random(1), make.event(by)
    series = Series.objects.create(
        slug="season",
        name="Season",
        seed="seed",
        points=POINTS,
        names_are_people=True,
        created_by=by.user,
    )
    assert by.user is not None
    SeriesStaff.objects.create(series=series, user=by.user, role=SeriesStaff.Role.ORGANISER)
    began = timezone.now() - timedelta(days=7 * events)
    made = [_event(first, number, began + timedelta(days=7 * number)) for number in range(events)]
    Event.objects.bulk_create(made)
    members = [SeriesEvent(series=series, event=event) for event in made]
    SeriesEvent.objects.bulk_create(members)
    names = [f"{make.player_name(number % 20)} {number}" for number in range(crowd)]
    for event in made:
        here = chance.sample(names, players)
        Entry.objects.bulk_create(
            Entry(event=event, number=number, name=name, name_key=name_key(name))
            for number, name in enumerate(here, start=1)
        )
        FinalRows.objects.create(event=event, head=event.head, rows=final_rows(players, chance))
    return series


def _event(like: Event, number: int, at: object) -> Event:
    columns = {field.attname: getattr(like, field.attname) for field in Event._meta.concrete_fields}
    own = {"id": None, "slug": f"evening-{number}", "name": f"Evening {number}", "starts_at": at}
    state = {"state": Event.State.FINISHED, "head": f"{number:064x}", "version": 9}
    return Event(**columns | own | state)


def final_rows(players: int, chance: Random, rounds: int = 5) -> Rows:
    """Return the final rows of an event in which everybody played ``rounds`` matches."""
    points = dict.fromkeys(range(1, players + 1), 0)
    met: dict[int, dict[str, int]] = {number: {} for number in points}
    won = dict.fromkeys(points, 0)
    for _round in range(rounds):
        order = chance.sample(sorted(points), players)
        for one, other in zip(order[::2], order[1::2], strict=True):
            for own, them, made in ((one, other, 3), (other, one, 0)):
                points[own] += made
                won[own] += made == 3
                met[own][str(them)] = met[own].get(str(them), 0) + made
    ranked = sorted(points, key=lambda number: (-points[number], number))
    rows = [
        [number, place, points[number], won[number], rounds, False, met[number]]
        for place, number in enumerate(ranked, start=1)
    ]
    return {"form": FORM, "parts": 1, "rows": rows}
