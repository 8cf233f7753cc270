"""Requests to come back: a player who has left asks, the staff refuse or take the player back."""

from django.utils import timezone

from config import transaction
from rules.errors import RuleError
from rules.events.lifecycle import next_state
from rules.events.returning import Returning
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.log.services import begin, record
from tournaments.models import Entry
from tournaments.players.acts import RETURN_ASKED, RETURN_REFUSED
from tournaments.players.selectors.returns import returning_of
from tournaments.undo.services.row_diff import undoable


@transaction.atomic
def ask_to_return(*, entry: Entry, by: Actor) -> Entry:
    """Ask the staff to be taken back, as a player who has left; a second time changes nothing.

    Raises RuleError ``event_finished``, ``entry_not_withdrawn``, ``return_refused`` once the staff
    have refused, ``return_not_possible`` where no match is left to play.
    """
    event = begin(entry.event, RETURN_ASKED, by=by, entry=entry)
    entry = event.entries.get(pk=entry.pk)
    next_state("entry", entry.status, "re_enter")
    found = returning_of(load_facts(event, drafts=False), entry)
    if found is Returning.ASKED:
        return entry
    if found is Returning.REFUSED:
        raise RuleError(
            "return_refused",
            "The staff have refused this request already. Nothing was stored: speak to them at "
            "the desk.",
        )
    if found is not Returning.MAY_ASK:
        raise RuleError(
            "return_not_possible",
            "Coming back is not possible any more. Nothing was stored: ask at the desk.",
        )
    entry.return_asked_at = timezone.now()
    entry.save(update_fields=["return_asked_at"])
    record(event, RETURN_ASKED, by=by, subject=entry.name)
    return entry


@transaction.atomic
def refuse_return(*, entry: Entry, by: Actor) -> Entry:
    """Refuse the open request of a player to come back.

    Taking the player back is `departures.come_back`. Raises RuleError ``event_finished``,
    ``return_not_asked``.
    """
    event = begin(entry.event, RETURN_REFUSED, by=by)
    entry = event.entries.get(pk=entry.pk)
    if not entry.asks_back:
        raise RuleError(
            "return_not_asked",
            "No request of this player to come back is open. Nothing was changed: load the page "
            "again.",
        )
    with undoable(event, RETURN_REFUSED, (Entry,), by=by, subject=entry.name) as act:
        entry.return_refused_at = timezone.now()
        entry.save(update_fields=["return_refused_at"])
        act.after = {"number": entry.number}
    return entry
