"""Undo and redo, and the difference of an event's rows before and after an act that they apply,
stored with the log line.

Rows are identified by primary key.

An inverse stands with the feature whose act it undoes. It reverts what the act changed and nothing
else, and refuses if that is not possible any more. It runs in a transaction with the event locked.
All raise RuleError ``not_undoable`` if the log lacks what they need.

Reports are never deleted and versions of matches never decrease: a restored result is a new report.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, partial
from typing import Any, ParamSpec

from django.db import IntegrityError, connection, models
from django.utils.module_loading import import_string

from config import transaction
from rules.errors import RuleError
from tournaments.chain.lines import (
    check_line_unchanged,
    check_stored_digests,
    log_digests,
    rows_digest,
)
from tournaments.core.acts import REDONE, UNDONE, Act, Inverse, act_by_key
from tournaments.core.mapping import outcome_from_report
from tournaments.core.names import check_confirmation_name
from tournaments.core.permissions import Actor
from tournaments.core.valid_columns import BY_MODEL, BY_NAME, UNDOABLE
from tournaments.core.visibility import PublicContent, hidden_content, public_content
from tournaments.formulas.services import lock_event_formula
from tournaments.log.services import begin_act, record
from tournaments.matches.services import add_outcome
from tournaments.models import Event, KeptRows, LogLine, Match, Report, StaffRole
from tournaments.models.play import matches_with_players, replay_schedule
from tournaments.models.tables import Model, Table, call_before_log_lines
from tournaments.undo.selectors import (
    author_name,
    confirmation_names,
    find_redoable_undo,
    logged_action_key,
    logged_action_label,
    undo_options,
)

REASON = "%(why)s"
"""The sentence of a refusal that is translated already."""
Arguments = ParamSpec("Arguments")
Values = dict[str, Any]
Rows = dict[str, dict[str, Values]]
"""Column values as plain data, by name of the model and primary key as text."""


def read_rows(event: Event, *only: Model) -> Rows:
    """Return {model name: {primary key: {column: JSON value}}} of an event's rows.

    ``only``: models to read, by default all that undo restores. One query a table.
    """
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
    """The content of an act's log line, filled in while the act runs.

    ``subject`` names what is changed, ``before`` and ``after`` hold values by key.
    """

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
    """Context manager: run the block as an act that can be undone, and log it.

    The event must be locked. Which rows the block changed is stored for undo, with its digest in
    the log line of ``act``. Then the calls registered by ``then`` are made, and their changes
    added. If the block raises, nothing is recorded. ``tables`` are the models that the block
    changes, by default all of the event's. Two queries a table and one, besides those of
    ``record``; again for each following line.
    """
    undo = LineContent(
        subject=subject, before=dict(before or {}), after=dict(after or {}), reason=reason
    )
    rows = read_rows(event, *tables)
    yield undo
    models = [BY_NAME[name].model for name in rows]
    changed = _difference_of_rows(rows, read_rows(event, *models))
    kept = KeptRows.objects.create(event=event, line=event.version + 1, rows=changed)
    log_digests(event, rows_digest(kept))
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
        kept.rows = _difference_of_rows(rows, read_rows(event, *models))
        kept.save(update_fields=["rows"])
        log_digests(event, rows_digest(kept))

    with call_before_log_lines(event.pk, keep):
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


def find_inverse(key: str) -> Callable[[Event, LogLine, Actor], None]:
    """Return the function (event, log line, actor) that undoes an action.

    ``key``: the action's. Raises KeyError for an unknown action, ValueError if it has no such
    function.
    """
    undo = act_by_key(key).undo
    if not isinstance(undo, Inverse):
        raise ValueError(f"{key} has no inverse")
    inverse: Callable[[Event, LogLine, Actor], None] = import_string(undo.path)
    return inverse


def not_undoable_error() -> RuleError:
    """Return the RuleError for an act that can't be undone: data lack or changed."""
    return RuleError("not_undoable", "This can’t be undone.")


SatBefore = Mapping[int, list[dict[str, Any]]]
"""``Match.earlier`` by key of the match."""


def free_unique_columns(changed: Rows) -> None:
    """Clear unique columns of rows to restore, so that rows can swap values.

    ``changed``: the changed rows as stored for undo.
    """
    for name, rows in changed.items():
        table = BY_NAME[name]
        for column, empty in table.freed.items():
            keys = [key for key, columns in rows.items() if column in columns]
            table.model._default_manager.filter(pk__in=keys).update(**{column: empty})


def delete_rows(added: Rows) -> None:
    """Delete the rows that an act added, dependent ones first.

    Reports are deleted only with their match.
    """
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
    """Insert the rows that an act deleted, with their old keys and timestamps."""
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
    fields: dict[str, Any] = {f.name: f for f in table.model._meta.concrete_fields}
    return {fields[name].attname: value for name, value in table.later.items()}


def restore_columns(changed: Rows, sat: SatBefore, by: Actor) -> None:
    """Restore the former values of columns that an act changed.

    ``changed``: {model name: {primary key: {column: [before, after]}}}; ``sat``: what
    `current_seat_history` returned before seats were restored; ``by``: the actor, author of
    the reports that restore results.
    """
    for name, rows in changed.items():
        model = BY_NAME[name].model
        for key, columns in rows.items():
            before = {column: pair[0] for column, pair in columns.items()}
            if model is Match:
                _restore_match(int(key), before, sat, by)
            else:
                model._default_manager.filter(pk=key).update(**_column_values(model, before))


def current_seat_history(changed: Rows) -> SatBefore:
    """Return {key of a reseated match: ``Match.earlier`` with present players}.

    Call it before their seats are restored. One query.
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
            match, report.kind, outcome_from_report(report, match.size), by=by, note=report.note
        )
        values |= {"decision_id": again.pk, "version": match.version}
    Match.objects.filter(pk=key).update(**_column_values(Match, values))


def _when_played(earlier: list[dict[str, Any]]) -> Values:
    said = replay_schedule(earlier)
    return {key: value for key, value in said.items() if key not in ("until", "seats")}


def _column_values(model: Model, values: Values) -> Values:
    fields: dict[str, Any] = {f.attname: f for f in model._meta.concrete_fields}
    return {column: fields[column].to_python(value) for column, value in values.items()}


GROWS = ("version", "earlier", "decision_id")
"""Columns of a match that are not restored to former values."""


def restore_rows(event: Event, kept: KeptRows, *, by: Actor) -> None:
    """Revert the row changes of an act in a locked event.

    ``kept``: the changes as stored. Raises RuleError ``changed_since`` if these rows changed again,
    or others depend on them.
    """
    rows = upgrade_undo_rows(kept.rows)
    added, removed, changed = (rows[key] for key in ("added", "removed", "changed"))
    now = read_rows(event)
    _check_same(now, rows)
    stays = {key for key in now["Match"] if key not in added.get("Match", {})}
    wanted = _expected_rows(now, rows)
    sat = current_seat_history(changed)
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
    if _without_growing_columns(read_rows(event), stays) != _without_growing_columns(wanted, stays):
        raise _changed_since()


SEAT_COLUMNS = ("a_id", "b_id", "size")
"""Columns that matches had beside the rows of their seats, which say the same."""


def upgrade_undo_rows(rows: Mapping[str, Any]) -> dict[str, Any]:
    """Return row differences stored for undo, converted to the present schema.

    Older ones lack columns: ``places`` and ``marks`` of reports, seat numbers, ``origin_id`` and
    ``prize_given_at`` of entries; matches had columns for their players.
    """
    stored = deepcopy(dict(rows))
    for part in ("added", "removed"):
        matches = stored[part].get("Match", {})
        for entry in stored[part].get("Entry", {}).values():
            entry.setdefault("origin_id", None)
            entry.setdefault("prize_given_at", None)
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
    return RuleError("changed_since")


@transaction.atomic
def undo(*, event: Event, expected: int, confirm: str = "", by: Actor) -> LogLine:
    """Undo the act of log line number ``expected``; return that line.

    It must be the last act on play, players or settings, or one that can be undone by itself.
    ``confirm`` is the name typed, if needed (``selectors.confirmation_names``). Raises RuleError
    ``stale`` if another act came after, ``not_undoable`` with the reason, ``changed_since``,
    ``kept_rows_differ``, ``last_organiser`` and those of the inverses; BadInput ``not_confirmed``,
    and ``unknown_formula`` if the event would refer to a deleted tournament format.
    """
    event = begin_act(event, UNDONE, by=by)
    offered = undo_options(event)
    act = offered.find(expected)
    if act is None:
        raise _stale_error(offered.last.line if offered.last else None)
    if act.why_not is not None:
        raise RuleError("not_undoable", REASON, why=str(act.why_not))
    line = act.line
    names = confirmation_names(event, line)
    done = {"line": line.number, "since": event.version, "action": logged_action_key(line)}
    kept = event.kept_rows.filter(line=line.number).first()
    if kept is not None:
        done |= check_stored_digests(event, rows_digest(kept))
    else:
        check_line_unchanged(event, line.number)
    shown_before = public_content(event)
    with undoable(event, UNDONE, by=by, subject=line.subject, after=done) as undone:
        if kept is not None:
            restore_rows(event, kept, by=by)
        else:
            find_inverse(line.action)(event, line, by)
        _check_playable(event)
        undone.after |= _what_was_hidden(event, shown_before)
    _check_confirmed(confirm, names)
    return line


@transaction.atomic
def redo(*, event: Event, expected: int, confirm: str = "", by: Actor) -> LogLine:
    """Redo the act undone in log line number ``expected``; return that line.

    ``confirm`` is the name typed, if results would be lost. Raises RuleError ``stale`` if another
    act on play came after, ``not_redoable``, ``changed_since``, ``kept_rows_differ``,
    ``last_organiser``; BadInput ``not_confirmed``, ``unknown_formula``.
    """
    event = begin_act(event, REDONE, by=by)
    line = find_redoable_undo(event)
    if line is None or line.number != expected:
        raise _stale_error()
    kept = event.kept_rows.filter(line=line.number).first()
    if kept is None:
        raise RuleError("not_redoable", "Repeat the action yourself.")
    names = confirmation_names(event, line, again=True)
    done = {
        "line": line.after["line"],
        "undone": line.number,
        "since": event.version,
        "action": logged_action_key(line),
    } | check_stored_digests(event, rows_digest(kept))
    shown_before = public_content(event)
    with undoable(event, REDONE, by=by, subject=line.subject, after=done) as redone:
        restore_rows(event, kept, by=by)
        _check_playable(event)
        redone.after |= _what_was_hidden(event, shown_before)
    _check_confirmed(confirm, names)
    return line


def _check_confirmed(confirm: str, names: tuple[str, ...]) -> None:
    """Raise BadInput ``not_confirmed`` unless one of the names was typed, if there are any."""
    if names:
        check_confirmation_name(confirm, *names)


def _what_was_hidden(event: Event, shown_before: PublicContent) -> dict[str, list[str]]:
    """Return values for the log: ``hides``, the codes of what undo or redo hid.

    With the start the publication of the lists is taken back: other lists may be handed in before
    the next one.
    """
    if event.plan is None and event.lists_published_at is not None:
        event.lists_published_at = None
        event.save(update_fields=["lists_published_at"])
    gone = hidden_content(shown_before, event)
    return {"hides": gone} if gone else {}


def _check_playable(event: Event) -> None:
    """Reload the event and check that it has an organiser and a formula.

    Raises RuleError ``last_organiser``, BadInput ``unknown_formula``.
    """
    if not event.staff.filter(role=StaffRole.Role.ORGANISER).exists():
        raise RuleError(
            "last_organiser",
            "An event needs an organiser. Give the role to somebody else first.",
        )
    event.refresh_from_db()
    if event.plan is None:
        lock_event_formula(event)


def _stale_error(last: LogLine | None = None) -> RuleError:
    """Return the error for an act that is not the ``last`` any more, which it names."""
    if last is None:
        return RuleError("stale")
    return RuleError(
        "stale",
        "Undo this in the log first: %(what)s (%(who)s).",
        who=author_name(last),
        what=logged_action_label(last),
    )
