"""Acts of ``arrivals``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Order, Rows, Shows

CHECKED_IN_MANY = Act(
    key="entry.checked_in_many",
    words=_("Players checked in together"),
    undo=Rows(),
    order=Order.BEFORE_START,
    shows=Shows.ADDS,
)
WITHDRAWN_MANY = Act(
    key="entry.withdrawn_many",
    words=_("Players withdrawn together"),
    undo=Rows(),
    order=Order.BEFORE_START,
    shows=Shows.ADDS,
)
FEE_PAID = Act(
    key="fee.paid",
    words=_("Fee paid"),
    undo=Rows(),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
FEE_TAKEN_BACK = Act(
    key="fee.taken_back",
    words=_("Fee not paid after all"),
    undo=Rows(),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
