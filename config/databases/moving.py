"""Copy every row of one database into another, and compare both by digests.

Used by ``manage.py move_database``; knows no model of its own. The caller opens the transactions.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.apps import apps
from django.db import DatabaseError, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor

BATCH = 2_000
WRITTEN_BY_MIGRATE = ("contenttypes.contenttype", "auth.permission")
"""Models whose rows ``migrate`` writes by itself: those of the source replace them."""
EXACT = 2**53
"""Integers up to here are the same number as a float."""


class CopyError(Exception):
    """A table could not be copied; ``table`` is its name, ``why`` the database's error."""

    def __init__(self, table: str, why: object) -> None:
        super().__init__(f"{table}: {why}")
        self.table, self.why = table, str(why).strip()


@dataclass(frozen=True, slots=True)
class TableContent:
    """What a table holds: its number of rows and the sum of their digests, in any order."""

    rows: int = 0
    digest: int = 0

    def with_row(self, row: Sequence[object]) -> "TableContent":
        written = json.dumps([normalise_value(value) for value in row], sort_keys=True, default=str)
        one = int.from_bytes(hashlib.sha256(written.encode()).digest())
        return TableContent(self.rows + 1, (self.digest + one) % 2**256)


def normalise_value(value: object) -> object:
    """Return a column's value in a form common to both databases, for digests.

    PostgreSQL's jsonb stores 1.0, 1 and 1e0 as the same number.
    """
    match value:
        case bool():
            return value
        case int() | float() if abs(value) > EXACT:
            return repr(float(value))
        case float() if value.is_integer():
            return int(value)
        case list():
            return [normalise_value(each) for each in value]
        case dict():
            return {name: normalise_value(each) for name, each in value.items()}
    return value


def models_by_dependency() -> list[type[models.Model]]:
    """Return all models with a table, each after the models that its foreign keys need."""
    waiting = [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    ]
    found: list[type[models.Model]] = []
    while waiting:
        ready = [
            model for model in waiting if not _models_needed_by(model) & set(waiting)
        ] or waiting
        found += ready
        waiting = [model for model in waiting if model not in ready]
    return found


def unapplied_migrations(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the migrations not yet applied in a database, each as "app name"."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label} {migration.name}" for migration, _ in plan]


def unknown_migrations(connection: BaseDatabaseWrapper) -> list[str]:
    """Return migrations applied in a database that this version doesn't have.

    Each as "app name", sorted; apps that are not installed are ignored.
    """
    loader = MigrationExecutor(connection).loader
    replaced = {name for each in loader.replacements.values() for name in each.replaces}
    known = set(loader.disk_migrations) | replaced
    installed = {config.label for config in apps.get_app_configs()}
    extra = {key for key in loader.applied_migrations if key[0] in installed} - known
    return sorted(f"{app} {name}" for app, name in extra)


def tables_with_rows(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the names of tables with rows, except those that ``migrate`` fills."""
    return [
        model._meta.db_table
        for model in models_by_dependency()
        if model._meta.label_lower not in WRITTEN_BY_MIGRATE
        and model._base_manager.using(connection.alias).exists()
    ]


def lock_tables(connection: BaseDatabaseWrapper) -> None:
    """Lock all tables of a PostgreSQL database against writes until the transaction ends."""
    quote = connection.ops.quote_name
    names = ", ".join(quote(model._meta.db_table) for model in models_by_dependency())
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {names} IN EXCLUSIVE MODE")


def copy_rows(source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> dict[str, TableContent]:
    """Copy all tables into an empty PostgreSQL database; return what was copied by table name.

    Rows that ``migrate`` wrote are replaced. Raises CopyError.
    """
    found: dict[str, TableContent] = {}
    ordered = models_by_dependency()
    for model in reversed(ordered):
        if model._meta.label_lower in WRITTEN_BY_MIGRATE:
            model._base_manager.using(target.alias)._raw_delete(target.alias)  # type: ignore[attr-defined]
    for model in ordered:
        table = model._meta.db_table
        found[table] = TableContent()
        for batch in _batches(read_rows(model, source)):
            try:
                _copy_batch(model, batch, target)
            except DatabaseError as error:
                raise CopyError(table, error) from None
            for row in batch:
                found[table] = found[table].with_row(row)
    try:
        with target.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    except DatabaseError as error:
        raise CopyError("", error) from None
    return found


def read_contents(connection: BaseDatabaseWrapper) -> dict[str, TableContent]:
    """Return the contents of all tables of a database by table name."""
    found = {}
    for model in models_by_dependency():
        content = TableContent()
        for row in read_rows(model, connection):
            content = content.with_row(row)
        found[model._meta.db_table] = content
    return found


def set_sequences(source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> None:
    """Set PostgreSQL's sequences beyond the highest key that SQLite has used in each table."""
    with source.cursor() as cursor:
        given = dict(cursor.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
    with target.cursor() as cursor:
        for model in models_by_dependency():
            key, table = model._meta.pk, model._meta.db_table
            if not isinstance(key, models.AutoField):
                continue
            rows = model._base_manager.using(target.alias)
            last = max(given.get(table, 0), rows.aggregate(last=models.Max("pk"))["last"] or 0)
            if last:
                name = target.ops.quote_name(table)
                wanted = "SELECT setval(pg_get_serial_sequence(%s, %s), %s)"
                cursor.execute(wanted, [name, key.column, last])


def read_rows(
    model: type[models.Model], connection: BaseDatabaseWrapper
) -> Iterator[tuple[Any, ...]]:
    """Yield a table's rows as tuples of their stored fields, ordered by primary key."""
    names = [field.attname for field in stored_fields(model)]
    rows = model._base_manager.using(connection.alias).order_by("pk").values_list(*names)
    yield from rows.iterator(chunk_size=BATCH)


def stored_fields(model: type[models.Model]) -> list["models.Field[Any, Any]"]:
    """Return a model's fields that are stored columns, not generated by the database."""
    fields = model._meta.local_concrete_fields
    return [field for field in fields if not getattr(field, "generated", False)]


def _models_needed_by(model: type[models.Model]) -> set[type[models.Model]]:
    """Return the models that each row of a table must refer to; a null refers to nothing."""
    fields = [field for field in stored_fields(model) if field.is_relation and not field.null]
    return {field.related_model for field in fields if field.related_model is not model}  # type: ignore[misc]


def _batches(rows: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    left = iter(rows)
    while batch := list(islice(left, BATCH)):
        yield batch


def _copy_batch(
    model: type[models.Model], batch: list[tuple[Any, ...]], target: BaseDatabaseWrapper
) -> None:
    """Write rows by PostgreSQL's COPY, which sets no mark and sends no signal."""
    fields = stored_fields(model)
    quote = target.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    order = f"COPY {quote(model._meta.db_table)} ({names}) FROM STDIN"
    with target.wrap_database_errors, target.cursor() as cursor, cursor.copy(order) as lines:
        for row in batch:
            lines.write_row(
                [
                    field.get_db_prep_save(value, connection=target)
                    for field, value in zip(fields, row, strict=True)
                ]
            )
