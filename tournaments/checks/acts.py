"""Acts of ``checks``: its lines of the log, who may write each, how it is undone."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Shows
from tournaments.core.permissions import can_judge

CHECK_STARTED = Act(
    key="check.started",
    words=_("Deck check begun"),
    may=can_judge,
    state="play",
    undo=Never(_("A check that was begun is ended as not finished on its own page.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
CHECK_FINISHED = Act(
    key="check.finished",
    words=_("Deck check finished"),
    may=can_judge,
    undo=Never(_("A finished check stays; its penalty and its minutes can be taken back.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
