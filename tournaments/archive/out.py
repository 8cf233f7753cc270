"""An event written into an archive."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

from accounts.models import User
from tournaments.archive.tables import TABLES, Table
from tournaments.models import Event

VERSION = 1
Numbers = dict[type, dict[Any, int]]


def archive(event: Event) -> bytes:
    """Return the event as JSON in UTF-8; one query a table."""
    numbers: Numbers = {}
    people: dict[int, User] = {}
    tables = {table.key: list(_rows(table, event, numbers, people)) for table in TABLES}
    _fill_in_later(tables, event, numbers)
    known = sorted(people.values(), key=lambda user: user.email)
    document = {
        "girone": VERSION,
        "people": [{"email": user.email, "name": user.name} for user in known],
        "tables": tables,
    }
    text = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True)
    return f"{text}\n".encode()


def _rows(
    table: Table, event: Event, numbers: Numbers, people: dict[int, User]
) -> Iterator[dict[str, Any]]:
    own = numbers.setdefault(table.model, {})
    users = [f.name for f in table.columns if f.related_model is User]
    for number, row in enumerate(table.rows(event).select_related(*users), start=1):
        own[row.pk] = number
        values: dict[str, Any] = {}
        for field in table.columns:
            if field.related_model is User:
                user = getattr(row, field.name)
                if user is not None:
                    people[user.pk] = user
                values[field.name] = user.email if user is not None else None
            elif field.is_relation and field.name in table.later:
                values[field.name] = field.value_from_object(row)  # a key until all have numbers
            elif field.is_relation:
                key = field.value_from_object(row)
                values[field.name] = None if key is None else numbers[field.related_model][key]
            else:
                values[field.name] = plain(field.value_from_object(row))
        yield values


def _fill_in_later(tables: dict[str, list[dict[str, Any]]], event: Event, numbers: Numbers) -> None:
    """Put row numbers in the place of the keys of rows that came further down."""
    for table in TABLES:
        for field in table.columns:
            if field.name in table.later and field.is_relation:
                known = numbers[field.related_model]
                for values in tables[table.key]:
                    key = values[field.name]
                    values[field.name] = None if key is None else known[key]


def plain(value: Any) -> Any:
    """Return a value as JSON carries it; moments in UTC."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return value
