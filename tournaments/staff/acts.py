"""Acts of ``staff``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Rows, Shows
from tournaments.core.permissions import can_manage

STAFF_GIVEN = Act(
    key="staff.given",
    words=_("Role given"),
    may=can_manage,
    undo=Rows(),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
STAFF_TAKEN = Act(
    key="staff.taken",
    words=_("Role taken away"),
    may=can_manage,
    undo=Rows(),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
STAFF_INVITED = Act(
    key="staff.invited",
    words=_("Invited to the staff"),
    may=can_manage,
    undo=Rows(),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
STAFF_ACCEPTED = Act(
    key="staff.accepted",
    words=_("Invitation accepted"),
    undo=Rows(),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
STAFF_REVOKED = Act(
    key="staff.revoked",
    words=_("Invitation taken back"),
    may=can_manage,
    undo=Never(_("An invitation that was taken back stays so: make a new one.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
TOKEN_MADE = Act(
    key="token.made",
    words=_("API token made"),
    may=can_manage,
    undo=Never(_("The token may be in use: revoke it on the page of the staff.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
TOKEN_REVOKED = Act(
    key="token.revoked",
    words=_("API token revoked"),
    may=can_manage,
    undo=Never(_("A token that was revoked stays so: make a new one.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
