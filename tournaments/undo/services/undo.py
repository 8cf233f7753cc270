"""The last acts taken back one by one, and done again.

Each kind of act has its inverse, in ``inverses``, or its rows are kept with its line. Where an
inverse is not possible any more it refuses. Reports and log lines are never taken away.
"""

from config import transaction
from rules.errors import RuleError
from rules.wording import gettext_noop as _
from tournaments.core.permissions import Actor, can_manage, require
from tournaments.formulas.services import usable_formula
from tournaments.log.services import locked
from tournaments.models import Event, LogLine, StaffRole
from tournaments.undo.selectors import action_of, undoing, undone_act
from tournaments.undo.services.inverses import INVERSES
from tournaments.undo.services.row_diff import undoable
from tournaments.undo.services.row_restore import put_back


@transaction.atomic
def undo(*, event: Event, expected: int, by: Actor) -> LogLine:
    """Take back the act whose log line has the number that the page showed; return the line.

    That is the last act on rounds, results, players or settings, or one that stands by itself.
    Raises RuleError ``stale`` where another act is the last by now, ``not_undoable`` where it has
    to stay, ``changed_since`` and those of the inverses; BadInput
    ``unknown_formula`` where the event would have a saved formula that was deleted.
    """
    event = locked(event)
    require(can_manage(by, event))
    act = undoing(event).find(expected)
    if act is None:
        raise _stale()
    if act.why_not is not None:
        raise RuleError("not_undoable", "%(why)s", why=act.why_not)
    line = act.line
    done = {"line": line.number, "since": event.version, "action": action_of(line)}
    with undoable(event, "act.undone", by=by, subject=line.subject, after=done):
        kept = event.kept_rows.filter(line=line.number).first()
        if kept is not None:
            put_back(event, kept, by=by)
        else:
            INVERSES[line.action](event, line, by)
        _check_playable(event)
    return line


@transaction.atomic
def redo(*, event: Event, expected: int, by: Actor) -> LogLine:
    """Do again what the line of this number took back, if nothing that matters came after.

    Returns the line. Raises RuleError ``stale``, ``not_redoable``, ``changed_since``.
    """
    event = locked(event)
    require(can_manage(by, event))
    line = undone_act(event)
    if line is None or line.number != expected:
        raise _stale()
    kept = event.kept_rows.filter(line=line.number).first()
    if kept is None:
        raise RuleError(
            "not_redoable",
            _("What was taken back is not kept here. Nothing was changed: do it again by hand."),
        )
    done = {
        "line": line.after["line"],
        "undone": line.number,
        "since": event.version,
        "action": action_of(line),
    }
    with undoable(event, "act.redone", by=by, subject=line.subject, after=done):
        put_back(event, kept, by=by)
        _check_playable(event)
    return line


def _check_playable(event: Event) -> None:
    """Read the event again as its rows are now, and refuse where it could not go on.

    Raises RuleError ``last_organiser`` where nobody would organise it any more, BadInput
    ``unknown_formula``.
    """
    if not event.staff.filter(role=StaffRole.Role.ORGANISER).exists():
        raise RuleError(
            "last_organiser",
            _("An event needs an organiser. Nothing was changed: give the role to another first."),
        )
    event.refresh_from_db()
    if event.plan is None:
        usable_formula(event)


def _stale() -> RuleError:
    return RuleError(
        "stale",
        _("Something else was done meanwhile. Nothing was changed: look at the log again."),
    )
