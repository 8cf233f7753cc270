"""Events that tests begin with: built once by the services, then copied row by row.

A recipe is a function of :mod:`tests.factories`. The first test that calls it with some values
builds the event; the rows that came of it are remembered, and every later test of the process that
calls it with the same values, on a database in the same state, is given exactly these rows, keys
and moments included. Whatever else could decide what is built makes it build anew: another
organiser, other events, house formats, cards or saved formulas, a patched module.
"""

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from random import Random
from typing import Any

from django.db import connection, transaction

from tournaments.core.permissions import Actor
from tournaments.models import Event

Rows = list[tuple[Any, ...]]
# What somebody loads or writes for the site decides what a later event becomes.
DECISIVE = (
    *("decks_catalogue", "decks_card", "decks_cardlistversion", "decks_houseformat"),
    "tournaments_savedformula",
)
ANY_DECISIVE = " UNION ALL ".join(f"SELECT 1 FROM {name}" for name in DECISIVE)  # noqa: S608


@dataclass(frozen=True)
class Dish:
    """What a recipe gave: the rows by table, and the event's key."""

    rows: dict[str, Rows]
    event: int


class Kitchen:
    """The events that were built in this process; ``open`` is False while code is patched."""

    def __init__(self) -> None:
        self.dishes: dict[bytes, Dish] = {}
        self.open = True

    def serves(self) -> bool:
        """Say whether rows may be kept and copied: only SQLite gives the same keys again."""
        return self.open and connection.vendor == "sqlite"


KITCHEN = Kitchen()


def recipe(build: Callable[..., Event]) -> Callable[..., Event]:
    """Make a builder of events remember what it built."""
    name = f"{build.__module__}.{build.__qualname__}"

    @wraps(build)
    def made(by: Actor, *values: Any, **named: Any) -> Event:
        key = order(name, by, values, named) if KITCHEN.serves() else None
        if key is None:
            return build(by, *values, **named)
        if key not in KITCHEN.dishes:
            draws = f"{os.environ.get('DRAWS', '')} {name} {values}"
            return cook(key, partial(build, by, *values, **named), draws)
        return serve(KITCHEN.dishes[key])

    return made


def order(name: str, by: Actor, values: Any, named: Any) -> bytes | None:
    """Return what decides the rows of an event; None where that can't be told."""
    last, user = last_keys(), by.user
    if user is None or by.entry or decided_by_site():
        return None
    slugs = sorted(Event.objects.values_list("slug", flat=True))
    who = (user.pk, user.email, user.name)
    decides = (name, values, sorted(named.items()), who, slugs, sorted(last.items()))
    return repr(decides).encode()


def decided_by_site() -> bool:
    """Say whether the site holds cards, formats or formulas; a key of old rows tells nothing."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT EXISTS({ANY_DECISIVE})")
        return bool(cursor.fetchone()[0])


def last_keys() -> dict[str, int]:
    """Return the last key that was given in each table."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, seq FROM sqlite_sequence WHERE seq > 0")
        return dict(cursor.fetchall())


def cook(key: bytes, build: Callable[[], Event], draws: str) -> Event:
    """Build an event, and keep the rows that came of it.

    Its draws follow from ``draws``; the key tells what ran before in the process, or what time it
    is.
    """
    before, chance, usual = last_keys(), Random(draws), secrets.token_hex
    secrets.token_hex = lambda size=None: chance.randbytes(size or 32).hex()
    try:
        event = build()
    finally:
        secrets.token_hex = usual
    after = last_keys()
    new = {table: before.get(table, 0) for table in after if after[table] > before.get(table, 0)}
    KITCHEN.dishes[key] = Dish(
        {table: rows(table, since) for table, since in new.items()}, event.pk
    )
    return event


def rows(table: str, since: int) -> Rows:
    """Return the rows of a table that were added after a key."""
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}" WHERE id > %s ORDER BY id', [since])  # noqa: S608
        return cursor.fetchall()


def serve(dish: Dish) -> Event:
    """Put the rows of a dish into the database; return the event."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table, kept in dish.rows.items():
            if kept:
                places = ", ".join(["%s"] * len(kept[0]))
                cursor.executemany(f'INSERT INTO "{table}" VALUES ({places})', kept)  # noqa: S608
    return Event.objects.get(pk=dish.event)
