"""Release standings that are held back."""

from django.utils.translation import gettext_lazy as _

from config import transaction
from rules.errors import RuleError
from tournaments.core.acts import Act, CacheEffect, NoUndo, UndoTiming
from tournaments.core.event_state import (
    load_facts,
    no_withheld_standings_error,
    store_withheld_stage,
)
from tournaments.core.permissions import Actor, can_manage
from tournaments.log.services import begin_act, record
from tournaments.models import Event

RELEASED = Act(
    key="standings.released",
    words=_("Standings released"),
    may=can_manage,
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
    shows=CacheEffect.ADDS,
)


@transaction.atomic
def release_standings(*, event: Event, expected_round: int, by: Actor) -> Event:
    """Publish the standings up to the latest round, and return the event.

    ``expected_round`` is the number of the latest round that the page displayed. Raises RuleError
    ``nothing_held``, ``another_round``.
    """
    event = begin_act(event, RELEASED, by=by)
    facts = load_facts(event, for_staff=False)
    if not any(stage.held for stage in facts.stages):
        raise no_withheld_standings_error()
    if facts.last_ordinal != expected_round:
        raise RuleError(
            "another_round",
        )
    before = {"round": event.standings_released or 0}
    event.standings_released = expected_round
    event.save(update_fields=["standings_released"])
    store_withheld_stage(event, None)
    record(
        event,
        RELEASED,
        by=by,
        subject=str(expected_round),
        before=before,
        after={"round": expected_round},
    )
    return event
