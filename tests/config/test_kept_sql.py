"""The text of a SELECT that is kept is the one that Django would write."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.sql import compiler as django_compiler

from config.databases.sqlite3.compiler import KEPT, MOST, SQLCompiler
from tests import factories as make
from tournaments.models import Entry, Event, LogLine, Match, Report, Round

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has Django's own engine"),
]

CONDITIONS: tuple[Any, ...] = (
    *(Q(), Q(table=1), Q(table__in=[1, 2]), Q(table__in=[1]), ~Q(table=2), Q(b=None)),
    *(Q(a__number=1) | Q(b__number=1), Q(round__ordinal=1, round__event__name="x%sy")),
    *(Q(table=1) & Q(round__ordinal=2), Q(decision__isnull=True), Q(reports__winner="a")),
    Exists(Report.objects.filter(match=OuterRef("pk"))),
)
SHAPES: tuple[tuple[str, Any], ...] = (
    *(("as it is", lambda rows: rows), ("ordered", lambda rows: rows.order_by("-table", "pk"))),
    ("in no order", lambda rows: rows.order_by()),
    ("by the round", lambda rows: rows.order_by("round__ordinal")),
    ("by an expression", lambda rows: rows.order_by(F("table").desc(nulls_last=True))),
    ("the other way", lambda rows: rows.order_by("table").reverse()),
    ("few", lambda rows: rows.order_by("pk")[:2]),
    ("one", lambda rows: rows.order_by("pk")[:1]),
    ("the second", lambda rows: rows.order_by("pk")[1:2]),
    ("by table", lambda rows: rows.order_by("table")),
    ("each once", lambda rows: rows.distinct()),
    ("with the round", lambda rows: rows.select_related("round__event", "a")),
    ("with all", lambda rows: rows.select_related("decision", "a", "b")),
    ("only the table", lambda rows: rows.only("table")),
    ("without the table", lambda rows: rows.defer("table", "reason")),
    ("numbers", lambda rows: rows.values_list("table", "a__number")),
    ("numbers the other way", lambda rows: rows.values_list("a__number", "table")),
    ("one number", lambda rows: rows.values_list("table", flat=True)),
    ("by name", lambda rows: rows.values("table", "round__ordinal")),
    ("counted", lambda rows: rows.annotate(reported=Count("reports"))),
)


def asked() -> Iterator[tuple[str, QuerySet[Any]]]:
    """Yield questions of every shape with every condition."""
    for condition, (name, shaped) in product(CONDITIONS, SHAPES):
        yield f"{name}: {condition}", shaped(Match.objects.filter(condition))


def written(rows: QuerySet[Any], kind: Any) -> tuple[Any, ...]:
    """Return text, parameters and columns as a compiler gives them."""
    compiler = kind(rows.query.clone(), connection, "default")
    try:
        text, values = compiler.as_sql()
    except EmptyResultSet:
        text, values = "", ()
    columns = [(type(c), getattr(c, "target", None), name) for c, _sql, name in compiler.select]
    more = compiler.annotation_col_map, compiler.col_count
    return text, list(values), columns, fetched(compiler.klass_info), *more


def fetched(info: dict[str, Any] | None) -> Any:
    """Return which models are made of which columns."""
    if info is None:
        return None
    return (
        *(info["model"], info["select_fields"], info.get("field"), info.get("reverse")),
        [fetched(more) for more in info.get("related_klass_infos", [])],
    )


def test_what_is_kept_is_what_django_writes() -> None:
    """The first time, when the text is kept, and the second, when it is taken again."""
    KEPT.clear()
    for _time in range(2):
        for name, rows in asked():
            wanted = written(rows, django_compiler.SQLCompiler)
            assert written(rows, SQLCompiler) == wanted, name
    assert len(KEPT) > 100


def test_rows_come_back_as_they_are(by) -> None:
    event = make.halfway(by, 4)
    found = {}
    for keep in (False, True, True):
        if not keep:
            KEPT.clear()
        for name, rows in asked():
            told = [repr(row) for row in rows]
            related = [repr(row.round.event) for row in rows if isinstance(row, Match)]
            assert found.setdefault(name, (told, related, rows.exists())) == (
                *(told, related, rows.exists()),
            ), name
    assert {row[2] for row in found.values()} == {True, False}
    assert Entry.objects.get(event=event, number=2) == event.entries.get(number=2)
    assert not Event.objects.none().exists()


def test_a_text_is_written_once(monkeypatch) -> None:
    times = []
    usual = django_compiler.SQLCompiler.get_select
    monkeypatch.setattr(
        django_compiler.SQLCompiler,
        "get_select",
        lambda *given, **named: times.append(1) or usual(*given, **named),
    )
    KEPT.clear()
    for number in range(5):
        assert not Round.objects.filter(ordinal=number, event__slug=f"e{number}").exists()
        assert list(LogLine.objects.filter(number__gt=number).select_related("by")) == []
    assert len(times) == 2


def test_texts_are_not_kept_without_end() -> None:
    KEPT.clear()
    for number in range(MOST):
        KEPT[number] = None
    assert list(Round.objects.filter(ordinal=1)) == []
    assert len(KEPT) == 1
    KEPT.clear()
