"""Acts of ``judging``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Rows, Shows
from tournaments.core.permissions import can_judge, is_staff

CALL_MADE = Act(
    key="call.made",
    words=_("Judge called"),
    may=is_staff,
    player_may=True,
    state="play",
    undo=Never(_("A player's call stays; a judge closes it.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
    author_is_closed=True,
)
CALL_TAKEN = Act(
    key="call.taken",
    words=_("Call taken"),
    may=can_judge,
    state="play",
    undo=Never(_("A judge is on the way; the call can be closed.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
CALL_CLOSED = Act(
    key="call.closed",
    words=_("Call closed"),
    may=can_judge,
    undo=Never(_("The player can call again.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
ANNOUNCEMENT_MADE = Act(
    key="announcement.made",
    words=_("Announcement made"),
    may=can_judge,
    state="play",
    undo=Never(_("Everybody may have read it: take it down at the desk.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
ANNOUNCEMENT_ENDED = Act(
    key="announcement.ended",
    words=_("Announcement taken down"),
    may=can_judge,
    undo=Rows(),
    order=Order.BESIDE,
    shows=Shows.TAKES_AWAY,
)
MATCH_RULED = Act(
    key="match.ruled",
    words=_("Ruling written"),
    may=can_judge,
    undo=Rows(),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
MATCH_NOTED = Act(
    key="match.noted",
    words=_("Staff note written"),
    may=is_staff,
    undo=Rows(),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
