"""Acts of ``starting``: its lines of the log, who may write each, how it is undone."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Rows, Shows
from tournaments.core.permissions import can_manage

STARTED = Act(
    key="event.start",
    words=_("Event started"),
    may=can_manage,
    state="start",
    undo=Rows(),
    shows=Shows.ADDS,
    ask_undo=_("Seats and stages are removed, and published lists hidden. Take the start back?"),
)
