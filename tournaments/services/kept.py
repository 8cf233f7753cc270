"""The rows of an event before and after an act: what has changed is kept with its line.

Rows go by their keys here; what ``put_back`` brings back has the same key as before.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ParamSpec

from django.db import models

from tournaments.models import (
    Announcement,
    DeckCheck,
    DeckDraft,
    DeckSubmission,
    Draw,
    Entry,
    Event,
    Group,
    JudgeCall,
    KeptApart,
    KeptRows,
    Match,
    MatchSeat,
    Penalty,
    PersonalLink,
    Report,
    Round,
    RoundClock,
    Ruling,
    Seat,
    StaffInvitation,
    StaffNote,
    StaffRole,
    Stage,
    TimeExtension,
)
from tournaments.permissions import Actor
from tournaments.services.log import record

Arguments = ParamSpec("Arguments")
Model = type[models.Model]
Values = dict[str, Any]
Rows = dict[str, dict[str, Values]]
"""By the name of a table, by key: the values of a row as plain data."""

TABLES: Mapping[Model, str] = {
    Event: "pk",
    StaffRole: "event",
    StaffInvitation: "event",
    Entry: "event",
    KeptApart: "event",
    PersonalLink: "entry__event",
    DeckSubmission: "entry__event",
    DeckDraft: "entry__event",
    Stage: "event",
    Group: "stage__event",
    Seat: "stage__event",
    Round: "event",
    Match: "round__event",
    MatchSeat: "round__event",
    Report: "match__round__event",
    Draw: "event",
    DeckCheck: "event",
    TimeExtension: "match__round__event",
    Penalty: "event",
    RoundClock: "round__event",
    JudgeCall: "match__round__event",
    Announcement: "event",
    Ruling: "match__round__event",
    StaffNote: "match__round__event",
}
"""Every table of an event but its log, each after those that its rows name, and the way to it."""
BY_NAME = {model.__name__: model for model in TABLES}
PASSED_OVER = {
    (Event, "version"),
    (Event, "head"),
    (StaffInvitation, "email"),  # nobody's address is kept longer than the invitation
    (StaffInvitation, "may_sign_up"),
}


def rows_of(event: Event, *only: Model) -> Rows:
    """Return an event's rows as plain data, of all tables or of these; one query a table."""
    return {
        model.__name__: {
            str(row["pk"]): {key: _plain(value) for key, value in row.items() if key != "pk"}
            for row in model._default_manager.filter(**{path: event.pk})
            .order_by("pk")
            .values("pk", *_columns(model))
        }
        for model, path in TABLES.items()
        if not only or model in only
    }


@dataclass(slots=True, kw_only=True)
class Undoable:
    """What the line of an act will say; the act fills in what it knows only when it is done."""

    subject: str = ""
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    reason: str = ""
    _following: list[Callable[[], object]] = field(default_factory=list)

    def then(
        self, act: Callable[Arguments, object], *args: Arguments.args, **named: Arguments.kwargs
    ) -> None:
        """Call this after the line is written: what it changes is taken back with the act."""
        self._following.append(partial(act, *args, **named))

    def follow(self) -> None:
        """Make the calls that were asked for."""
        for call in self._following:
            call()


@contextmanager
def undoable(
    event: Event,
    action: str,
    tables: Iterable[Model] = (),
    *,
    by: Actor,
    subject: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str = "",
) -> Iterator[Undoable]:
    """Run the body as an act of a locked event that ``undo`` takes back by its rows.

    Looks at the rows, runs the body, writes the log line with ``action``, makes the calls left by
    ``then``, and keeps with the line which rows have changed. Where the body raises, nothing is
    recorded. ``tables`` are those in which the act changes something, all of an event's without
    any; two queries a table and one for the difference, beside those of ``record``.
    """
    told = Undoable(
        subject=subject, before=dict(before or {}), after=dict(after or {}), reason=reason
    )
    rows = rows_of(event, *tables)
    yield told
    line = record(
        event,
        action,
        by=by,
        subject=told.subject,
        before=told.before,
        after=told.after,
        reason=told.reason,
    )
    told.follow()
    now = rows_of(event, *(BY_NAME[name] for name in rows))
    KeptRows.objects.create(event=event, line=line.number, rows=_difference(rows, now))


def _columns(model: Model) -> list[str]:
    return [
        field.attname
        for field in model._meta.concrete_fields
        if not field.primary_key and (model, field.name) not in PASSED_OVER
    ]


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _difference(before: Rows, now: Rows) -> dict[str, Any]:
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
