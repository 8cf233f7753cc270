"""Acts of ``paper``: its lines of the log, who may write each, how it is undone."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Shows

FAILED = Act(
    key="paper.failed",
    words=_("Sheets not written to the folder"),
    undo=Never(_("Print the round from the page of sheets.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
