"""Kept rows written as they were: those that came taken away, those that went put in again."""

from datetime import datetime
from typing import Any

from tournaments.core.event_tables import BY_NAME, UNDOABLE, Model, Table
from tournaments.core.mapping import outcome_of
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Match, Report, Stage
from tournaments.results.services.matches import add_outcome
from tournaments.services.kept import Rows, Values

FREED = {(Entry, "seed"): None, (Match, "table"): None, (Stage, "state"): str(Stage.State.CLOSED)}
"""Columns in which no two rows may be alike: what they hold while they change places."""


def free(changed: Rows) -> None:
    """Empty what no two rows may share, so that rows can change places."""
    for (model, column), empty in FREED.items():
        rows = changed.get(model.__name__, {})
        keys = [key for key, columns in rows.items() if column in columns]
        model._default_manager.filter(pk__in=keys).update(**{column: empty})


def delete(added: Rows) -> None:
    """Take away the rows that an act added, the last tables first; reports stay."""
    for table in reversed(UNDOABLE):
        rows = added.get(table.model.__name__, {})
        if table.model is Report:  # goes with its match, or stays
            continue
        found = table.model._default_manager.filter(pk__in=list(rows))
        if rows and table.later:
            found.update(**table.later)
        if rows:
            found.delete()


def insert(removed: Rows) -> None:
    """Put in the rows that an act took away, by their keys of then."""
    for table in UNDOABLE:
        model, later = table.model, _until_then(table)
        rows = removed.get(model.__name__, {})
        made = [model(pk=int(key), **_read(model, row | later)) for key, row in rows.items()]
        model._default_manager.bulk_create(made, batch_size=500)
        for key, row in rows.items():  # moments of creation would be those of now
            moments = {c: v for c, v in _read(model, row).items() if isinstance(v, datetime)}
            if moments:
                model._default_manager.filter(pk=key).update(**moments)
    for table in UNDOABLE:
        if later := _until_then(table):
            for key, row in removed.get(table.model.__name__, {}).items():
                values = _read(table.model, {column: row[column] for column in later})
                table.model._default_manager.filter(pk=key).update(**values)


def _until_then(table: Table) -> Values:
    """Return what the columns hold that name rows of later tables, until those are there."""
    fields: dict[str, Any] = {f.name: f for f in table.model._meta.concrete_fields}
    return {fields[name].attname: value for name, value in table.later.items()}


def restore(changed: Rows, by: Actor) -> None:
    """Give the columns that an act changed the values of before it."""
    for name, rows in changed.items():
        model = BY_NAME[name].model
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
