"""Acts of ``undo``: its lines of the log, who may write each, how it is undone."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Rows, Shows
from tournaments.core.permissions import can_manage

UNDONE = Act(
    key="act.undone",
    words=_("Undone"),
    may=can_manage,
    undo=Never(_("Do the act again instead.")),
    shows=Shows.TAKES_AWAY,
)
REDONE = Act(
    key="act.redone",
    words=_("Done again"),
    may=can_manage,
    undo=Rows(),
    shows=Shows.TAKES_AWAY,
)
