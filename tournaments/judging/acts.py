"""Acts of ``judging``: its lines of the log, who may write each, how it is undone."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Rows, Shows
from tournaments.core.permissions import can_judge, is_staff

act = partial(Act, may=can_judge, undo=Rows(), order=Order.BESIDE, shows=Shows.ADDS)
CALL_MADE = act(
    key="call.made",
    words=_("Judge called"),
    may=is_staff,
    player_may=True,
    state="play",
    undo=Never(_("A player's call stays; a judge closes it.")),
    author_is_closed=True,
)
CALL_TAKEN = act(
    key="call.taken",
    words=_("Call taken"),
    state="play",
    undo=Never(_("A judge is on the way; the call can be closed.")),
)
CALL_CLOSED = act(
    key="call.closed", words=_("Call closed"), undo=Never(_("The player can call again."))
)
ANNOUNCEMENT_MADE = act(
    key="announcement.made",
    words=_("Announcement made"),
    state="play",
    undo=Never(_("Everybody may have read it: take it down at the desk.")),
)
ANNOUNCEMENT_ENDED = act(
    key="announcement.ended", words=_("Announcement taken down"), shows=Shows.TAKES_AWAY
)
MATCH_RULED = act(key="match.ruled", words=_("Ruling written"))
MATCH_NOTED = act(key="match.noted", words=_("Staff note written"), may=is_staff)
