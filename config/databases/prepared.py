"""Queries whose SQL is compiled once a process, as compiling takes longer than executing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from types import MappingProxyType
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection
from django.db.models import Model, QuerySet

KEY, NUMBER = 31_991, 31_992
"""Stand in a prepared query for a key, mostly the event's, and for another number."""
TEXT = "\N{REPLACEMENT CHARACTER}"
"""Stands in a prepared query for a text."""

Row = tuple[Any, ...]
Related = Mapping[str, type[Model]]
NOTHING: Related = MappingProxyType({})
Found = TypeVar("Found", bound=Model)


@dataclass(frozen=True, slots=True)
class _CompiledQuery:
    """A compiled query: SQL, parameters, and the converter of the driver's rows."""

    sql: str
    parameters: tuple[Any, ...]
    converted: Callable[[Iterable[Row]], Iterable[Sequence[Any]]]


class Prepared:
    """A query whose SQL Django compiles once for each database vendor."""

    def __init__(self, build: Callable[[], QuerySet[Any, Any]]) -> None:
        """Take the query, with ``KEY``, ``NUMBER`` and ``TEXT`` where their values go."""
        self._build = build
        self._made: dict[str, _CompiledQuery] = {}

    def rows(self, key: int = 0, number: int = 0, text: str = "") -> list[Row]:
        """Return the rows of the driver for these values; one query.

        Django's conversions are left out: JSON is text, and SQLite's moments lack their zone.
        """
        made = self._compiled_query()
        values: dict[Any, Any] = {KEY: key, NUMBER: number, TEXT: text}
        with connection.cursor() as cursor:
            cursor.execute(made.sql, [values.get(each, each) for each in made.parameters])
            found: list[Row] = cursor.fetchall()
        return found

    def values(self, key: int = 0, number: int = 0, text: str = "") -> list[Sequence[Any]]:
        """Return the rows with Django's conversions applied; one query."""
        return list(self._compiled_query().converted(self.rows(key, number, text)))

    def first(
        self, model: type[Found], key: int = 0, related: Related = NOTHING, *, text: str = ""
    ) -> Found | None:
        """Return the first object of a query of whole rows of this model, as ``objects``."""
        return next(iter(self.objects(model, key, related, text=text)), None)

    def objects(
        self, model: type[Found], key: int = 0, related: Related = NOTHING, *, text: str = ""
    ) -> list[Found]:
        """Return the objects of a query of whole rows of this model; one query.

        ``related`` are the models of what ``select_related`` of the query names, in the order of
        the model's fields; the name of one behind another leads over it (``group__stage``).
        """
        return [_with_related(model, iter(row), related) for row in self.values(key, text=text)]

    def _compiled_query(self) -> _CompiledQuery:
        made = self._made.get(connection.vendor)
        if made is None:
            compiler = self._build().query.get_compiler(connection=connection)
            sql, parameters = compiler.as_sql()
            converters = compiler.get_converters([column for column, *_names in compiler.select])
            made = _CompiledQuery(
                sql, parameters, lambda rows: compiler.apply_converters(rows, converters)
            )
            if "queries" not in settings.CACHES_OFF:
                self._made[connection.vendor] = made
        return made


def _with_related(model: type[Found], row: Iterator[Any], related: Related) -> Found:
    """Return an object of the next values of a row, with those that it refers to."""
    found = _instance_from(model, row)
    for name, other in related.items():
        more = _instance_from(other, row)
        before, _between, own = name.rpartition("__")
        of = reduce(getattr, before.split("__"), found) if before else found
        setattr(of, own, more if more.pk is not None else None)
    return found


def _instance_from(model: type[Found], row: Iterator[Any]) -> Found:
    """Return an object of the next values of a row."""
    names = [field.attname for field in model._meta.concrete_fields]
    return model.from_db(connection.alias, names, list(islice(row, len(names))))
