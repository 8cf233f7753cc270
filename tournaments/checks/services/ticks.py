"""Open deck checks: store ticks, finish with an outcome.

Ticks leave no line in the log; finishing a check does.
"""

from collections.abc import Mapping, Sequence

from django.utils import timezone

from config import transaction
from rules.errors import BadInput, RuleError
from tournaments.checks.acts import CHECK_FINISHED
from tournaments.clock.services import extend_for
from tournaments.core.permissions import Actor, can_judge, require
from tournaments.log.services import begin, record
from tournaments.models import DeckCheck
from tournaments.penalties.services import store_penalty

Outcome = DeckCheck.Outcome
MOST_TICKS = 5000


@transaction.atomic
def tick(
    *, check: DeckCheck, version: int, lines: Sequence[int], points: Sequence[str], by: Actor
) -> DeckCheck:
    """Store the lines and points ticked in an open check, replacing the previous ones.

    ``version`` is the version of the check shown on the page. Raises RuleError ``stale``,
    ``check_finished``.
    """
    require(can_judge(by, check.event))
    check = _locked_check(check, version)
    _store_ticks(check, lines, points)
    check.save(update_fields=["ticked", "points", "version"])
    return check


@transaction.atomic
def tick_some(
    *, check: DeckCheck, lines: Mapping[int, bool], points: Mapping[str, bool], by: Actor
) -> DeckCheck:
    """Tick (True) or untick (False) single lines and points of an open check.

    All others stay as they are by now, so that of two judges nobody undoes the other's ticks, and
    the same ticks may come twice. Raises RuleError ``check_finished``.
    """
    require(can_judge(by, check.event))
    check = _locked_check(check)
    ticked = {*check.ticked, *lines} - {line for line, on in lines.items() if not on}
    seen = {*check.points, *points} - {key for key, on in points.items() if not on}
    _store_ticks(check, tuple(ticked), tuple(seen))
    check.save(update_fields=["ticked", "points", "version"])
    return check


@transaction.atomic
def finish_check(
    *,
    check: DeckCheck,
    version: int | None,
    lines: Sequence[int],
    points: Sequence[str],
    outcome: str,
    note: str = "",
    level: str = "",
    infraction: str = "",
    by: Actor,
) -> DeckCheck:
    """Finish a check with its outcome and extend its table's time.

    Without a ``version`` the ticks stay as they are stored, and lines and points are ignored.
    The outcome ``penalty`` gives the player a penalty of ``level`` for ``infraction``.
    Raises RuleError ``stale``, ``check_finished``; BadInput ``impossible_outcome``,
    ``penalty_without_outcome`` and those of a penalty.
    """
    event = begin(check.event, CHECK_FINISHED, by=by)
    check = _locked_check(check, version)
    check.event = event
    if outcome not in Outcome.values:
        raise BadInput(
            "impossible_outcome", "A check needs an outcome. Nothing was stored: choose one."
        )
    if outcome != Outcome.PENALTY and (level or infraction.strip()):
        raise BadInput(
            "penalty_without_outcome",
            "A penalty is filled in, but the outcome is another one. Nothing was stored: "
            "choose the outcome “Penalty”, or take the penalty out.",
        )
    if version is not None:
        _store_ticks(check, lines, points)
    check.outcome, check.note = outcome, note.strip()[:500]
    check.finished_at = timezone.now()
    check.save(
        update_fields=["ticked", "points", "version", "outcome", "note", "finished_at"],
    )
    if outcome == Outcome.PENALTY:
        store_penalty(event, check.entry, level, infraction, check=check, by=by)
    extend_for(check, by=by)
    record(event, CHECK_FINISHED, by=by, subject=check.entry.name, after={"outcome": outcome})
    return check


def _locked_check(check: DeckCheck, version: int | None = None) -> DeckCheck:
    """Return the check, locked and reloaded.

    Raises RuleError ``stale`` for another version if one is given, ``check_finished``.
    """
    rows = DeckCheck.objects.select_for_update(of=("self",))
    fresh = rows.select_related("event", "entry__event", "match__round", "round").get(pk=check.pk)
    if fresh.finished_at is not None:
        raise RuleError(
            "check_finished", "This check is finished, so it stays as it is. Nothing was stored."
        )
    if version is not None and fresh.version != version:
        raise RuleError(
            "stale",
            "Another judge has changed this check meanwhile. Your change was not stored: look.",
        )
    return fresh


def _store_ticks(check: DeckCheck, lines: Sequence[int], points: Sequence[str]) -> None:
    check.ticked = sorted(set(lines))[:MOST_TICKS]
    check.points = sorted(set(points))[:MOST_TICKS]
    check.version += 1
