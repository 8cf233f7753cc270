"""Acts of ``lots``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Shows

START_DRAWN = Act(
    key="draw.start",
    words=_("Order of the start drawn"),
    undo=Never(_("The order was drawn in public, so it stays on record: draw again.")),
    shows=Shows.ADDS,
)
LOTS_DRAWN = Act(
    key="draw.lots",
    words=_("Lots drawn"),
    undo=Never(_("Lots are announced as soon as they are drawn, so a draw stays.")),
    shows=Shows.ADDS,
)
