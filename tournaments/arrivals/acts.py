"""Acts of ``arrivals``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Order, Rows, Shows
from tournaments.core.permissions import can_run_rounds, is_staff

CHECKED_IN_MANY = Act(
    key="entry.checked_in_many",
    words=_("Players checked in together"),
    may=is_staff,
    state="move_player",
    undo=Rows(),
    order=Order.BEFORE_START,
    writes=("entry/*: status",),
    shows=Shows.ADDS,
)
WITHDRAWN_MANY = Act(
    key="entry.withdrawn_many",
    words=_("Players withdrawn together"),
    may=can_run_rounds,
    state="add_player",
    undo=Rows(),
    order=Order.BEFORE_START,
    writes=("entry/*: status",),
    shows=Shows.ADDS,
)
FEE_PAID = Act(
    key="fee.paid",
    words=_("Fee paid"),
    may=is_staff,
    state="move_player",
    undo=Rows(),
    order=Order.BESIDE,
    writes=("entry/*",),
    shows=Shows.ADDS,
)
FEE_TAKEN_BACK = Act(
    key="fee.taken_back",
    words=_("Fee not paid after all"),
    may=is_staff,
    state="move_player",
    undo=Rows(),
    order=Order.BESIDE,
    writes=("entry/*",),
    shows=Shows.ADDS,
)
