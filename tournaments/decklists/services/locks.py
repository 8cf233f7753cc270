"""The lock of lists: opening and closing a player's list, and what the lock permits."""

from datetime import datetime

from django.utils import timezone

from config import transaction
from rules.errors import BadInput, RuleError
from tournaments.core.permissions import Actor
from tournaments.decklists.acts import DECK_CLOSED, DECK_OPENED
from tournaments.decklists.selectors.locks import decklists_locked, in_grace
from tournaments.log.services import begin
from tournaments.models import Entry, Event
from tournaments.undo.services.row_diff import undoable


@transaction.atomic
def open_list(*, entry: Entry, until: datetime, reason: str, by: Actor) -> Entry:
    """Permit one player to hand in a list until a moment, regardless of deadline and start.

    Raises RuleError ``decklists_off``, ``event_finished``; BadInput ``reason_missing``,
    ``until_past``.
    """
    event = begin(entry.event, DECK_OPENED, by=by)
    entry = event.entries.get(pk=entry.pk)
    if event.decklists == Event.Decklists.OFF:
        raise RuleError("decklists_off", "This event collects no decklists. Nothing was stored.")
    if event.state == Event.State.FINISHED:
        raise RuleError("event_finished", "The event is finished. Nothing was changed.")
    if not reason.strip():
        raise BadInput(
            "reason_missing", "Opening a list needs a reason. Nothing was changed: give one."
        )
    if until <= timezone.now():
        raise BadInput(
            "until_past", "This moment is over already. Nothing was changed: choose a later one."
        )
    with undoable(
        event,
        DECK_OPENED,
        (Entry,),
        by=by,
        subject=entry.name,
        before={"until": in_event_time(event, entry.deck_open_until)},
        after={"number": entry.number, "until": in_event_time(event, until)},
        reason=reason.strip(),
    ):
        entry.deck_open_until = until
        entry.save(update_fields=["deck_open_until"])
    return entry


@transaction.atomic
def close_list(*, entry: Entry, by: Actor) -> Entry:
    """Close a list opened for one player; raises RuleError ``list_not_open``."""
    event = begin(entry.event, DECK_CLOSED, by=by)
    entry = event.entries.get(pk=entry.pk)
    if not in_grace(event, entry):
        raise RuleError(
            "list_not_open", "This list is not open for the player by itself. Nothing was changed."
        )
    before = {"until": in_event_time(event, entry.deck_open_until)}
    with undoable(event, DECK_CLOSED, (Entry,), by=by, subject=entry.name, before=before):
        entry.deck_open_until = None
        entry.save(update_fields=["deck_open_until"])
    return entry


def reason_that_holds(
    event: Event, entry: Entry, reason: str, now: datetime, *, staff: bool
) -> str:
    """Return the reason to store with a submission; raises if it is not permitted now.

    Raises RuleError ``decklists_off``, ``deck_locked``; BadInput ``reason_missing``. A player's
    submission after the lock gets the reason for which the list was opened.
    """
    if event.decklists == Event.Decklists.OFF:
        raise RuleError("decklists_off", "This event collects no decklists. Nothing was stored.")
    if not decklists_locked(event, now):
        return reason
    if staff:
        if not reason:
            raise BadInput(
                "reason_missing",
                "Decklists are locked, so a change needs a reason. Nothing was stored: give one.",
            )
        return reason
    if not in_grace(event, entry, now):
        raise RuleError(
            "deck_locked",
            "Decklists are locked. Nothing was stored: a judge can still change yours.",
        )
    return _opening_reason(event, entry)


def _opening_reason(event: Event, entry: Entry) -> str:
    """Return the reason of the last opening of an entry's list; one query."""
    lines = event.log.filter(action="deck.opened", after__number=entry.number)
    line = lines.order_by("-number").first()
    return line.reason if line else ""


def in_event_time(event: Event, moment: datetime | None) -> str | None:
    """Return a moment in the log's format: the event's local time with its UTC offset."""
    return moment.astimezone(event.zone).isoformat(timespec="minutes") if moment else None
