"""Acts of ``screen``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Shows

PINNED = Act(
    key="screen.pinned",
    words=_("Screen changed"),
    undo=Never(_("Choose at the desk what the screen is to show.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
