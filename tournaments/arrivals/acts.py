"""Acts of ``arrivals``: its lines of the log, who may write each, how it is undone."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Order, Rows, Shows
from tournaments.core.permissions import can_run_rounds, is_staff

act = partial(Act, may=is_staff, state="move_player", undo=Rows(), shows=Shows.ADDS)
CHECKED_IN_MANY = act(
    key="entry.checked_in_many",
    words=_("Players checked in together"),
    order=Order.BEFORE_START,
)
WITHDRAWN_MANY = act(
    key="entry.withdrawn_many",
    words=_("Players withdrawn together"),
    may=can_run_rounds,
    state="add_player",
    order=Order.BEFORE_START,
)
FEE_PAID = act(key="fee.paid", words=_("Fee paid"), order=Order.BESIDE)
FEE_TAKEN_BACK = act(key="fee.taken_back", words=_("Fee not paid after all"), order=Order.BESIDE)
