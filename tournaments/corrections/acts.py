"""Acts of ``corrections``: its lines of the log, who may write each, how it is undone.

What is kept is ``results.acts.CORRECTED``.
"""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Rows, Shows
from tournaments.core.permissions import can_manage, can_rule

act = partial(Act, state="play", undo=Rows(), shows=Shows.TAKES_AWAY)
FOLLOWED = act(
    key="correction.followed",
    words=_("Corrected: seats and matches given to who belongs there"),
    may=can_rule,
    writes=(
        "stage/*: places, groups",
        "round/*/match/*: a, b, seats, earlier, state, version, decision, +reports",
    ),
)
TAKEN_BACK = act(
    key="correction.taken_back",
    words=_("Corrected: what was made from the error taken back"),
    may=can_manage,
    writes=(
        "event",
        "stage/*: state, places, groups, opened_at, closed_at",
        "-round/*",
        "-round/*/match/*",
        "+round/*/match/*",
        "round/*/match/*: version, decision, +reports",
    ),
    ask_redo=_("The rounds go again with their results. Take them back?"),
    type_redo="tournaments.corrections.inverses.names_if_played",
)
