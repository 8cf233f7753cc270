"""An event written into an archive."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

from tournaments.archive.outward import VERSION, dumped, outward
from tournaments.core.event_tables import ARCHIVED, Table, name_column
from tournaments.models import Event

Numbers = dict[type, dict[Any, int]]


def archive(event: Event) -> bytes:
    """Return the event as JSON in UTF-8, without accounts; one query a table and one for names."""
    return dumped(outward(document(event)))


def archive_kept_here(event: Event) -> bytes:
    """Return what this installation keeps of the event: it names accounts by their keys."""
    return dumped(document(event))


def outward_bytes(content: bytes) -> bytes:
    """Return as an archive what :func:`archive_kept_here` has given, now or in former versions."""
    return dumped(outward(json.loads(content)))


def document(event: Event) -> dict[str, Any]:
    """Return the rows of the event with its accounts by key; one query a table."""
    numbers: Numbers = {}
    tables = {table.key: list(_rows(table, event, numbers)) for table in ARCHIVED}
    _fill_in_later(tables, event, numbers)
    return {"girone": VERSION, "tables": tables}


def _rows(table: Table, event: Event, numbers: Numbers) -> Iterator[dict[str, Any]]:
    own = numbers.setdefault(table.model, {})
    for number, row in enumerate(table.rows(event), start=1):
        own[row.pk] = number
        values: dict[str, Any] = {}
        for field in table.columns:
            value = field.value_from_object(row)
            if field in table.people:
                name = name_column(field)
                values[field.name] = value or (name and getattr(row, name)) or None
            elif field.is_relation and field.name in table.later:
                values[field.name] = value  # a key until all have numbers
            elif field.is_relation:
                values[field.name] = None if value is None else numbers[field.related_model][value]
            else:
                values[field.name] = plain(value)
        yield values


def _fill_in_later(tables: dict[str, list[dict[str, Any]]], event: Event, numbers: Numbers) -> None:
    """Put row numbers in the place of the keys of rows that came further down."""
    for table in ARCHIVED:
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
