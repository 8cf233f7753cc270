"""Acts of ``undo``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Rows, Shows

UNDONE = Act(
    key="act.undone",
    words=_("Taken back"),
    undo=Never(_("Do the act again instead.")),
    shows=Shows.TAKES_AWAY,
)
REDONE = Act(
    key="act.redone",
    words=_("Done again"),
    undo=Rows(),
    shows=Shows.TAKES_AWAY,
)
