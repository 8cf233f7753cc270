"""Acts of ``events``: its lines of the log, who may write each, how it is undone."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Inverse, Never, Order, Rows, Shows
from tournaments.core.permissions import can_manage

act = partial(Act, may=can_manage, undo=Rows(), shows=Shows.ADDS)
CREATED = act(
    key="event.created",
    words=_("Event created"),
    undo=Never(_("A created event stays: hide it from event listings in its settings.")),
    may=None,
)
CHANGED = act(
    key="event.changed",
    words=_("Settings changed"),
    of_settings=True,
    undo=Inverse("tournaments.events.inverses.undo_settings"),
    shows=Shows.TAKES_AWAY,
)
TABLES_MOVED = act(
    key="round.tables_moved",
    words=_("Tables changed, and those of draft and players with them"),
    of_settings=True,
    undo=Inverse("tournaments.events.inverses.undo_settings"),
)
OTHER_ROOMS = act(
    key="event.other_rooms",
    words=_("Said to be in other rooms than events with the same tables"),
    order=Order.BESIDE,
)
REGISTRATION_OPENED = act(
    key="event.open_registration",
    words=_("Registration opened"),
    state="open_registration",
    ask_undo=_("Unpublish the event? Only the staff see it and its players."),
    type_undo="tournaments.events.inverses.name_if_entered",
)
REGISTRATION_CLOSED = act(
    key="event.close_registration", words=_("Registration closed"), state="close_registration"
)
FINISHED = act(
    key="event.finish",
    words=_("Event finished"),
    state="finish",
    ask_undo=_("Reopen the event? Podium and transcript are hidden until it is finished again."),
    ask_redo=_("Finish the event? You can open it again."),
)
REOPENED = act(
    key="event.reopen",
    words=_("Event opened again"),
    state="reopen",
    shows=Shows.TAKES_AWAY,
    ask_redo=_("Reopen the event? Podium and transcript are hidden until it is finished again."),
)
