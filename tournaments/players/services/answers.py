"""Store a player's answers to the questions of an event."""

from collections.abc import Mapping

from config import transaction
from rules.events.lifecycle import next_state
from rules.events.questions import checked_answers, questions_of
from tournaments.core.permissions import Actor, can_run_rounds, require
from tournaments.log.services import locked, record
from tournaments.models import Entry
from tournaments.players.acts import ANSWERS_CHANGED
from tournaments.players.services.entries import check_open


@transaction.atomic
def change_answers(*, entry: Entry, answers: Mapping[str, object], by: Actor) -> Entry:
    """Store a player's answers: by the player while registration is open, else by the staff.

    The staff may leave required questions open, as somebody who was pasted has answered none.
    The log does not hold the answers. Raises BadInput ``answer_missing``,
    ``bad_answer``; RuleError if registration is not open, ``event_finished``.
    """
    event = locked(entry.event)
    of_staff = can_run_rounds(by, event)
    require(of_staff or by.is_entry(entry))
    if of_staff:
        next_state("event", event.state, "move_player")
    else:
        check_open(event)
    entry = event.entries.get(pk=entry.pk)
    checked = checked_answers(questions_of(event.questions), answers, complete=not of_staff)
    if checked != entry.answers:
        entry.answers = checked
        entry.save(update_fields=["answers"])
        after = {"number": entry.number}
        record(event, ANSWERS_CHANGED, by=by, subject=entry.name, after=after)
    return entry
