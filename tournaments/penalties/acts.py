"""Acts of ``penalties``: its lines of the log, who may write each, how it is undone."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Order, Rows, Shows
from tournaments.core.permissions import can_judge, can_rule

act = partial(Act, state="play", undo=Rows(), order=Order.WHILE_RUNNING)
PENALTY_GIVEN = act(key="penalty.given", words=_("Penalty given"), may=can_judge, shows=Shows.ADDS)
MATCH_LOST = act(
    key="penalty.match_lost",
    words=_("Match lost by a penalty"),
    may=can_judge,
    order=Order.IN_PLAY,
    shows=Shows.ADDS,
)
PENALTY_TAKEN_BACK = act(
    key="penalty.taken_back", words=_("Penalty taken back"), may=can_rule, shows=Shows.TAKES_AWAY
)
