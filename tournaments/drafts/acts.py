"""Acts of ``drafts``: its lines of the log, who may write each, how it is undone."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Rows, Shows
from tournaments.core.permissions import can_run_rounds

CHANGED = Act(
    key="round.changed",
    words=_("Pairings changed by hand"),
    may=can_run_rounds,
    state="play",
    undo=Rows(),
    shows=Shows.TAKES_AWAY,
)
