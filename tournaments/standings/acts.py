"""Acts of ``standings``: its lines of the log, who may write each, how it is undone."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Shows
from tournaments.core.permissions import can_manage

RELEASED = Act(
    key="standings.released",
    words=_("Standings released"),
    may=can_manage,
    undo=Never(_("Everybody may have read them: hold the next ones back.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
