"""A round with results thrown away, to be paired anew: only by typing its name."""

from config import transaction
from rules.events.lifecycle import after
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor, can_manage, require
from tournaments.log.services import locked
from tournaments.models import Event
from tournaments.selectors.discards import names_of, results_of
from tournaments.services.kept import undoable
from tournaments.services.rounds import check_is_last, delete_round, find_round
from tournaments.services.snapshots import check_typed, take_snapshot


@transaction.atomic
def discard_round(*, event: Event, ordinal: int, confirm: str, by: Actor) -> None:
    """Delete the last round of the open stage with its results; organisers alone.

    ``confirm`` is its name as typed. A snapshot is taken first, and the rows are kept, so that the
    act can be taken back. Raises RuleError ``round_gone``, ``not_last_round``; BadInput
    ``not_confirmed``.
    """
    event = locked(event)
    require(can_manage(by, event))
    after("event", event.state, "play")
    facts, item = load_facts(event), find_round(event, ordinal)
    stage = check_is_last(facts, item)
    check_typed(confirm, *names_of(stage, item))
    take_snapshot(event, "round.discarded", by=by)
    told = results_of(facts, stage, item)
    pairings = [
        [facts.numbers[m.a_id], facts.numbers.get(m.b_id or 0)] for m in stage.matches_of(item)
    ]
    with undoable(
        event,
        "round.discarded",
        by=by,
        subject=str(ordinal),
        before={"pairings": pairings, "results": len(told)},
    ):
        delete_round(item)
