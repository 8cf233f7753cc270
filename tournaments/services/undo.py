"""The last act taken back: each kind of act with its inverse.

An inverse changes what the act changed and nothing else; where that is not possible any more it
refuses. Reports and log lines are never taken away.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models, transaction

from rules.errors import RuleError
from rules.lifecycle import after
from rules.wording import gettext_noop as _
from tournaments.mapping import outcome_of
from tournaments.models import Entry, Event, LogLine, Match, Report, Round
from tournaments.permissions import Actor, can_manage, require
from tournaments.selectors.facts import load_facts
from tournaments.selectors.undo import last_act
from tournaments.services.events import change_event
from tournaments.services.log import locked, record
from tournaments.services.matches import add_outcome
from tournaments.services.rounds import check_untold, find_round, undo_round
from tournaments.services.stages import take_back_stage


@transaction.atomic
def undo(*, event: Event, expected: int, by: Actor) -> LogLine:
    """Take back the last act, whose log line has the number that the page showed.

    Returns the line of the act. Raises RuleError ``stale`` where another act is the last by now,
    ``not_undoable`` where it has to stay.
    """
    event = locked(event)
    require(can_manage(by, event))
    act = last_act(event)
    if act is None or act.line.number != expected:
        raise RuleError(
            "stale",
            _("Something else was done meanwhile. Nothing was changed: look at the log again."),
        )
    if act.why_not is not None:
        raise RuleError("not_undoable", "%(why)s", why=act.why_not)
    line, since = act.line, event.version
    INVERSES[line.action](event, line, by)
    record(
        locked(event),
        "act.undone",
        by=by,
        subject=line.subject,
        after={"line": line.number, "since": since},
    )
    return line


def _take_back_result(event: Event, line: LogLine, by: Actor) -> None:
    """Open the match again, where nobody had reported before."""
    match = _match_of(event, line)
    if line.before.get("state") != Match.State.OPEN:
        raise RuleError(
            "players_reported",
            _("Players had reported before. Nothing was changed: correct the result instead."),
        )
    match.decision, match.state = None, Match.State.OPEN
    match.save(update_fields=["decision", "state"])


def _take_back_correction(event: Event, line: LogLine, by: Actor) -> None:
    """Let the report before count again, as a report of its own."""
    match = _match_of(event, line)
    former = match.reports.filter(version__lt=match.version).last()
    if former is None:
        raise _changed()
    kind = Report.Kind.DECISION
    match.decision = add_outcome(match, kind, outcome_of(former), by=by, note=former.note)
    match.save(update_fields=["version", "decision"])


def _take_back_publication(event: Event, line: LogLine, by: Actor) -> None:
    """Make a round a draft again while nobody has reported and its clock stands still."""
    after("event", event.state, "play")
    item = find_round(event, int(line.subject))
    check_untold(item)
    clock = getattr(item, "clock", None)
    if clock is not None and clock.state != "ready":
        raise RuleError(
            "clock_started",
            _("The clock of the round has been started. Nothing was changed: set it back first."),
        )
    item.state, item.published_at = Round.State.DRAFT, None
    item.save(update_fields=["state", "published_at"])


def _take_back_draft(event: Event, line: LogLine, by: Actor) -> None:
    undo_round(event=event, ordinal=int(line.subject), by=by)


def _take_back_withdrawal(event: Event, line: LogLine, by: Actor) -> None:
    """Put a player back, and open the match again that was forfeited by leaving."""
    entry = _entry_of(event, line)
    forfeited = line.after.get("forfeited", [])
    own = models.Q(a=entry) | models.Q(b=entry)
    last = Match.objects.filter(own, round__event=event).order_by("round__ordinal").last()
    if forfeited and (
        last is None
        or forfeited != [last.table or last.number]
        or last.decision is None
        or last.decision.kind != Report.Kind.AUTOMATIC
    ):
        raise _changed()
    if forfeited and last is not None:
        _check_nothing_said(last)
        last.decision, last.state = None, Match.State.OPEN
        last.save(update_fields=["decision", "state"])
    entry.status = line.before["status"]
    entry.save(update_fields=["status"])


def _take_back_return(event: Event, line: LogLine, by: Actor) -> None:
    """Let a player be away again; the rounds lost by coming back are lost no more."""
    entry = _entry_of(event, line)
    rounds = line.after.get("rounds", [])
    missed = Match.objects.filter(a=entry, missed=True, round__ordinal__in=rounds)
    missed.update(state=Match.State.OPEN, decision=None)
    missed.delete()
    entry.status = line.before["status"]
    entry.save(update_fields=["status"])


def _take_back_closing(event: Event, line: LogLine, by: Actor) -> None:
    """Open a stage again, where no round of the next has been made."""
    after("event", event.state, "play")
    facts = load_facts(event)
    if facts.open_stage is not None:
        take_back_stage(event=event, expected_stage=facts.open_stage.stage.number, by=by)
        return
    stage = facts.stages[-1].stage
    stage.state, stage.closed_at = after("stage", stage.state, "reopen"), None
    stage.places = {}
    stage.save()


def _take_back_settings(event: Event, line: LogLine, by: Actor) -> None:
    """Give settings their former values, as far as the log holds them whole."""
    changes = {key: _setting(key, value) for key, value in line.before.items()}
    reason = line.reason or "undo"
    change_event(event=event, changes=changes, reason=reason, by=by)


INVERSES: Mapping[str, Callable[[Event, LogLine, Actor], None]] = {
    "result.entered": _take_back_result,
    "result.corrected": _take_back_correction,
    "round.published": _take_back_publication,
    "round.drafted": _take_back_draft,
    "entry.withdraw": _take_back_withdrawal,
    "entry.re_enter": _take_back_return,
    "stage.closed": _take_back_closing,
    "event.changed": _take_back_settings,
}
"""What takes an act back, by the action of its line; the event is locked."""


def _match_of(event: Event, line: LogLine) -> Match:
    """Return the match of a result's line, as that line left it."""
    ordinal = line.subject.partition("/")[0]
    found = Match.objects.select_related("round", "decision").filter(
        round__event=event, round__ordinal=int(ordinal), number=line.after.get("match", 0)
    )
    match = found.first()
    if match is None or match.version != line.after["version"]:
        raise _changed()
    after("event", event.state, "play")
    return match


def _entry_of(event: Event, line: LogLine) -> Entry:
    """Return the player of a line, whose status that line left."""
    entry = event.entries.filter(number=line.after.get("number", 0)).first()
    if entry is None or entry.status != line.after["status"]:
        raise _changed()
    return entry


def _check_nothing_said(match: Match) -> None:
    if match.reports.count() > 1:
        raise RuleError(
            "players_reported",
            _("Players had reported before. Nothing was changed: correct the result instead."),
        )


def _setting(key: str, value: Any) -> Any:
    """Return a setting as the event holds it; raises RuleError where the log has only its name."""
    field = Event._meta.get_field(key)
    if not isinstance(field, models.Field) or field.is_relation:
        raise _changed()
    if not isinstance(value, str):
        return value
    try:
        return field.to_python(value)
    except ValidationError as error:
        raise _changed() from error


def _changed() -> RuleError:
    return RuleError(
        "not_undoable",
        _("The log no longer holds enough to take this back. Nothing was changed."),
    )
