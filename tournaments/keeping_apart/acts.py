"""Acts of ``keeping_apart``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Order, Rows, Shows
from tournaments.core.permissions import can_manage

KEPT = Act(
    key="apart.kept",
    words=_("Two players kept apart"),
    may=can_manage,
    undo=Rows(),
    order=Order.BESIDE,
    writes=("apart",),
    shows=Shows.ADDS,
)
ENDED = Act(
    key="apart.ended",
    words=_("Two players may meet again"),
    may=can_manage,
    undo=Rows(),
    order=Order.BESIDE,
    writes=("apart",),
    shows=Shows.ADDS,
)
