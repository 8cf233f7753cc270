"""Compilers of queries that cache the SQL of SELECTs.

Django compiles a query each time it is executed, which takes a third of the time of a page. Most
queries of a site differ from an earlier one in their parameters only: these reuse its SQL, and only
the condition is compiled again.
"""

from typing import Any, NamedTuple

from django.core.exceptions import EmptyResultSet, FullResultSet
from django.db.models.expressions import Col, Value
from django.db.models.sql import compiler
from django.db.models.sql.compiler import (
    SQLAggregateCompiler,
    SQLDeleteCompiler,
    SQLInsertCompiler,
    SQLUpdateCompiler,
)
from django.db.models.sql.query import Query

__all__ = [
    "SQLAggregateCompiler",
    "SQLCompiler",
    "SQLDeleteCompiler",
    "SQLInsertCompiler",
    "SQLUpdateCompiler",
]

MOST = 4000
"""Texts kept at most: a site asks some hundred kinds of questions."""


class Written(NamedTuple):
    """A compiled SELECT: SQL before and after its condition, first parameters, and converters."""

    head: str
    first: list[Any]
    tail: str
    select: list[Any]
    klass_info: dict[str, Any] | None
    annotation_col_map: dict[str, int]
    has_extra_select: bool


ANY = {"a"}
"""The name under which ``exists()`` selects the number 1."""
KEPT: dict[Any, Written] = {}


class SQLCompiler(compiler.SQLCompiler):
    """Compile a SELECT, reusing the SQL of one that differs only in its condition."""

    def as_sql(
        self, with_limits: bool = True, with_col_aliases: bool = False
    ) -> tuple[str, tuple[Any, ...]]:
        """Return the text of the query and its parameters, as Django's compiler does."""
        shape = None if with_col_aliases else shape_of(self.query)
        if shape is None:
            return super().as_sql(with_limits, with_col_aliases)
        condition: str = ""
        values: list[Any] = []
        try:
            condition, given = self.query.where.as_sql(self, self.connection)
            values = list(given)
        except FullResultSet:  # no condition
            pass
        except EmptyResultSet:  # Django's own compiler knows what to do without an answer
            return super().as_sql(with_limits, with_col_aliases)
        key = (shape, with_limits, bool(condition))
        if (kept := KEPT.get(key)) is not None:
            self._read_as(kept)
            return f"{kept.head}{condition}{kept.tail}", (*kept.first, *values)
        text, everything = super().as_sql(with_limits, with_col_aliases)
        self._keep(key, text, condition, list(everything), values)
        return text, everything

    def _read_as(self, kept: Written) -> None:
        """Set the attributes by which Django's iterators read the rows."""
        self.select, self.klass_info = kept.select, kept.klass_info
        self.annotation_col_map = kept.annotation_col_map
        self.col_count, self.has_extra_select = len(kept.select), kept.has_extra_select
        self.where, self.having, self.qualify = self.query.where, None, None

    def _keep(
        self, key: Any, text: str, condition: str, everything: list[Any], values: list[Any]
    ) -> None:
        """Cache the SQL, unless the position of its condition and parameters is ambiguous."""
        head, tail = text, ""
        if condition:
            before, where, tail = text.partition(f" WHERE {condition}")
            if not where or where in tail:
                return
            head = f"{before} WHERE "
        at = len(everything) - len(values)
        if everything[at:] != values or head.count("%s") != at or "%s" in tail:
            return
        if len(KEPT) >= MOST:
            KEPT.clear()
        KEPT[key] = Written(
            head,
            everything[:at],
            tail,
            self.select,
            self.klass_info,
            self.annotation_col_map,
            self.has_extra_select,
        )


def shape_of(query: Query) -> Any:
    """Return the cache key of a plain query: everything its SQL depends on but the condition.

    None where more than tables, columns, order and limits decides: such a query is written anew.
    """
    if (
        type(query) is not Query
        or not (query.annotations.keys() <= ANY and all(map(is_one, query.annotations.values())))
        or query.subquery
        or query.combinator
        or query.extra
        or query.extra_tables
        or query.extra_order_by
        or query.group_by is not None
        or query.distinct_fields
        or query.explain_info
        or query.external_aliases
        or query._filtered_relations  # type: ignore[attr-defined]
        or not all(type(column) is Col for column in query.select)
        or not all(type(name) is str for name in query.order_by)
        or query.where.contains_aggregate
        or query.where.contains_over_clause
    ):
        return None
    joins = tuple(
        (
            alias,
            table.join_type,
            table.parent_alias,
            table.table_name,
            getattr(table, "join_field", None),
            getattr(table, "nullable", None),
            table.filtered_relation,
            query.alias_refcount[alias] > 0,
        )
        for alias, table in query.alias_map.items()
    )
    return (
        query.model,
        joins,
        bool(query.annotation_select),
        query.default_cols,
        tuple(map(told_by, query.select)),
        None if query.selected is None else tuple(query.selected.items()),
        query.values_select,
        frozen(query.select_related),
        query.max_depth,
        query.order_by,
        query.default_ordering,
        query.standard_ordering,
        query.distinct,
        query.low_mark,
        query.high_mark,
        (frozenset(query.deferred_loading[0]), query.deferred_loading[1]),
    )


def told_by(column: Any) -> tuple[Any, ...]:
    """Return the part of the key for a column."""
    return column.alias, column.target, column.output_field


def is_one(annotation: Any) -> bool:
    """Say whether an annotation is the number 1."""
    return type(annotation) is Value and type(annotation.value) is int and annotation.value == 1


def frozen(related: bool | dict[str, Any]) -> Any:
    """Return ``select_related`` as a hashable part of the key."""
    if isinstance(related, dict):
        return tuple((name, frozen(more)) for name, more in related.items())
    return related
