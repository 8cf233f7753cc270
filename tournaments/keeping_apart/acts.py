"""Acts of ``keeping_apart``: its lines of the log, who may write each, how it is undone."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Order, Rows, Shows
from tournaments.core.permissions import can_manage

act = partial(Act, may=can_manage, undo=Rows(), order=Order.BESIDE, shows=Shows.ADDS)
KEPT_APART = act(key="apart.kept", words=_("Two players kept apart"))
ENDED = act(key="apart.ended", words=_("Two players may meet again"))
