"""Marks of rows written since an event's last log line, whose payload will hold their new state.

Every write through the ORM sets a mark: ``save`` and ``delete`` by signals, ``update``,
``bulk_create`` and ``bulk_update`` by ``MarkingQuerySet``. A mark identifies a row (a player by
number, a round, a match) without values: ``chain.lines`` reads the rows when the line is written,
so a mark left by a rolled back transaction does no harm. Marks belong to a database connection, and
so to one thread.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import connection, models
from django.db.models.signals import post_delete, post_save

from tournaments.models.tables import DECLARED


@dataclass(slots=True)
class Touched:
    """The rows written since the last log line, as marked on one database connection.

    ``matches`` and ``stage_keys`` are primary keys; ``gone`` are (round key, number) of deleted
    matches, ``rounds_anew`` deleted rounds, of which all matches are read again. By event,
    ``kept`` are the digests of rows and snapshots that were stored to go back to (the only marks
    with a value: one that was rolled back is the digest of nothing that is stored), ``keeping``
    what is called before each line.
    """

    events: set[int] = field(default_factory=set)
    entries: set[tuple[int, int]] = field(default_factory=set)
    penalties: set[int] = field(default_factory=set)
    apart: set[int] = field(default_factory=set)
    stages: set[tuple[int, int]] = field(default_factory=set)
    stage_keys: set[int] = field(default_factory=set)
    rounds: set[tuple[int, int]] = field(default_factory=set)
    rounds_anew: set[tuple[int, int]] = field(default_factory=set)
    matches: set[int] = field(default_factory=set)
    gone: set[tuple[int, int]] = field(default_factory=set)
    draws: set[tuple[int, int]] = field(default_factory=set)
    kept: dict[int, dict[str, str]] = field(default_factory=dict)
    keeping: dict[int, Callable[[], object]] = field(default_factory=dict)


def touched() -> Touched:
    """Return the marks of the current connection."""
    found: Touched | None = getattr(connection, "touched_rows", None)
    if found is None:
        found = Touched()
        connection.touched_rows = found  # type: ignore[attr-defined]
    return found


def forget() -> None:
    """Drop all marks, as after restoring an archive, whose log already covers its rows."""
    connection.touched_rows = Touched()  # type: ignore[attr-defined]


@contextmanager
def keeping(event_id: int, keep: Callable[[], object]) -> Iterator[None]:
    """Call ``keep`` before each log line of an event that is written inside."""
    held = touched().keeping
    held[event_id] = keep
    try:
        yield
    finally:
        del held[event_id]


MARKS: Mapping[str, tuple[str, ...]] = {
    "Event": ("events", "pk"),
    "Entry": ("entries", "event_id", "number"),
    "KeptApart": ("apart", "event_id"),
    "Penalty": ("penalties", "event_id"),
    "Stage": ("stages", "event_id", "number"),
    "Group": ("stage_keys", "stage_id"),
    "Seat": ("stage_keys", "stage_id"),
    "Round": ("rounds", "event_id", "ordinal"),
    "Match": ("matches", "pk", "round_id", "number"),
    "MatchSeat": ("matches", "match_id"),
    "Report": ("matches", "match_id"),
    "Draw": ("draws", "event_id", "number"),
}
"""By name of the model: the kind of its marks, and the columns that make up one."""


Row = TypeVar("Row", bound=models.Model)


class MarkingQuerySet(models.QuerySet[Row]):
    """QuerySet that sets marks for rows written in bulk."""

    def update(self, **values: Any) -> int:
        """Update and mark the rows; one query more."""
        if _is_recorded(self.model, values):
            for where in list(self.order_by().values_list(*MARKS[self.model.__name__][1:])):
                _mark(self.model, where, new="number" in values)
        return super().update(**values)

    update.alters_data = True  # type: ignore[attr-defined]

    def bulk_create(self, objs: Iterable[Row], *args: Any, **options: Any) -> list[Row]:
        """Create and mark the rows."""
        made = super().bulk_create(objs, *args, **options)
        for row in made:
            _mark(self.model, _key_of_mark(row))
        return made


def _is_recorded(model: type[models.Model], columns: Iterable[str]) -> bool:
    return not DECLARED[model].not_undone.issuperset(columns)


def _key_of_mark(row: models.Model) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in MARKS[type(row).__name__][1:])


def _mark(
    model: type[models.Model], where: tuple[Any, ...], *, new: bool = False, gone: bool = False
) -> None:
    """Mark a row; ``gone``: it was deleted, ``new``: its number changed."""
    marks, name = touched(), model.__name__
    kind = "rounds_anew" if gone and name == "Round" else MARKS[name][0]
    if name == "Match":
        if gone or new:
            marks.gone.add((where[1], where[2]))
        where = where[:1]
    getattr(marks, kind).add(where if len(where) > 1 else where[0])


def _mark_saved(
    sender: type[models.Model],
    instance: models.Model,
    update_fields: frozenset[str] | None = None,
    **_more: Any,
) -> None:
    if update_fields is None or _is_recorded(sender, update_fields):
        _mark(sender, _key_of_mark(instance))


def _mark_deleted(sender: type[models.Model], instance: models.Model, **_more: Any) -> None:
    _mark(sender, _key_of_mark(instance), gone=True)


def watch(counted: Iterable[type[models.Model]]) -> None:
    """Connect the signals that mark saved and deleted rows of these models; called at startup."""
    for model in counted:
        post_save.connect(_mark_saved, sender=model, dispatch_uid=f"touched {model.__name__}")
        post_delete.connect(_mark_deleted, sender=model, dispatch_uid=f"gone {model.__name__}")
