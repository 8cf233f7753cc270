"""Inverses of acts of ``results``."""

from django.utils.translation import gettext as _

from rules.events.lifecycle import next_state
from tournaments.core.mapping import outcome_from_report
from tournaments.core.permissions import Actor
from tournaments.matches.services import add_outcome
from tournaments.models import Event, LogLine, Match, Report
from tournaments.undo.services import not_undoable_error


def why_not_undoable(event: Event, line: LogLine) -> str:
    """Return why an entered result can't be undone, "" if it can.

    It can't if players had reported the match before. ``line`` is the log line of the result.
    """
    if line.before.get("state") == Match.State.OPEN:
        return ""
    return _("Correct the result instead.")


def undo_result(event: Event, line: LogLine, by: Actor) -> None:
    """Remove the result that a log line entered; the match is open again."""
    match = _match_of(event, line)
    match.decision, match.state = None, Match.State.OPEN
    match.save(update_fields=["decision", "state"])


def undo_correction(event: Event, line: LogLine, by: Actor) -> None:
    """Restore the result from before the correction in a log line, as a new report."""
    match = _match_of(event, line)
    former = match.reports.filter(version__lt=match.version).last()
    if former is None:
        raise not_undoable_error()
    kind = Report.Kind.DECISION
    match.decision = add_outcome(
        match, kind, outcome_from_report(former, match.size), by=by, note=former.note
    )
    match.save(update_fields=["version", "decision"])


def _match_of(event: Event, line: LogLine) -> Match:
    """Return the match of a log line about a result, if it has not changed since."""
    ordinal = line.subject.partition("/")[0]
    found = Match.objects.select_related("round", "decision").filter(
        round__event=event, round__ordinal=int(ordinal), number=line.after.get("match", 0)
    )
    match = found.first()
    if match is None or match.version != line.after["version"]:
        raise not_undoable_error()
    next_state("event", event.state, "play")
    return match
