"""Services: undo and redo. Reports and log lines are never deleted."""

from config import transaction
from rules.errors import RuleError
from rules.wording import gettext_noop as _
from tournaments.chain.kept_digests import check_kept, check_line, of_rows
from tournaments.core.disclosed import Disclosed, disclosed, hidden_since
from tournaments.core.permissions import Actor
from tournaments.core.typed_names import check_typed
from tournaments.formulas.services import usable_formula
from tournaments.log.services import begin
from tournaments.models import Event, LogLine, StaffRole
from tournaments.undo.acts import REDONE, UNDONE
from tournaments.undo.asked import names_to_type
from tournaments.undo.selectors import action_of, acts_to_offer, undone_act
from tournaments.undo.services.inverses import inverse_of
from tournaments.undo.services.row_diff import undoable
from tournaments.undo.services.row_restore import restore_rows

ACTED_ON = _(
    "People have acted on this since it was done. Nothing was changed: type “%(name)s” to confirm."
)


@transaction.atomic
def undo(*, event: Event, expected: int, confirm: str = "", by: Actor) -> LogLine:
    """Undo the act whose log line has number ``expected``; return that line.

    It must be the last act on rounds, results, players or settings, or one that stands by itself.
    ``confirm`` is the name typed where people have acted on what goes (``asked.names_to_type``).

    Raises RuleError ``stale`` if another act came after, ``not_undoable`` with the reason,
    ``changed_since``, ``kept_rows_differ``, ``last_organiser`` and those of the inverses; BadInput
    ``not_confirmed``, and ``unknown_formula`` if the event would refer to a deleted formula.
    """
    event = begin(event, UNDONE, by=by)
    act = acts_to_offer(event).find(expected)
    if act is None:
        raise _stale_error()
    if act.why_not is not None:
        raise RuleError("not_undoable", "%(why)s", why=str(act.why_not))
    line = act.line
    names = names_to_type(event, line)
    done = {"line": line.number, "since": event.version, "action": action_of(line)}
    kept = event.kept_rows.filter(line=line.number).first()
    if kept is not None:
        done |= check_kept(event, of_rows(kept))
    else:
        check_line(event, line.number)
    shown_before = disclosed(event)
    with undoable(event, UNDONE, by=by, subject=line.subject, after=done) as undone:
        if kept is not None:
            restore_rows(event, kept, by=by)
        else:
            inverse_of(line.action)(event, line, by)
        _check_playable(event)
        undone.after |= _what_was_hidden(event, shown_before)
    _check_confirmed(confirm, names)
    return line


@transaction.atomic
def redo(*, event: Event, expected: int, confirm: str = "", by: Actor) -> LogLine:
    """Redo the act that was undone by line ``expected``; return that line.

    ``confirm`` is the name typed where results would go. Raises RuleError ``stale`` if another act
    on play came after, ``not_redoable``, ``changed_since``, ``kept_rows_differ``,
    ``last_organiser``; BadInput ``not_confirmed``, ``unknown_formula``.
    """
    event = begin(event, REDONE, by=by)
    line = undone_act(event)
    if line is None or line.number != expected:
        raise _stale_error()
    kept = event.kept_rows.filter(line=line.number).first()
    if kept is None:
        raise RuleError(
            "not_redoable",
            "What was taken back is not kept here. Nothing was changed: do it again by hand.",
        )
    names = names_to_type(event, line, again=True)
    done = {
        "line": line.after["line"],
        "undone": line.number,
        "since": event.version,
        "action": action_of(line),
    } | check_kept(event, of_rows(kept))
    shown_before = disclosed(event)
    with undoable(event, REDONE, by=by, subject=line.subject, after=done) as redone:
        restore_rows(event, kept, by=by)
        _check_playable(event)
        redone.after |= _what_was_hidden(event, shown_before)
    _check_confirmed(confirm, names)
    return line


def _check_confirmed(confirm: str, names: tuple[str, ...]) -> None:
    """Raise BadInput ``not_confirmed`` unless one of the names was typed, if there are any."""
    if names:
        check_typed(confirm, *names, otherwise=ACTED_ON)


def _what_was_hidden(event: Event, shown_before: Disclosed) -> dict[str, list[str]]:
    """Return values for the log: ``hides``, the codes of what undo or redo hid.

    With the start the publication of the lists is taken back: other lists may be handed in before
    the next one.
    """
    if event.plan is None and event.lists_published_at is not None:
        event.lists_published_at = None
        event.save(update_fields=["lists_published_at"])
    gone = hidden_since(shown_before, event)
    return {"hides": gone} if gone else {}


def _check_playable(event: Event) -> None:
    """Reload the event and check that it has an organiser and a formula.

    Raises RuleError ``last_organiser``, BadInput ``unknown_formula``.
    """
    if not event.staff.filter(role=StaffRole.Role.ORGANISER).exists():
        raise RuleError(
            "last_organiser",
            "An event needs an organiser. Nothing was changed: give the role to another first.",
        )
    event.refresh_from_db()
    if event.plan is None:
        usable_formula(event)


def _stale_error() -> RuleError:
    return RuleError(
        "stale", "Something else was done meanwhile. Nothing was changed: look at the log again."
    )
