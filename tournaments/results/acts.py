"""Acts of ``results``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Inverse, Never, Shows

REPORTED = Act(
    key="result.reported",
    words=_("Result reported"),
    undo=Never(_("A player said this: enter or correct the result at the desk instead.")),
    shows=Shows.ADDS,
)
CONFIRMED = Act(
    key="result.confirmed",
    words=_("Result confirmed"),
    undo=Never(_("A player said this: enter or correct the result at the desk instead.")),
    shows=Shows.ADDS,
)
ENTERED = Act(
    key="result.entered",
    words=_("Result entered"),
    undo=Inverse("tournaments.undo.services.inverses.undo_result"),
    shows=Shows.ADDS,
)
CORRECTED = Act(
    key="result.corrected",
    words=_("Result corrected"),
    undo=Inverse("tournaments.undo.services.inverses.undo_correction"),
    shows=Shows.ADDS,
)
