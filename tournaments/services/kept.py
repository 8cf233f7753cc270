"""The rows of an event before and after an act: what has changed is kept with its line.

Rows go by their keys here; what ``put_back`` brings back has the same key as before.
"""

from collections.abc import Mapping
from typing import Any

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
    LogLine,
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


def keep(event: Event, line: LogLine, before: Rows) -> None:
    """Keep with a line what has changed since ``before``, which says in which tables to look."""
    now = rows_of(event, *(BY_NAME[name] for name in before))
    KeptRows.objects.create(event=event, line=line.number, rows=_difference(before, now))


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
