"""Acts of ``clock``: its lines of the log, who may write each, how it is undone."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Inverse, Never, Order, Rows, Shows
from tournaments.core.permissions import can_judge, can_keep_time

TIME_PASSED = Never(_("Time has passed since: the clock has its own buttons to go on or back."))

act = partial(
    Act, may=can_keep_time, state="play", undo=TIME_PASSED, order=Order.BESIDE, shows=Shows.ADDS
)
EXTENSION_GIVEN = act(
    key="extension.given", words=_("Extra time given"), may=can_judge, undo=Rows()
)
EXTENSION_TAKEN_BACK = act(
    key="extension.taken_back", words=_("Extra time taken back"), may=can_judge, undo=Rows()
)
CLOCK_STARTED = act(key="clock.start", words=_("Clock started"))
CLOCK_PAUSED = act(key="clock.pause", words=_("Clock stopped"))
CLOCK_RESUMED = act(key="clock.resume", words=_("Clock going on"))
CLOCK_EXTENDED = act(
    key="clock.add",
    words=_("Extra time for everybody"),
    undo=Inverse("tournaments.clock.services.undo_minutes"),
)
CLOCK_RESET = act(key="clock.reset", words=_("Clock set back"))
