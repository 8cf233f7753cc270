"""A round with a clock, as the journeys of the clock find it, and hardly any time left of it."""

from typing import Any

from django.db import transaction

from tests import factories as make
from tournaments.clock.services import CLOCK_EXTENDED
from tournaments.core.clocks import clock_from_row, current_moment
from tournaments.core.permissions import Actor
from tournaments.log.services import lock_event, record
from tournaments.models import RoundClock
from tournaments.players.services import entries


def prepared() -> dict[str, Any]:
    """Make a round of four players; return the event, a match, its judge and a player's link."""
    by = make.organiser()
    event = make.started(by, 4, starts_at=make.EVENT["starts_at"])
    match = make.next_round(event, by).matches.get(table=1)
    return {
        "slug": event.slug,
        "match": match.pk,
        "judge": make.staff(event).user.email,
        "token": entries.make_link(entry=match.players[0], by=by),
    }


@transaction.atomic
def nearly_over(seconds: int) -> None:
    """Use up the time of the only clock, but for some seconds.

    Nothing moves a clock without a line in the log, which tells pages that it did.
    """
    row = RoundClock.objects.select_related("round__event").get()
    row.used += clock_from_row(row, 50).left(current_moment()) - seconds
    row.save()
    event = lock_event(row.round.event)
    record(
        event, CLOCK_EXTENDED, by=Actor(user=event.created_by), subject="1", after={"minutes": 1}
    )
