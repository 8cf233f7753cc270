"""The way back from an act: its event's rows as they were before it.

Reports are never taken away, and no match returns to an earlier version: a result that counts
again is reported again.
"""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, connection, models

from rules.errors import RuleError
from rules.wording import gettext_noop as _
from tournaments.core.event_tables import BY_NAME
from tournaments.core.permissions import Actor
from tournaments.models import Event, KeptRows
from tournaments.services.kept import Rows, rows_of
from tournaments.services.row_writes import delete, free, insert, restore

GROWS = ("version", "decision_id")
"""Columns of a match that never hold again what they held."""


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
        free(changed)
        delete(added)
        insert(removed)
        restore(changed, by)
        connection.check_constraints(
            [BY_NAME[name].model._meta.db_table for name in {*removed, *changed}]
        )
    except (IntegrityError, models.ProtectedError, models.RestrictedError):
        raise _changed_since() from None
    if _comparable(rows_of(event), stays) != _comparable(wanted, stays):
        raise _changed_since()


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
        key: {c: v for c, v in row.items() if key not in stays or c not in GROWS}
        for key, row in rows["Match"].items()
    }
    reports = {k: r for k, r in rows["Report"].items() if str(r["match_id"]) not in stays}
    return rows | {"Match": matches, "Report": reports}


def _changed_since() -> RuleError:
    return RuleError(
        "changed_since",
        _("What this act left has changed since. Nothing was changed: look at it again."),
    )
