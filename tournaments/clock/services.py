"""Run the clock of a round, and give or revoke extra minutes of a table."""

from functools import partial

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config import transaction
from rules.errors import BadInput, RuleError
from rules.events.clock import ClockAction, apply_clock_action, format_clock, validate_minutes
from rules.events.lifecycle import next_state
from tournaments.core.acts import Act, CacheEffect, Inverse, NoUndo, RowUndo, UndoTiming, act_by_key
from tournaments.core.clocks import clock_from_row, current_moment, extension_minutes_due
from tournaments.core.mapping import is_stage_timed
from tournaments.core.permissions import Actor, can_judge, can_keep_time
from tournaments.log.services import begin_act, check_allowed, record
from tournaments.matches.services import lock_match, match_log_subject
from tournaments.models import DeckCheck, Event, LogLine, Match, Round, RoundClock, TimeExtension
from tournaments.rounds.services import find_round
from tournaments.undo.services import undoable

act = partial(
    Act,
    may=can_keep_time,
    state="play",
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
    shows=CacheEffect.ADDS,
)
EXTENSION_GIVEN = act(key="extension.given", words=_("Extra time"), may=can_judge, undo=RowUndo())
EXTENSION_TAKEN_BACK = act(
    key="extension.taken_back", words=_("Extra time removed"), may=can_judge, undo=RowUndo()
)
CLOCK_STARTED = act(key="clock.start", words=_("Timer started"))
CLOCK_PAUSED = act(key="clock.pause", words=_("Timer paused"))
CLOCK_RESUMED = act(key="clock.resume", words=_("Timer resumed"))
CLOCK_EXTENDED = act(
    key="clock.add",
    words=_("Add time for everybody"),
    undo=Inverse("tournaments.clock.services.undo_added_minutes"),
)
CLOCK_RESET = act(key="clock.reset", words=_("Timer reset"))


@transaction.atomic
def run_clock(
    *,
    event: Event,
    ordinal: int,
    action: ClockAction,
    minutes: int = 0,
    expected: int | None = None,
    by: Actor,
) -> RoundClock:
    """Apply an action to the round timer of the latest published round; return the timer.

    ordinal: of the round. minutes: 1 to 60, for ``ADD``. expected: version of the timer on the
    page, so that of two concurrent requests the second is refused; None: any. Raises RuleError
    ``clock_changed``, ``round_over``, ``no_time_limit``, ``round_not_published`` and those of
    ``apply_clock_action``.
    """
    act = act_by_key(f"clock.{action}")
    event = begin_act(event, act, by=by)
    item = find_round(event, ordinal)
    _check_round(event, item)
    row = getattr(item, "clock", None) or RoundClock(round=item, minutes=event.minutes)
    if expected is not None and expected != row.version:
        raise RuleError(
            "clock_changed",
        )
    now = current_moment()
    before = clock_from_row(row, event.minutes)
    clock = apply_clock_action(before, action, now, minutes)
    row.state, row.minutes, row.used = clock.state, clock.minutes, clock.used
    row.since = clock.since.at if clock.since else None
    row.ticks = clock.since.ticks if clock.since else None
    row.machine = clock.since.machine if clock.since else ""
    match action:
        case ClockAction.START:
            row.started_at, row.paused_at = now.at, None
        case ClockAction.PAUSE:
            row.paused_at = now.at
        case ClockAction.RESUME:
            row.paused_at = None
        case ClockAction.RESET:
            row.started_at = row.paused_at = None
    row.version += 1
    row.save()
    record(
        event,
        act,
        by=by,
        subject=str(ordinal),
        before={"left": format_clock(before.left(now))},
        after={"left": format_clock(clock.left(now))}
        | ({"minutes": minutes} if action is ClockAction.ADD else {}),
    )
    return row


def undo_added_minutes(event: Event, line: LogLine, by: Actor) -> None:
    """Undo a log line that added minutes to a round timer."""
    next_state("event", event.state, "play")
    clock = find_round(event, int(line.subject)).clock
    clock.minutes -= line.after["minutes"]
    clock.version += 1
    clock.save(update_fields=["minutes", "version"])


def _check_round(event: Event, round_: Round) -> None:
    """Raise RuleError for a draft, an earlier round, or a stage without a time limit."""
    next_state("round", round_.state, "enter_result")
    later = event.rounds.filter(ordinal__gt=round_.ordinal, state=Round.State.PUBLISHED)
    if later.exists():
        raise RuleError("round_over")
    if not is_stage_timed(event, round_.stage.number):
        raise RuleError(
            "no_time_limit",
            "This stage has no time limit.",
        )


@transaction.atomic
def extend_time(*, match: Match, minutes: int, reason: str, by: Actor) -> TimeExtension:
    """Give the table of a match a time extension in minutes; return it.

    minutes: 1 to 60. Raises BadInput ``impossible_minutes``, ``reason_missing``; RuleError
    ``match_final``.
    """
    match = lock_match(match)
    event = match.round.event
    check_allowed(event, EXTENSION_GIVEN, by=by)
    if match.state == Match.State.FINAL or match.round.state != Round.State.PUBLISHED:
        raise RuleError("match_final")
    validate_minutes(minutes)
    if not reason.strip():
        raise BadInput("reason_missing", "Give a reason.")
    return _give_minutes(match, minutes, reason.strip()[:200], None, by=by)


@transaction.atomic
def delete_extension(*, event: Event, extension_id: int, by: Actor) -> Match:
    """Delete a time extension; return its match. Raises RuleError ``extension_gone``."""
    event = begin_act(event, EXTENSION_TAKEN_BACK, by=by)
    found = TimeExtension.objects.select_related("match__round")
    extension = found.filter(match__round__event=event, pk=extension_id).first()
    if extension is None:
        raise RuleError(
            "extension_gone",
        )
    match, was = extension.match, {"minutes": extension.minutes}
    with undoable(
        event,
        EXTENSION_TAKEN_BACK,
        (TimeExtension,),
        by=by,
        subject=match_log_subject(match),
        before=was,
    ):
        extension.delete()
    return match


def extend_after_check(check: DeckCheck, *, by: Actor) -> TimeExtension | None:
    """Give the table of a finished deck check the time extension that it is due.

    Return the extension, None if none is due. The event must be locked by this transaction.
    """
    minutes = extension_minutes_due(check, check.finished_at or timezone.now())
    if check.match is None or not minutes:
        return None
    check.match.round.event = check.event
    return _give_minutes(check.match, minutes, "", check, by=by)


def _give_minutes(
    match: Match, minutes: int, reason: str, check: DeckCheck | None, *, by: Actor
) -> TimeExtension:
    event = match.round.event
    with undoable(
        event,
        EXTENSION_GIVEN,
        (TimeExtension,),
        by=by,
        subject=match_log_subject(match),
        after={"minutes": minutes},
        reason=reason,
    ):
        return TimeExtension.objects.create(
            match=match, minutes=minutes, reason=reason, check_made=check, by=by.user
        )
