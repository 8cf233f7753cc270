"""Lists of events leave out an event that can't be displayed, and log it once, instead of failing.

Data is checked when it comes in, but a row may be older than its check, or written by another
program: an unknown zone, JSON of another shape, a moment that no calendar holds. ``readable_rows``
filters a queryset by whether its rows can be read, ``drawn`` maps rows to what a list shows. Every
list of events, and of rows that show their event, uses them.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import DatabaseError, DataError, InterfaceError, models
from django.db.models.query import ModelIterable

from tournaments.models import Event

Stored = TypeVar("Stored", bound=models.Model)
Row = TypeVar("Row")
Made = TypeVar("Made")

log = logging.getLogger("tournaments.drawing")
logged: set[int] = set()
"""Keys of the events that this process has logged."""


def drawn(rows: Iterable[Row], draw: Callable[[Row], Made]) -> list[Made]:
    """Return ``draw(row)`` of each row, without the rows for which it raises an error.

    A row is an event, or has one as ``event`` or ``event_id``. Errors of a database that does not
    answer are raised.
    """
    made: list[Made] = []
    for row in rows:
        with _log_failure_once(_event_of(row)):
            made.append(draw(row))
    return made


def readable_rows(rows: models.QuerySet[Stored]) -> models.QuerySet[Stored]:
    """Return a queryset that skips rows whose stored data can't be read.

    No additional query, unless there is such a row: then one for each row.
    """
    found = rows.all()
    found._iterable_class = _ReadableRows  # type: ignore[attr-defined]
    return found


class _ReadableRows(ModelIterable):  # type: ignore[type-arg]
    """The rows of a queryset that can be read."""

    def __iter__(self) -> Iterator[Any]:
        try:
            return iter(list(super().__iter__()))
        except Exception as fault:
            if _is_of_database(fault):
                raise
        return self._one_by_one()

    def _one_by_one(self) -> Iterator[Any]:
        event = "pk" if self.queryset.model is Event else "event_id"
        alone = self.queryset.all()
        alone._iterable_class = ModelIterable
        alone.query.clear_limits()
        for key, of_event in list(self.queryset.values_list("pk", event)):
            with _log_failure_once(of_event):
                yield alone.get(pk=key)


def _event_of(row: Any) -> int:
    found: int = row.event_id if hasattr(row, "event_id") else getattr(row, "event", row).pk
    return found


@contextmanager
def _log_failure_once(event_id: int) -> Iterator[None]:
    """Log an error about an event, once a process, and suppress it."""
    try:
        yield
    except Exception as fault:
        if _is_of_database(fault):
            raise
        if event_id in logged:
            return
        logged.add(event_id)
        slug = Event.objects.filter(pk=event_id).values_list("slug", flat=True).first()
        words = "The event %r (%s) can't be drawn, so lists leave it out: %s: %s"
        log.error(words, slug, event_id, type(fault).__name__, fault, exc_info=fault)


def _is_of_database(fault: Exception) -> bool:
    """Return whether the database does not answer; a value that it holds is a row's own fault."""
    return isinstance(fault, DatabaseError | InterfaceError) and not isinstance(fault, DataError)
