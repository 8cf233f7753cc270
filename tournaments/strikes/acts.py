"""Acts of ``strikes``: its lines of the log, who may write each, how it is undone."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Rows, Shows
from tournaments.core.permissions import can_manage

act = partial(
    Act,
    may=can_manage,
    state="play",
    undo=Rows(),
    shows=Shows.TAKES_AWAY,
)
STRUCK = act(key="entry.struck", words=_("Matches struck"))
STRIKE_LIFTED = act(key="entry.strike_lifted", words=_("Striking taken back"))
