"""The rows of an event before and after an act, kept with its line, and the way back.

Rows go by their keys here; what comes back has the same key as before. Reports are never taken
away, and no match returns to an earlier version: a result that counts again is reported again.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, connection, models

from rules.errors import RuleError
from rules.wording import gettext_noop as _
from tournaments.mapping import outcome_of
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
    StaffNote,
    StaffRole,
    Stage,
    TimeExtension,
)
from tournaments.permissions import Actor
from tournaments.services.matches import add_outcome

Model = type[models.Model]
Values = dict[str, Any]
Rows = dict[str, dict[str, Values]]
"""By the name of a table, by key: the values of a row as plain data."""

TABLES: Mapping[Model, str] = {
    Event: "pk",
    StaffRole: "event",
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
PASSED_OVER = {(Event, "version")}
LATER: Mapping[Model, Values] = {
    Entry: {"submission_id": None},
    Match: {"decision_id": None, "state": str(Match.State.OPEN)},
}
"""Columns that name rows of later tables, and what they hold until those are there."""
FREED = {(Entry, "seed"): None, (Match, "table"): None, (Stage, "state"): str(Stage.State.CLOSED)}
"""Columns in which no two rows may be alike: what they hold while they change places."""
GROWS = ("version", "decision_id")
"""Columns of a match that never hold again what they held."""


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


def put_back(event: Event, kept: KeptRows, *, by: Actor) -> None:
    """Take back what was kept, in a locked event: afterwards every row is as it was before.

    Raises RuleError ``changed_since`` where the rows have changed, or others hang on them.
    """
    added, removed, changed = (kept.rows[key] for key in ("added", "removed", "changed"))
    now = rows_of(event)
    _check_same(now, kept.rows)
    stays = {key for key in now["Match"] if key not in added.get("Match", {})}
    wanted = _expected(now, kept.rows)
    try:
        _free(changed)
        _delete(added)
        _insert(removed)
        _restore(changed, by)
        connection.check_constraints(
            [BY_NAME[name]._meta.db_table for name in {*removed, *changed}]
        )
    except (IntegrityError, models.ProtectedError, models.RestrictedError):
        raise _changed_since() from None
    if _comparable(rows_of(event), stays) != _comparable(wanted, stays):
        raise _changed_since()


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


def _check_same(now: Rows, rows: Mapping[str, Any]) -> None:
    """Refuse where what the act left is not there any more as it left it."""
    for name, added in rows["added"].items():
        if name != "Report" and any(now[name].get(key) != row for key, row in added.items()):
            raise _changed_since()
    for name, removed in rows["removed"].items():
        if set(removed) & set(now[name]):
            raise _changed_since()
    for name, changed in rows["changed"].items():
        for key, columns in changed.items():
            row = now[name].get(key, {})
            if any(row.get(column) != after for column, (_before, after) in columns.items()):
                raise _changed_since()


def _expected(now: Rows, rows: Mapping[str, Any]) -> Rows:
    """Return how all rows are to be afterwards."""
    wanted = {}
    for name, present in now.items():
        gone = set() if name == "Report" else set(rows["added"].get(name, {}))
        changed = rows["changed"].get(name, {})
        wanted[name] = {
            key: row | {column: pair[0] for column, pair in changed.get(key, {}).items()}
            for key, row in present.items()
            if key not in gone
        } | rows["removed"].get(name, {})
    reports = wanted["Report"].items()
    gone = {*rows["added"].get("Match", {})}
    wanted["Report"] = {key: row for key, row in reports if str(row["match_id"]) not in gone}
    return wanted


def _comparable(rows: Rows, stays: set[str]) -> Rows:
    """Return rows without what only grows: reports and versions of matches that were there."""
    matches = {
        key: {
            c: v for c, v in row.items() if key not in stays or c not in ("version", "decision_id")
        }
        for key, row in rows["Match"].items()
    }
    reports = {k: r for k, r in rows["Report"].items() if str(r["match_id"]) not in stays}
    return rows | {"Match": matches, "Report": reports}


def _free(changed: Rows) -> None:
    """Empty what no two rows may share, so that rows can change places."""
    for (model, column), empty in FREED.items():
        rows = changed.get(model.__name__, {})
        keys = [key for key, columns in rows.items() if column in columns]
        model._default_manager.filter(pk__in=keys).update(**{column: empty})


def _delete(added: Rows) -> None:
    for model in reversed(list(TABLES)):
        rows = added.get(model.__name__, {})
        if model is Report:  # goes with its match, or stays
            continue
        found = model._default_manager.filter(pk__in=list(rows))
        if rows and model in LATER:
            found.update(**LATER[model])
        if rows:
            found.delete()


def _insert(removed: Rows) -> None:
    for model in TABLES:
        rows = removed.get(model.__name__, {})
        later = LATER.get(model, {})
        made = [model(pk=int(key), **_read(model, row | later)) for key, row in rows.items()]
        model._default_manager.bulk_create(made, batch_size=500)
        for key, row in rows.items():  # moments of creation would be those of now
            moments = {c: v for c, v in _read(model, row).items() if isinstance(v, datetime)}
            if moments:
                model._default_manager.filter(pk=key).update(**moments)
    for model, later in LATER.items():
        for key, row in removed.get(model.__name__, {}).items():
            values = _read(model, {column: row[column] for column in later})
            model._default_manager.filter(pk=key).update(**values)


def _restore(changed: Rows, by: Actor) -> None:
    for name, rows in changed.items():
        model = BY_NAME[name]
        for key, columns in rows.items():
            before = {column: pair[0] for column, pair in columns.items()}
            if model is Match:
                _restore_match(int(key), before, by)
            else:
                model._default_manager.filter(pk=key).update(**_read(model, before))


def _restore_match(key: int, before: Values, by: Actor) -> None:
    """Give a match its values again; a result that counts again is a report of its own."""
    values = {column: value for column, value in before.items() if column != "version"}
    former = values.get("decision_id")
    if former is not None:
        match, report = Match.objects.get(pk=key), Report.objects.get(pk=former)
        again = add_outcome(match, report.kind, outcome_of(report), by=by, note=report.note)
        values |= {"decision_id": again.pk, "version": match.version}
    Match.objects.filter(pk=key).update(**_read(Match, values))


def _read(model: Model, values: Values) -> Values:
    """Return plain data as the columns take it."""
    fields: dict[str, Any] = {f.attname: f for f in model._meta.concrete_fields}
    return {column: fields[column].to_python(value) for column, value in values.items()}


def _changed_since() -> RuleError:
    return RuleError(
        "changed_since",
        _("What this act left has changed since. Nothing was changed: look at it again."),
    )
