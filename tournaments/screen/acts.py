"""Acts of ``screen``: its lines of the log, who may write each, how it is undone."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Shows
from tournaments.core.permissions import can_enter_results

PINNED = Act(
    key="screen.pinned",
    words=_("Screen changed"),
    may=can_enter_results,
    undo=Never(_("Choose at the desk what the screen is to show.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
