"""Acts of ``drafts``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Rows, Shows

CHANGED = Act(
    key="round.changed",
    words=_("Pairings changed by hand"),
    undo=Rows(),
    shows=Shows.TAKES_AWAY,
)
