"""Acts of ``strikes``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import RESULT, Act, Rows, Shows
from tournaments.core.permissions import can_manage

STRUCK = Act(
    key="entry.struck",
    words=_("Matches struck"),
    may=can_manage,
    state="play",
    undo=Rows(),
    writes=("stage/*: groups", RESULT),
    shows=Shows.TAKES_AWAY,
)
STRIKE_LIFTED = Act(
    key="entry.strike_lifted",
    words=_("Striking taken back"),
    may=can_manage,
    state="play",
    undo=Rows(),
    writes=("stage/*: groups", RESULT),
    shows=Shows.TAKES_AWAY,
)
