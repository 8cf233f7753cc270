"""Acts of ``penalties``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Order, Rows, Shows
from tournaments.core.permissions import can_judge, can_rule

PENALTY_GIVEN = Act(
    key="penalty.given",
    words=_("Penalty given"),
    may=can_judge,
    state="play",
    undo=Rows(),
    order=Order.WHILE_RUNNING,
    writes=("penalties",),
    shows=Shows.ADDS,
)
PENALTY_TAKEN_BACK = Act(
    key="penalty.taken_back",
    words=_("Penalty taken back"),
    may=can_rule,
    state="play",
    undo=Rows(),
    order=Order.WHILE_RUNNING,
    writes=("penalties",),
    shows=Shows.TAKES_AWAY,
)
