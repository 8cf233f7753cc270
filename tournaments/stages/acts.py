"""Acts of ``stages``: its lines of the log, who may write each, how it is undone."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Inverse, Rows, Shows
from tournaments.core.permissions import can_manage, can_run_rounds

CLOSED = Act(
    key="stage.closed",
    words=_("Stage closed"),
    may=can_run_rounds,
    state="play",
    undo=Inverse("tournaments.stages.inverses.undo_closing"),
    shows=Shows.ADDS,
    ask_undo=_("The seats of this stage are removed. Open the stage before again?"),
)
SECOND_LEG_DECIDED = Act(
    key="stage.second_leg",
    words=_("Second leg decided"),
    may=can_run_rounds,
    state="play",
    undo=Inverse("tournaments.stages.inverses.undo_second_leg"),
    shows=Shows.ADDS,
)
TAKEN_BACK = Act(
    key="stage.taken_back",
    words=_("Stage taken back"),
    may=can_manage,
    state="play",
    undo=Rows(),
    shows=Shows.TAKES_AWAY,
    ask_redo=_("The seats of this stage are removed. Open the stage before again?"),
)
