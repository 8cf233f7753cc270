"""Difference of an event's rows before and after an act, stored with the log line for undo.

Rows are identified by primary key.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, ParamSpec

from tournaments.chain.kept_digests import log_digests, of_rows
from tournaments.core.acts import Act
from tournaments.core.event_tables import BY_MODEL, BY_NAME, UNDOABLE
from tournaments.core.permissions import Actor
from tournaments.log.services import record
from tournaments.models import Event, KeptRows
from tournaments.models.tables import Model
from tournaments.models.touched import keeping

Arguments = ParamSpec("Arguments")
Values = dict[str, Any]
Rows = dict[str, dict[str, Values]]
"""Column values as plain data, by name of the model and primary key as text."""


def rows_of(event: Event, *only: Model) -> Rows:
    """Return an event's rows as plain data, of all tables or only these; one query a table."""
    return {
        table.model.__name__: {
            str(key): dict(zip(_columns(table.model), map(_as_json_value, values), strict=True))
            for key, *values in table.rows(event).values_list("pk", *_columns(table.model))
        }
        for table in UNDOABLE
        if not only or table.model in only
    }


@dataclass(slots=True, kw_only=True)
class LineContent:
    """Content of the log line of an act, which the act may fill in while it runs."""

    subject: str = ""
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    reason: str = ""
    _following: list[Callable[[], object]] = field(default_factory=list)

    def then(
        self, act: Callable[Arguments, object], *args: Arguments.args, **named: Arguments.kwargs
    ) -> None:
        """Call ``act`` after the line is written; its changes are undone with the act.

        What it changes it has to record.
        """
        self._following.append(partial(act, *args, **named))

    def follow(self) -> None:
        """Make the calls registered by :meth:`then`, in order."""
        for call in self._following:
            call()


@contextmanager
def undoable(
    event: Event,
    act: Act,
    tables: Iterable[Model] = (),
    *,
    by: Actor,
    subject: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str = "",
) -> Iterator[LineContent]:
    """Run the body as an act on a locked event that can be undone by its rows.

    Reads the rows, runs the body, stores which rows changed, writes the log line of ``act``, which
    tells the digest of these, and makes the calls registered by ``then``, before each of whose
    lines they are stored again. If the body raises, nothing is recorded. ``tables`` are the models
    that the act changes, by default all of the event's; two queries a table and one for the
    difference, beside those of ``record``, and one more of each for each line that follows.
    """
    undo = LineContent(
        subject=subject, before=dict(before or {}), after=dict(after or {}), reason=reason
    )
    rows = rows_of(event, *tables)
    yield undo
    models = [BY_NAME[name].model for name in rows]
    changed = _difference_of_rows(rows, rows_of(event, *models))
    kept = KeptRows.objects.create(event=event, line=event.version + 1, rows=changed)
    log_digests(event, of_rows(kept))
    record(
        event,
        act,
        by=by,
        subject=undo.subject,
        before=undo.before,
        after=undo.after,
        reason=undo.reason,
    )

    def keep() -> None:
        kept.rows = _difference_of_rows(rows, rows_of(event, *models))
        kept.save(update_fields=["rows"])
        log_digests(event, of_rows(kept))

    with keeping(event.pk, keep):
        undo.follow()


@cache
def _columns(model: Model) -> list[str]:
    return [
        field.attname
        for field in model._meta.concrete_fields
        if not field.primary_key and field.name not in BY_MODEL[model].not_undone
    ]


def _as_json_value(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _difference_of_rows(before: Rows, now: Rows) -> dict[str, Any]:
    found: dict[str, Any] = {"added": {}, "removed": {}, "changed": {}}
    for name, rows in before.items():
        others = now[name]
        parts = {
            "added": {key: row for key, row in others.items() if key not in rows},
            "removed": {key: row for key, row in rows.items() if key not in others},
            "changed": {
                key: {
                    column: [value, others[key][column]]
                    for column, value in row.items()
                    if others[key][column] != value
                }
                for key, row in rows.items()
                if key in others and others[key] != row
            },
        }
        for part, kept in parts.items():
            if kept:
                found[part][name] = kept
    return found
