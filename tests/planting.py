"""Changes of the rows of an event behind the program's back, made from every column that counts.

Each kind of change is tried on each table and column that the record tells: another value, two
rows exchanged, a row taken out, a row put in. What the database itself refuses is no change.
"""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection, models

from tournaments.core.valid_columns import CLOSED, LOGGED, OPEN
from tournaments.models import Event


@dataclass(frozen=True)
class Change:
    """One planted change: what it is called, and what makes it."""

    name: str
    make: Callable[[], None]


def changes(event: Event, chance: random.Random) -> Iterator[Change]:
    """Yield every change that the rows of an event allow, rows and values by chance."""
    for table in LOGGED:
        model, name = table.model, table.model.__name__
        rows = list(table.rows(event))
        if not rows:
            continue
        for column in (*OPEN[name], *CLOSED[name]):
            field = model._meta.get_field(column)
            row = chance.choice(rows)
            values = [getattr(each, field.attname) for each in rows]
            changed = other(field, getattr(row, field.attname), values, chance)
            if changed is not None:
                yield Change(f"{name}.{column} changed", writing(row, {field: changed}))
            pair = two_unlike(rows, field, chance)
            if pair is not None:
                yield Change(f"{name}.{column} exchanged", exchanging(field, *pair))
        if name == "Event":
            continue  # of an event that is not there nothing can be asked
        yield Change(f"{name} taken out", taking_out(chance.choice(rows)))
        yield Change(f"{name} put in", putting_in(model, chance.choice(rows), rows))


def other(field: Any, value: Any, values: list[Any], chance: random.Random) -> Any:
    """Return another value that the column can hold, None where there is none."""
    if isinstance(field, models.ForeignKey):
        own = field.related_model._default_manager
        keys = sorted({each for each in values if each not in (None, value)})
        return chance.choice(keys) if keys else own.exclude(pk=value).values_list("pk").first()
    if field.choices and not callable(field.choices):
        return chance.choice([key for key, _label in field.choices if key != value])
    if isinstance(field, models.BooleanField):
        return not value
    if isinstance(field, models.JSONField):
        return [*value, "x"] if isinstance(value, list) else {**(value or {}), "x": 1}
    if isinstance(field, models.DateTimeField) and value is not None:
        return value + timedelta(hours=1)
    if isinstance(field, models.IntegerField):
        return 999 if value is None else value + chance.choice((1, 2, 7))
    if isinstance(field, models.CharField | models.TextField):
        return f"x{value[1:]}" if value else "x"
    return None


def two_unlike(
    rows: list[Any], field: Any, chance: random.Random
) -> tuple[models.Model, models.Model] | None:
    """Return two rows with different values, None where all have the same."""
    first = chance.choice(rows)
    value = getattr(first, field.attname)
    unlike = [row for row in rows if getattr(row, field.attname) != value]
    return (first, chance.choice(unlike)) if unlike else None


def stored(field: Any, value: Any) -> Any:
    """Return a value as the database takes it."""
    if isinstance(value, tuple):
        (value,) = value
    if isinstance(field, models.JSONField):
        return json.dumps(value)
    return field.get_db_prep_value(value, connection)


def sql(statement: str, *values: object) -> None:
    """Change the database behind the program's back."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def writing(row: models.Model, values: dict[Any, Any]) -> Callable[[], None]:
    """Return what writes values into a row."""
    quote = connection.ops.quote_name
    sets = ", ".join(f"{quote(field.column)} = %s" for field in values)
    statement = f"UPDATE {quote(row._meta.db_table)} SET {sets} WHERE id = %s"  # noqa: S608
    held = [stored(field, value) for field, value in values.items()]
    return lambda: sql(statement, *held, row.pk)


def exchanging(field: Any, one: models.Model, another: models.Model) -> Callable[[], None]:
    """Return what exchanges a column of two rows; one holds nothing of the kind on the way."""
    first, second = getattr(one, field.attname), getattr(another, field.attname)
    between: Any = first
    if isinstance(field, models.IntegerField):
        between = 31_000
    elif field.null:
        between = None
    elif isinstance(field, models.CharField):
        between = "between"

    def make() -> None:
        writing(one, {field: between})()
        writing(another, {field: first})()
        writing(one, {field: second})()

    return make


def taking_out(row: models.Model) -> Callable[[], None]:
    """Return what deletes a row and leaves what hangs on it where it is."""
    statement = f"DELETE FROM {row._meta.db_table} WHERE id = %s"  # noqa: S608
    return lambda: sql(statement, row.pk)


def putting_in(model: type[models.Model], row: models.Model, rows: list[Any]) -> Callable[[], None]:
    """Return what puts a copy of a row in, under numbers of its own."""
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    quote = connection.ops.quote_name
    values = {field: getattr(row, field.attname) for field in fields}
    for field in fields:
        if field.name in ("number", "ordinal", "version", "table", "seed") and values[field]:
            whole = isinstance(field, models.IntegerField)
            known = [getattr(each, field.attname) or 0 for each in rows] if whole else []
            values[field] = max(known) + 1 if whole else values[field]
        elif field.one_to_one or (field.name == "user"):
            values[field] = None
    columns = ", ".join(quote(field.column) for field in fields)
    marks = ", ".join("%s" for _field in fields)
    table = quote(model._meta.db_table)
    statement = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608
    held = [stored(field, value) for field, value in values.items()]
    return lambda: sql(statement, *held)
