"""Acts of ``clock``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Inverse, Never, Order, Rows, Shows
from tournaments.core.permissions import can_judge, can_keep_time

TIME_PASSED = Never(_("Time has passed since: the clock has its own buttons to go on or back."))

EXTENSION_GIVEN = Act(
    key="extension.given",
    words=_("Extra time given"),
    may=can_judge,
    state="play",
    undo=Rows(),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
EXTENSION_TAKEN_BACK = Act(
    key="extension.taken_back",
    words=_("Extra time taken back"),
    may=can_judge,
    state="play",
    undo=Rows(),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
CLOCK_STARTED = Act(
    key="clock.start",
    words=_("Clock started"),
    may=can_keep_time,
    state="play",
    undo=TIME_PASSED,
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
CLOCK_PAUSED = Act(
    key="clock.pause",
    words=_("Clock stopped"),
    may=can_keep_time,
    state="play",
    undo=TIME_PASSED,
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
CLOCK_RESUMED = Act(
    key="clock.resume",
    words=_("Clock going on"),
    may=can_keep_time,
    state="play",
    undo=TIME_PASSED,
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
CLOCK_EXTENDED = Act(
    key="clock.add",
    words=_("Extra time for everybody"),
    may=can_keep_time,
    state="play",
    undo=Inverse("tournaments.clock.services.undo_minutes"),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
CLOCK_RESET = Act(
    key="clock.reset",
    words=_("Clock set back"),
    may=can_keep_time,
    state="play",
    undo=TIME_PASSED,
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
