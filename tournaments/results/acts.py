"""Acts of ``results``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import RESULT, Act, Inverse, Never, Shows
from tournaments.core.permissions import can_enter_results

BY_PLAYER = Never(_("A player said this: enter or correct the result at the desk instead."))

REPORTED = Act(
    key="result.reported",
    words=_("Result reported"),
    player_may=True,
    state="play",
    undo=BY_PLAYER,
    writes=(RESULT,),
    shows=Shows.ADDS,
)
CONFIRMED = Act(
    key="result.confirmed",
    words=_("Result confirmed"),
    player_may=True,
    state="play",
    undo=BY_PLAYER,
    writes=(RESULT,),
    shows=Shows.ADDS,
)
ENTERED = Act(
    key="result.entered",
    words=_("Result entered"),
    may=can_enter_results,
    state="play",
    undo=Inverse("tournaments.results.inverses.undo_result"),
    writes=(RESULT,),
    shows=Shows.ADDS,
)
CORRECTED = Act(
    key="result.corrected",
    words=_("Result corrected"),
    may=can_enter_results,
    state="play",
    undo=Inverse("tournaments.results.inverses.undo_correction"),
    writes=("round/*/match/*: version, decision, +reports",),
    shows=Shows.ADDS,
)
