"""Acts of ``snapshots``: its lines of the log, who may write each, how it is undone."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Never, Shows
from tournaments.core.permissions import can_manage

RESTORED = Act(
    key="event.restored",
    words=_("Event put back to a snapshot"),
    may=can_manage,
    undo=Never(_("Restore the snapshot that was taken before, on the page of snapshots.")),
    shows=Shows.TAKES_AWAY,
    replaces_rows=True,
)
