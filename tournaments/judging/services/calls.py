"""Calls: a player or the desk calls a judge to a table, a judge takes and closes the call."""

from django.utils import timezone

from config import transaction
from rules.errors import RuleError
from rules.events.lifecycle import next_state
from rules.people.person_names import check_words
from tournaments.core.permissions import Actor, can_report, is_staff, require
from tournaments.judging.acts import CALL_CLOSED, CALL_MADE, CALL_TAKEN
from tournaments.log.services import begin, record
from tournaments.matches.services import locked_match, subject_of
from tournaments.models import Entry, Event, JudgeCall, Match, Round


@transaction.atomic
def call_judge(*, match: Match, entry: Entry | None, reason: str = "", by: Actor) -> JudgeCall:
    """Call a judge to the table of a match: as one of its two players, or as the staff (None).

    Raises RuleError ``judge_called`` if the match has an open call, ``match_final``;
    BadInput ``hidden_signs``.
    """
    match = locked_match(match)
    event = match.round.event
    if entry is None:
        require(is_staff(by, event))
    else:
        require(can_report(by, match) and by.is_entry(entry))
    next_state("event", event.state, "play")
    if match.state == Match.State.FINAL or match.round.state != Round.State.PUBLISHED:
        raise RuleError(
            "match_final", "This match is over, so nobody was called. Go to the judges' table."
        )
    if match.calls.filter(closed_at__isnull=True).exists():
        raise RuleError(
            "judge_called",
            "A judge has been called to this table already. Nothing was stored: please wait.",
        )
    check_words(reason)
    call = JudgeCall.objects.create(match=match, entry=entry, reason=reason.strip()[:200])
    record(event, CALL_MADE, by=by, subject=subject_of(match), reason=call.reason)
    return call


@transaction.atomic
def take_call(*, event: Event, call_id: int, by: Actor) -> JudgeCall:
    """Assign an open call to the acting judge.

    Raises RuleError ``event_not_running``, ``call_taken``, ``call_closed``.
    """
    event = begin(event, CALL_TAKEN, by=by)
    call = _open_call(event, call_id)
    if call.taken_at is not None:
        raise RuleError(
            "call_taken",
            "%(who)s is going there already. Nothing was changed.",
            who=call.taken_by_whom or "?",
        )
    call.taken_at, call.taken_by = timezone.now(), by.user
    call.save(update_fields=["taken_at", "taken_by"])
    record(event, CALL_TAKEN, by=by, subject=subject_of(call.match))
    return call


@transaction.atomic
def close_call(*, event: Event, call_id: int, by: Actor) -> JudgeCall:
    """Close a call, taken or not. Raises RuleError ``call_closed``."""
    event = begin(event, CALL_CLOSED, by=by)
    return _close_call(event, _open_call(event, call_id), by=by)


def close_calls_left(event: Event, *, before: int | None = None, by: Actor) -> None:
    """Close the calls left open in rounds before this one, or in all; a line of the log each.

    Call it inside a transaction with the event locked, before what ends the round is stored, whose
    line is the one to be taken back then: a draft that is published, a stage that closes. A final
    result leaves the call of its match open. One query without such calls.
    """
    found = JudgeCall.objects.filter(match__round__event=event, closed_at__isnull=True)
    if before is not None:
        found = found.filter(match__round__ordinal__lt=before)
    for call in found.select_related("match__round").order_by("pk"):
        _close_call(event, call, by=by)


def _close_call(event: Event, call: JudgeCall, *, by: Actor) -> JudgeCall:
    call.closed_at, call.closed_by = timezone.now(), by.user
    call.save(update_fields=["closed_at", "closed_by"])
    record(event, CALL_CLOSED, by=by, subject=subject_of(call.match))
    return call


def _open_call(event: Event, call_id: int) -> JudgeCall:
    found = JudgeCall.objects.select_related("match__round", "taken_by")
    call = found.filter(pk=call_id, match__round__event=event, closed_at__isnull=True).first()
    if call is None:
        raise RuleError(
            "call_closed", "This call is closed already. Nothing was changed: load the page again."
        )
    return call
