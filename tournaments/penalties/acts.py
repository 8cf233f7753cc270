"""Acts of ``penalties``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Order, Rows, Shows

PENALTY_GIVEN = Act(
    key="penalty.given",
    words=_("Penalty given"),
    undo=Rows(),
    order=Order.WHILE_RUNNING,
    shows=Shows.ADDS,
)
PENALTY_TAKEN_BACK = Act(
    key="penalty.taken_back",
    words=_("Penalty taken back"),
    undo=Rows(),
    order=Order.WHILE_RUNNING,
    shows=Shows.TAKES_AWAY,
)
