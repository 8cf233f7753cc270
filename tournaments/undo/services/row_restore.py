"""Restore of an event's rows to their state before an act.

Reports are never deleted and versions of matches never decrease: a restored result is a new report.
"""

from collections.abc import Mapping
from copy import deepcopy
from datetime import datetime
from typing import Any

from django.db import IntegrityError, connection, models

from rules.errors import RuleError
from tournaments.core.event_tables import BY_NAME, UNDOABLE
from tournaments.core.mapping import outcome_of
from tournaments.core.permissions import Actor
from tournaments.matches.services import add_outcome
from tournaments.models import Event, KeptRows, Match, Report
from tournaments.models.match import matches_with_players, put_up
from tournaments.models.tables import Model, Table
from tournaments.undo.services.row_diff import Rows, Values, rows_of

SatBefore = Mapping[int, list[dict[str, Any]]]
"""``Match.earlier`` by key of the match."""


def free_unique_columns(changed: Rows) -> None:
    """Clear unique columns of changed rows, so that they can exchange values."""
    for name, rows in changed.items():
        table = BY_NAME[name]
        for column, empty in table.freed.items():
            keys = [key for key, columns in rows.items() if column in columns]
            table.model._default_manager.filter(pk__in=keys).update(**{column: empty})


def delete_rows(added: Rows) -> None:
    """Delete the rows that an act added, in reverse order of dependency; reports stay."""
    for table in reversed(UNDOABLE):
        rows = added.get(table.model.__name__, {})
        if table.model is Report:  # deleted with its match, else stays
            continue
        found = table.model._default_manager.filter(pk__in=list(rows))
        if rows and table.later:
            found.update(**table.later)
        if rows:
            found.delete()


def insert_rows(removed: Rows) -> None:
    """Insert the rows that an act deleted, with their former keys and timestamps."""
    for table in UNDOABLE:
        model, later = table.model, _placeholders(table)
        rows = removed.get(model.__name__, {})
        made = [
            model(pk=int(key), **_column_values(model, row | later)) for key, row in rows.items()
        ]
        model._default_manager.bulk_create(made, batch_size=500)
        for key, row in rows.items():  # auto_now_add has overwritten them
            moments = {
                c: v for c, v in _column_values(model, row).items() if isinstance(v, datetime)
            }
            if moments:
                model._default_manager.filter(pk=key).update(**moments)
    for table in UNDOABLE:
        if later := _placeholders(table):
            for key, row in removed.get(table.model.__name__, {}).items():
                values = _column_values(table.model, {column: row[column] for column in later})
                table.model._default_manager.filter(pk=key).update(**values)


def _placeholders(table: Table) -> Values:
    """Return placeholder values of columns that refer to later tables, by attname."""
    fields: dict[str, Any] = {f.name: f for f in table.model._meta.concrete_fields}
    return {fields[name].attname: value for name, value in table.later.items()}


def restore_columns(changed: Rows, sat: SatBefore, by: Actor) -> None:
    """Restore the columns that an act changed; ``sat`` is what `who_sat` returned before."""
    for name, rows in changed.items():
        model = BY_NAME[name].model
        for key, columns in rows.items():
            before = {column: pair[0] for column, pair in columns.items()}
            if model is Match:
                _restore_match(int(key), before, sat, by)
            else:
                model._default_manager.filter(pk=key).update(**_column_values(model, before))


def who_sat(changed: Rows) -> SatBefore:
    """Return, of matches that an act gave to others, ``earlier`` with who sits there still.

    One query. Seats are rows of their own: it is asked before they are restored.
    """
    keys = [key for key, columns in changed.get("Match", {}).items() if "earlier" in columns]
    return {match.pk: match.earlier_with_now() for match in matches_with_players(pk__in=keys)}


def _restore_match(key: int, before: Values, sat: SatBefore, by: Actor) -> None:
    """Restore a match; a restored result becomes a new report.

    Reports since the act stay those of the players that it brought: ``earlier`` names them, too.
    """
    values = {column: value for column, value in before.items() if column not in GROWS[:2]}
    former = values.get("decision_id")
    if "earlier" in before:
        values["earlier"] = [*sat[key][:-1], sat[key][-1] | _when_played(before["earlier"])]
    if former is not None:
        match, report = Match.objects.get(pk=key), Report.objects.get(pk=former)
        again = add_outcome(
            match, report.kind, outcome_of(report, match.size), by=by, note=report.note
        )
        values |= {"decision_id": again.pk, "version": match.version}
    Match.objects.filter(pk=key).update(**_column_values(Match, values))


def _when_played(earlier: list[dict[str, Any]]) -> Values:
    """Return when and where a correction said that a match is played, if it did."""
    said = put_up(earlier)
    return {key: value for key, value in said.items() if key not in ("until", "seats")}


def _column_values(model: Model, values: Values) -> Values:
    """Convert plain data to column values."""
    fields: dict[str, Any] = {f.attname: f for f in model._meta.concrete_fields}
    return {column: fields[column].to_python(value) for column, value in values.items()}


GROWS = ("version", "earlier", "decision_id")
"""Columns of a match that are not restored to former values."""


def restore_rows(event: Event, kept: KeptRows, *, by: Actor) -> None:
    """Apply a stored difference backwards, in a locked event.

    Raises RuleError ``changed_since`` if the rows changed since or other rows depend on them.
    """
    rows = as_stored_now(kept.rows)
    added, removed, changed = (rows[key] for key in ("added", "removed", "changed"))
    now = rows_of(event)
    _check_same(now, rows)
    stays = {key for key in now["Match"] if key not in added.get("Match", {})}
    wanted = _expected_rows(now, rows)
    sat = who_sat(changed)
    try:
        free_unique_columns(changed)
        delete_rows({name: rows for name, rows in added.items() if name != "Entry"})
        insert_rows(removed)
        restore_columns(changed, sat, by)
        delete_rows({"Entry": added.get("Entry", {})})  # whose matches others have again
        connection.check_constraints(
            [BY_NAME[name].model._meta.db_table for name in {*removed, *changed}]
        )
    except (IntegrityError, models.ProtectedError, models.RestrictedError):
        raise _changed_since() from None
    if _without_growing_columns(rows_of(event), stays) != _without_growing_columns(wanted, stays):
        raise _changed_since()


SEAT_COLUMNS = ("a_id", "b_id", "size")
"""Columns that matches had beside the rows of their seats, which say the same."""


def as_stored_now(rows: Mapping[str, Any]) -> dict[str, Any]:
    """Return kept rows as rows are stored now, whenever they were kept.

    Matches had columns of their seats, which the rows of these say. Rows kept before seats had
    numbers and reports places have none of them: ``a`` had seat 1, ``b`` seat 2.
    """
    stored = deepcopy(dict(rows))
    for part in ("added", "removed"):
        matches = stored[part].get("Match", {})
        for report in stored[part].get("Report", {}).values():
            report.setdefault("places", None)
            report.setdefault("marks", None)
        for seat in stored[part].get("MatchSeat", {}).values():
            match = matches.get(str(seat["match_id"]), {})
            seat.setdefault("number", 2 if seat["entry_id"] == match.get("b_id") else 1)
    for part in ("added", "removed", "changed"):
        for match in stored[part].get("Match", {}).values():
            for column in SEAT_COLUMNS:
                match.pop(column, None)
    return stored


def _check_same(now: Rows, rows: Mapping[str, Any]) -> None:
    """Raise RuleError ``changed_since`` unless all rows are as the act left them."""
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


def _expected_rows(now: Rows, rows: Mapping[str, Any]) -> Rows:
    """Return the expected rows after the restore.

    What only lets a player in, as a personal link made since, goes with a player whom the act
    added.
    """
    wanted = {}
    players = {int(key) for key in rows["added"].get("Entry", {})}
    for name, present in now.items():
        gone = set() if name == "Report" else set(rows["added"].get(name, {}))
        if BY_NAME[name].deleted_with == "entry":
            gone |= {key for key, row in present.items() if row["entry_id"] in players}
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


def _without_growing_columns(rows: Rows, stays: set[str]) -> Rows:
    """Return rows without reports and versions of the matches in ``stays``, which only grow."""
    matches = {
        key: {c: v for c, v in row.items() if key not in stays or c not in GROWS}
        for key, row in rows["Match"].items()
    }
    reports = {k: r for k, r in rows["Report"].items() if str(r["match_id"]) not in stays}
    return rows | {"Match": matches, "Report": reports}


def _changed_since() -> RuleError:
    return RuleError(
        "changed_since",
        "What this act left has changed since. Nothing was changed: look at it again.",
    )
