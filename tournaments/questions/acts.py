"""Acts of ``questions``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Shows
from tournaments.core.permissions import can_run_rounds

CHANGED = Act(
    key="answers.changed",
    words=_("Answers changed"),
    may=can_run_rounds,
    player_may=True,
    undo=Never(_("Answers are private, so earlier ones are not kept: change them again.")),
    order=Order.BESIDE,
    writes=("entry/*",),
    shows=Shows.ADDS,
)
