"""Acts of ``lots``: its lines of the log, who may write each, how it is undone."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Shows
from tournaments.core.permissions import can_manage, can_rule

START_DRAWN = Act(
    key="draw.start",
    words=_("Order of the start drawn"),
    may=can_manage,
    state="start",
    undo=Never(_("The order was drawn in public, so it stays on record: draw again.")),
    shows=Shows.ADDS,
)
LOTS_DRAWN = Act(
    key="draw.lots",
    words=_("Lots drawn"),
    may=can_rule,
    state="draw_lots",
    undo=Never(_("Lots are announced as soon as they are drawn, so a draw stays.")),
    shows=Shows.ADDS,
)
LOTS_CORRECTED = Act(
    key="draw.corrected",
    words=_("Order of lots corrected"),
    may=can_rule,
    state="draw_lots",
    undo=Never(_("An order of lots stays on record: correct it once more.")),
    shows=Shows.TAKES_AWAY,
)
