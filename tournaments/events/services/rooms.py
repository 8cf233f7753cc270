"""Say once that events with the same tables are in different rooms."""

from config import transaction
from tournaments.core.permissions import Actor
from tournaments.events.acts import OTHER_ROOMS
from tournaments.events.selectors.table_clashes import events_with_same_tables
from tournaments.log.services import begin
from tournaments.models import Event
from tournaments.undo.services.row_diff import undoable


@transaction.atomic
def say_other_rooms(*, event: Event, by: Actor) -> None:
    """Remember that the events with tables of this one are in other rooms; by the organiser.

    It holds for both of each pair, whoever sees them. Nothing is stored without such events.
    """
    event = begin(event, OTHER_ROOMS, by=by)
    others = {other.pk for other, _tables in events_with_same_tables(event).clashes}
    if others:
        with undoable(event, OTHER_ROOMS, (Event,), by=by, subject=event.name):
            event.other_rooms = sorted({*event.other_rooms, *others})
            event.save(update_fields=["other_rooms"])
