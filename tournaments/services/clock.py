"""The clock of a round: started, stopped, gone on with, and minutes for everybody."""

from config import transaction
from rules.errors import RuleError
from rules.events.clock import ClockAction, acted, face
from rules.events.lifecycle import after
from rules.wording import gettext_noop as _
from tournaments.core.mapping import plan_of
from tournaments.core.permissions import Actor, can_keep_time, require
from tournaments.log.services import locked, record
from tournaments.models import Event, Round, RoundClock
from tournaments.selectors.clock import clock_in, row_of
from tournaments.services.rounds import find_round
from tournaments.steady import moment_now


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
    """Act on the clock of the round in progress; ``minutes`` are for ``ADD``, from 1 to 60.

    ``expected`` is the version of the clock that the page showed: the second of two who press the
    same button at once is told that the first one did. Raises RuleError ``clock_changed``,
    ``round_over``, ``no_time_limit``, ``round_not_published`` and those of ``rules.events.clock.acted``.
    """
    event = locked(event)
    require(can_keep_time(by, event))
    after("event", event.state, "play")
    item = find_round(event, ordinal)
    _check_round(event, item)
    row = row_of(item) or RoundClock(round=item, minutes=event.minutes)
    if expected is not None and expected != row.version:
        raise RuleError(
            "clock_changed",
            _("Somebody else has just set the clock. Nothing was changed: look at it again."),
        )
    now = moment_now()
    before = clock_in(row, event.minutes)
    clock = acted(before, action, now, minutes)
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
        f"clock.{action}",
        by=by,
        subject=str(ordinal),
        before={"left": face(before.left(now))},
        after={"left": face(clock.left(now))}
        | ({"minutes": minutes} if action is ClockAction.ADD else {}),
    )
    return row


def _check_round(event: Event, item: Round) -> None:
    """Refuse a draft, an earlier round, and a stage without a time limit."""
    after("round", item.state, "enter_result")
    later = event.rounds.filter(ordinal__gt=item.ordinal, state=Round.State.PUBLISHED)
    if later.exists():
        raise RuleError(
            "round_over",
            _("A later round is being played. Nothing was changed: load the page again."),
        )
    if not plan_of(event).stages[item.stage.number - 1].timed:
        raise RuleError(
            "no_time_limit",
            _("This stage has no time limit, so it has no clock. Nothing was changed."),
        )
