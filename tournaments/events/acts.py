"""Acts of ``events``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Inverse, Never, Rows, Shows
from tournaments.core.permissions import can_manage

CREATED = Act(
    key="event.created",
    words=_("Event created"),
    undo=Never(_("An event is not unmade: take it off the lists in its settings.")),
    writes=("+event", "+apart", "+penalties", "+draw/*"),
    shows=Shows.ADDS,
)
CHANGED = Act(
    key="event.changed",
    words=_("Settings changed"),
    may=can_manage,
    undo=Inverse("tournaments.events.inverses.undo_settings"),
    writes=("event: criteria, points_win, points_draw, points_loss",),
    shows=Shows.TAKES_AWAY,
)
REGISTRATION_OPENED = Act(
    key="event.open_registration",
    words=_("Registration opened"),
    may=can_manage,
    state="open_registration",
    undo=Rows(),
    writes=("event: state",),
    shows=Shows.ADDS,
    ask_undo=_(
        "The event and its players are hidden from everybody but the staff. Take this back?"
    ),
    type_undo="tournaments.events.inverses.name_if_entered",
)
REGISTRATION_CLOSED = Act(
    key="event.close_registration",
    words=_("Registration closed"),
    may=can_manage,
    state="close_registration",
    undo=Rows(),
    writes=("event: state",),
    shows=Shows.ADDS,
)
FINISHED = Act(
    key="event.finish",
    words=_("Event finished"),
    may=can_manage,
    state="finish",
    undo=Rows(),
    writes=("event: state",),
    shows=Shows.ADDS,
    ask_undo=_(
        "Podium and transcript are hidden until the event is finished again. Take this back?"
    ),
    ask_redo=_("Finish the event? You can open it again."),
)
REOPENED = Act(
    key="event.reopen",
    words=_("Event opened again"),
    may=can_manage,
    state="reopen",
    undo=Rows(),
    writes=("event: state",),
    shows=Shows.TAKES_AWAY,
    ask_redo=_(
        "Podium and transcript are hidden until the event is finished again. Take this back?"
    ),
)
