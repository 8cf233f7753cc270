"""Give penalties, and remove those given by mistake.

The log records level and player; the note stays with the penalty, as it may name cards.
"""

from django.utils.translation import gettext

from config import transaction
from rules.errors import BadInput, RuleError
from rules.events.lifecycle import next_state
from tournaments.core.permissions import Actor, can_rule, require
from tournaments.log.services import begin
from tournaments.models import DeckCheck, Entry, Event, Match, Penalty, Round
from tournaments.penalties.acts import PENALTY_GIVEN, PENALTY_TAKEN_BACK
from tournaments.players.services.departures import disqualify
from tournaments.undo.services.row_diff import undoable

Level = Penalty.Level


@transaction.atomic
def give_penalty(
    *, entry: Entry, level: str, infraction: str, note: str = "", by: Actor
) -> Penalty:
    """Give a player a penalty, attached to their match of the latest round.

    A disqualification requires organiser or head judge and withdraws the player; a game or match
    loss must be entered as a result separately. ``note`` is visible only to the staff.
    Raises RuleError ``event_not_running``; BadInput ``infraction_missing``,
    ``impossible_penalty``.
    """
    event = begin(entry.event, PENALTY_GIVEN, by=by)
    entry = event.entries.get(pk=entry.pk)
    return store_penalty(event, entry, level, infraction, note=note, by=by)


@transaction.atomic
def take_penalty_back(*, event: Event, penalty_id: int, by: Actor) -> Entry:
    """Remove a penalty given by mistake; permitted to organiser and head judge, and logged.

    Raises RuleError ``event_not_running``, ``penalty_gone``. It does not reinstate a disqualified
    player.
    """
    event = begin(event, PENALTY_TAKEN_BACK, by=by)
    penalty = event.penalties.select_related("entry").filter(pk=penalty_id).first()
    if penalty is None:
        raise RuleError(
            "penalty_gone",
            "This penalty was taken back already. Nothing was changed: load the page again.",
        )
    name, was = penalty.entry.name, {"level": penalty.level}
    with undoable(event, PENALTY_TAKEN_BACK, (Penalty,), by=by, subject=name, before=was):
        penalty.delete()
    return penalty.entry


def store_penalty(
    event: Event,
    entry: Entry,
    level: str,
    infraction: str,
    *,
    note: str = "",
    check: DeckCheck | None = None,
    by: Actor,
) -> Penalty:
    """Store a penalty of a locked event; raises as ``give_penalty``."""
    next_state("event", event.state, "play")
    if level not in Level.values:
        raise BadInput(
            "impossible_penalty", "There is no such penalty. Nothing was stored: choose one."
        )
    if not infraction.strip():
        raise BadInput(
            "infraction_missing",
            "A penalty needs words on what happened. Nothing was stored: write them.",
        )
    require(level != Level.DISQUALIFICATION or can_rule(by, event))
    item, match = (check.round, check.match) if check else last_match(event, entry)
    given = {"level": level}
    with undoable(event, PENALTY_GIVEN, (Penalty,), by=by, subject=entry.name, after=given):
        penalty = Penalty.objects.create(
            event=event,
            entry=entry,
            round=item,
            match=match,
            check_made=check,
            level=level,
            infraction=infraction.strip()[:200],
            note=note.strip()[:500],
            by=by.user,
        )
    if level == Level.DISQUALIFICATION and entry.status != Entry.Status.DISQUALIFIED:
        disqualify(entry=entry, reason=gettext("A penalty was given."), by=by)
        event.refresh_from_db(fields=["version", "head"])
        if check is not None and check.match is not None:
            check.match.refresh_from_db(fields=["state"])
    return penalty


def last_match(event: Event, entry: Entry) -> tuple[Round | None, Match | None]:
    """Return the latest published round and the player's match in it; two queries."""
    item = event.rounds.filter(state=Round.State.PUBLISHED).order_by("-ordinal").first()
    if item is None:
        return None, None
    return item, item.matches.filter(match_seats__entry=entry).first()
