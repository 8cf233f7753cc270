"""Acts of ``standings``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Shows

RELEASED = Act(
    key="standings.released",
    words=_("Standings released"),
    undo=Never(_("Everybody may have read them: hold the next ones back.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
