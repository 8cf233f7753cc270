"""Calls for a judge and what judges write, and the acts of the log that tell it.

The log records that something was written; the text stays with the match, as it may name cards.
"""

from datetime import timedelta
from functools import partial

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config import transaction
from rules.errors import BadInput, RuleError
from rules.events.lifecycle import next_state
from rules.people.person_names import check_hidden_signs
from rules.wording import gettext_noop
from tournaments.core.acts import Act, CacheEffect, NoUndo, RowUndo, UndoTiming
from tournaments.core.permissions import Actor, can_judge, can_report, is_staff, require_permission
from tournaments.log.services import begin_act, check_allowed, record
from tournaments.matches.services import lock_match, match_log_subject
from tournaments.models import (
    Announcement,
    Entry,
    Event,
    JudgeCall,
    Match,
    Round,
    Ruling,
    StaffNote,
)
from tournaments.undo.services import undoable

act = partial(Act, may=can_judge, undo=RowUndo(), order=UndoTiming.BESIDE, shows=CacheEffect.ADDS)
CALL_MADE = act(
    key="call.made",
    words=_("Judge called"),
    may=is_staff,
    player_may=True,
    state="play",
    undo=NoUndo(),
    author_is_closed=True,
)
CALL_TAKEN = act(
    key="call.taken",
    words=_("Judge call accepted"),
    state="play",
    undo=NoUndo(),
)
CALL_CLOSED = act(key="call.closed", words=_("Judge call closed"), undo=NoUndo())
ANNOUNCEMENT_MADE = act(
    key="announcement.made",
    words=_("Announcement made"),
    state="play",
    undo=NoUndo(),
)
ANNOUNCEMENT_ENDED = act(
    key="announcement.ended", words=_("Announcement hidden"), shows=CacheEffect.TAKES_AWAY
)
MATCH_RULED = act(key="match.ruled", words=_("Ruling written"))
MATCH_NOTED = act(key="match.noted", words=_("Staff note written"), may=is_staff)


LONGEST = 500


@transaction.atomic
def add_staff_note(*, match: Match, text: str, by: Actor) -> StaffNote:
    """Add a staff-only note to a match, and return it; for any staff.

    Raises BadInput ``note_empty``, ``hidden_signs``.
    """
    match = lock_match(match)
    check_allowed(match.round.event, MATCH_NOTED, by=by)
    with undoable(
        match.round.event, MATCH_NOTED, (StaffNote,), by=by, subject=match_log_subject(match)
    ):
        return StaffNote.objects.create(match=match, text=_checked_text(text), by=by.user)


@transaction.atomic
def add_ruling(*, match: Match, text: str, by: Actor) -> Ruling:
    """Add a public ruling to a match, and return it; for judges.

    Raises BadInput ``note_empty``, ``hidden_signs``.
    """
    match = lock_match(match)
    check_allowed(match.round.event, MATCH_RULED, by=by)
    with undoable(
        match.round.event, MATCH_RULED, (Ruling,), by=by, subject=match_log_subject(match)
    ):
        return Ruling.objects.create(match=match, text=_checked_text(text), by=by.user)


def _checked_text(text: str) -> str:
    if not text.strip():
        raise BadInput("note_empty", gettext_noop("This field is required."))
    check_hidden_signs(text)
    return text.strip()[:LONGEST]


MOST_MINUTES = 600


@transaction.atomic
def create_announcement(*, event: Event, text: str, minutes: int, by: Actor) -> Announcement:
    """Create an announcement on the event's pages, and return it.

    ``minutes`` is how long it is displayed, from 1 to 600. Raises BadInput ``announcement_empty``,
    ``hidden_signs``, ``impossible_minutes``.
    """
    event = begin_act(event, ANNOUNCEMENT_MADE, by=by)
    if not text.strip():
        raise BadInput(
            "announcement_empty",
            gettext_noop("This field is required."),
        )
    check_hidden_signs(text)
    if not 1 <= minutes <= MOST_MINUTES:
        raise BadInput(
            "impossible_minutes",
            gettext_noop("Enter a whole number from %(least)s to %(most)s."),
            least=1,
            most=MOST_MINUTES,
        )
    made = Announcement.objects.create(
        event=event,
        text=text.strip()[:300],
        until=timezone.now() + timedelta(minutes=minutes),
        by=by.user,
    )
    after = {"text": made.text, "minutes": minutes}
    record(event, ANNOUNCEMENT_MADE, by=by, after=after)
    return made


@transaction.atomic
def end_announcement(*, event: Event, announcement_id: int, by: Actor) -> Announcement:
    """End an announcement and return it; raises RuleError ``announcement_ended``."""
    event = begin_act(event, ANNOUNCEMENT_ENDED, by=by)
    found = event.announcements.filter(pk=announcement_id, ended_at__isnull=True).first()
    if found is None:
        raise RuleError(
            "announcement_ended",
        )
    after = {"text": found.text}
    with undoable(event, ANNOUNCEMENT_ENDED, (Announcement,), by=by, before=after):
        found.ended_at = timezone.now()
        found.save(update_fields=["ended_at"])
    return found


@transaction.atomic
def call_judge(*, match: Match, entry: Entry | None, reason: str = "", by: Actor) -> JudgeCall:
    """Create a judge call to a match's table, and return it.

    ``entry`` is the calling player, None for the staff. Raises PermissionDenied; RuleError
    ``judge_called`` if the match has an open call, ``match_final`` if it is over or its round isn't
    published; BadInput ``hidden_signs``.
    """
    match = lock_match(match)
    event = match.round.event
    if entry is None:
        require_permission(is_staff(by, event))
    else:
        require_permission(can_report(by, match) and by.is_entry(entry))
    next_state("event", event.state, "play")
    if match.state == Match.State.FINAL or match.round.state != Round.State.PUBLISHED:
        raise RuleError("match_final", "This match is over. Ask at the desk.")
    if match.calls.filter(closed_at__isnull=True).exists():
        raise RuleError(
            "judge_called",
        )
    check_hidden_signs(reason)
    call = JudgeCall.objects.create(match=match, entry=entry, reason=reason.strip()[:200])
    record(event, CALL_MADE, by=by, subject=match_log_subject(match), reason=call.reason)
    return call


@transaction.atomic
def take_call(*, event: Event, call_id: int, by: Actor) -> JudgeCall:
    """Assign an open judge call to the acting judge, and return it.

    Raises RuleError ``event_not_running``, ``call_taken``, ``call_closed``.
    """
    event = begin_act(event, CALL_TAKEN, by=by)
    call = _open_call(event, call_id)
    if call.taken_at is not None:
        raise RuleError(
            "call_taken",
            "%(who)s is already on the way.",
            who=call.taken_by_whom or "?",
        )
    call.taken_at, call.taken_by = timezone.now(), by.user
    call.save(update_fields=["taken_at", "taken_by"])
    record(event, CALL_TAKEN, by=by, subject=match_log_subject(call.match))
    return call


@transaction.atomic
def close_call(*, event: Event, call_id: int, by: Actor) -> JudgeCall:
    """Close a judge call, taken or not, and return it.

    Raises RuleError ``call_closed``.
    """
    event = begin_act(event, CALL_CLOSED, by=by)
    return _close_call(event, _open_call(event, call_id), by=by)


def close_earlier_calls(event: Event, *, before: int | None = None, by: Actor) -> None:
    """Close the open judge calls of earlier rounds, each with a log line.

    ``before`` is a round's ordinal; None closes the calls of all rounds. Call it inside a
    transaction with the event locked, before the log line of what ends the round (a published
    draft, a closed stage), so that line stays the one to undo. One query without open calls.
    """
    found = JudgeCall.objects.filter(match__round__event=event, closed_at__isnull=True)
    if before is not None:
        found = found.filter(match__round__ordinal__lt=before)
    for call in found.select_related("match__round").order_by("pk"):
        _close_call(event, call, by=by)


def _close_call(event: Event, call: JudgeCall, *, by: Actor) -> JudgeCall:
    call.closed_at, call.closed_by = timezone.now(), by.user
    call.save(update_fields=["closed_at", "closed_by"])
    record(event, CALL_CLOSED, by=by, subject=match_log_subject(call.match))
    return call


def _open_call(event: Event, call_id: int) -> JudgeCall:
    found = JudgeCall.objects.select_related("match__round", "taken_by")
    call = found.filter(pk=call_id, match__round__event=event, closed_at__isnull=True).first()
    if call is None:
        raise RuleError("call_closed")
    return call
