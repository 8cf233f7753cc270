"""Acts of ``staff``: its lines of the log, who may write each, how it is undone."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Order, Rows, Shows
from tournaments.core.permissions import can_manage

act = partial(Act, may=can_manage, undo=Rows(), order=Order.BESIDE, shows=Shows.ADDS)
STAFF_GIVEN = act(key="staff.given", words=_("Role given"))
STAFF_TAKEN = act(key="staff.taken", words=_("Role taken away"))
STAFF_INVITED = act(key="staff.invited", words=_("Invited to the staff"))
STAFF_ACCEPTED = act(key="staff.accepted", words=_("Invitation accepted"), may=None)
STAFF_REVOKED = act(
    key="staff.revoked",
    words=_("Invitation taken back"),
    undo=Never(_("An invitation that was taken back stays so: make a new one.")),
)
TOKEN_MADE = act(
    key="token.made",
    words=_("API token made"),
    undo=Never(_("The token may be in use: revoke it on the page of the staff.")),
)
TOKEN_REVOKED = act(
    key="token.revoked",
    words=_("API token revoked"),
    undo=Never(_("A token that was revoked stays so: make a new one.")),
)
