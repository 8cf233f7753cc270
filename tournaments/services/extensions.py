"""Minutes that a table may play longer: given by a judge, or owed for a deck check."""

from django.utils import timezone

from config import transaction
from rules.errors import BadInput, RuleError
from rules.events.deck_checks import MOST_MINUTES
from rules.events.lifecycle import after
from rules.wording import gettext_noop as _
from tournaments.core.permissions import Actor, can_judge, require
from tournaments.log.services import locked
from tournaments.models import DeckCheck, Event, Match, Round, TimeExtension
from tournaments.selectors.extensions import minutes_due
from tournaments.services.kept import undoable
from tournaments.services.matches import locked_match


@transaction.atomic
def extend(*, match: Match, minutes: int, reason: str, by: Actor) -> TimeExtension:
    """Give a table extra minutes by hand; ``minutes`` from 1 to 60.

    Raises BadInput ``impossible_minutes``, ``reason_missing``; RuleError ``match_final``.
    """
    match = locked_match(match)
    event = match.round.event
    require(can_judge(by, event))
    after("event", event.state, "play")
    if match.state == Match.State.FINAL or match.round.state != Round.State.PUBLISHED:
        raise RuleError(
            "match_final",
            _("This table is not playing, so it needs no time. Nothing was stored."),
        )
    if not 1 <= minutes <= MOST_MINUTES:
        raise BadInput(
            "impossible_minutes",
            _("Extra minutes are from 1 to %(most)s. Nothing was stored: change the number."),
            most=MOST_MINUTES,
        )
    if not reason.strip():
        raise BadInput(
            "reason_missing", _("Extra minutes need a reason. Nothing was stored: give one.")
        )
    return _give(match, minutes, reason.strip()[:200], None, by=by)


@transaction.atomic
def take_extension_back(*, event: Event, extension_id: int, by: Actor) -> Match:
    """Take minutes back that a table was given by mistake; return its match.

    Raises RuleError ``extension_gone``.
    """
    event = locked(event)
    require(can_judge(by, event))
    after("event", event.state, "play")
    found = TimeExtension.objects.select_related("match__round", "match__a", "match__b")
    extension = found.filter(match__round__event=event, pk=extension_id).first()
    if extension is None:
        raise RuleError(
            "extension_gone",
            _("These minutes were taken back already. Nothing was changed: load the page again."),
        )
    match, was = extension.match, {"minutes": extension.minutes}
    with undoable(
        event, "extension.taken_back", (TimeExtension,), by=by, subject=_where(match), before=was
    ):
        extension.delete()
    return match


def extend_for(check: DeckCheck, *, by: Actor) -> TimeExtension | None:
    """Give the table of a check just finished what it is owed, unless its match is over.

    The event must be locked by this transaction.
    """
    minutes = minutes_due(check, check.finished_at or timezone.now())
    if check.match is None or not minutes:
        return None
    check.match.round.event = check.event
    return _give(check.match, minutes, "", check, by=by)


def _give(
    match: Match, minutes: int, reason: str, check: DeckCheck | None, *, by: Actor
) -> TimeExtension:
    event = match.round.event
    with undoable(
        event,
        "extension.given",
        (TimeExtension,),
        by=by,
        subject=_where(match),
        after={"minutes": minutes},
        reason=reason,
    ):
        return TimeExtension.objects.create(
            match=match, minutes=minutes, reason=reason, check_made=check, by=by.user
        )


def _where(match: Match) -> str:
    return f"{match.round.ordinal}/{match.table or match.number}: {match.a} – {match.b}"
