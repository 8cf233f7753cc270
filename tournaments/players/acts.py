"""Acts of ``players``."""

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import RESULT, Act, Inverse, Never, Order, Rows, Shows
from tournaments.core.permissions import can_manage, can_rule, can_run_rounds, is_staff

ADDED = Act(
    key="entry.added",
    words=_("Player added"),
    may=can_run_rounds,
    state="add_player",
    undo=Inverse("tournaments.players.inverses.undo_entries"),
    order=Order.BEFORE_START,
    writes=("+entry/*",),
    shows=Shows.ADDS,
)
ADDED_LATE = Act(
    key="entry.added_late",
    words=_("Player entered late"),
    may=can_run_rounds,
    undo=Rows(),
    writes=(
        "+entry/*",
        "entry/*: status",
        "event: plan",
        "stage/*: groups",
        "+round/*/match/*",
    ),
    shows=Shows.ADDS,
)
PASTED = Act(
    key="entry.pasted",
    words=_("Players added from a list"),
    may=can_run_rounds,
    state="add_player",
    undo=Inverse("tournaments.players.inverses.undo_entries"),
    order=Order.BEFORE_START,
    writes=("+entry/*",),
    shows=Shows.ADDS,
)
REGISTERED = Act(
    key="entry.registered",
    words=_("Player registered"),
    state="register",
    undo=Inverse("tournaments.players.inverses.undo_entries"),
    order=Order.BEFORE_START,
    writes=("+entry/*",),
    shows=Shows.ADDS,
)
CHANGED = Act(
    key="entry.changed",
    words=_("Player changed"),
    may=can_run_rounds,
    undo=Inverse("tournaments.players.inverses.undo_change"),
    writes=("entry/*: seed",),
    shows=Shows.TAKES_AWAY,
)
SEEDS_CHANGED = Act(
    key="entry.seeds",
    words=_("Seed positions changed"),
    may=can_run_rounds,
    state="add_player",
    undo=Rows(),
    order=Order.BEFORE_START,
    writes=("entry/*: seed",),
    shows=Shows.TAKES_AWAY,
)
REMOVED = Act(
    key="entry.removed",
    words=_("Player removed"),
    may=can_manage,
    state="add_player",
    undo=Rows(),
    order=Order.BEFORE_START,
    writes=("-entry/*", "apart"),
    shows=Shows.TAKES_AWAY,
)
PROMOTED = Act(
    key="entry.promoted",
    words=_("Moved up from the waiting list"),
    undo=Never(_("Places are given by rule; take back what made the place free.")),
    order=Order.BEFORE_START,
    writes=("entry/*: status", "-entry/*"),
    shows=Shows.ADDS,
)
LET_IN = Act(
    key="entry.let_in",
    words=_("Let in from the waiting list"),
    may=can_run_rounds,
    state="move_player",
    undo=Rows(),
    order=Order.BEFORE_START,
    writes=("entry/*: status",),
    shows=Shows.ADDS,
)
ASKED_LATER = Act(
    key="entry.asked_later",
    words=_("To be asked later"),
    may=can_run_rounds,
    state="move_player",
    undo=Rows(),
    order=Order.BEFORE_START,
    writes=("entry/*",),
    shows=Shows.ADDS,
)
CHECKED_IN = Act(
    key="entry.check_in",
    words=_("Checked in"),
    may=is_staff,
    player_may=True,
    state="move_player",
    undo=Inverse("tournaments.players.inverses.undo_check_in"),
    order=Order.BEFORE_START,
    writes=("entry/*: status",),
    shows=Shows.ADDS,
)
CHECK_IN_UNDONE = Act(
    key="entry.undo_check_in",
    words=_("Check-in undone"),
    may=is_staff,
    player_may=True,
    state="move_player",
    undo=Inverse("tournaments.players.inverses.undo_check_in"),
    order=Order.BEFORE_START,
    writes=("entry/*: status",),
    shows=Shows.ADDS,
)
WITHDRAWN = Act(
    key="entry.withdraw",
    words=_("Withdrawn"),
    may=can_run_rounds,
    player_may=True,
    state="move_player",
    undo=Rows(),
    writes=("entry/*: status", RESULT),
    shows=Shows.ADDS,
)
DISQUALIFIED = Act(
    key="entry.disqualify",
    words=_("Disqualified"),
    may=can_rule,
    state="move_player",
    undo=Rows(),
    writes=("entry/*: status", RESULT),
    shows=Shows.TAKES_AWAY,
)
RE_ENTERED = Act(
    key="entry.re_enter",
    words=_("Came back"),
    may=can_run_rounds,
    state="move_player",
    undo=Rows(),
    writes=("entry/*: status", "+round/*/match/*"),
    shows=Shows.ADDS,
)
REINSTATED = Act(
    key="entry.reinstate",
    words=_("Disqualification taken back"),
    may=can_rule,
    state="move_player",
    undo=Rows(),
    writes=("entry/*: status", "+round/*/match/*"),
    shows=Shows.TAKES_AWAY,
)
LINK_MADE = Act(
    key="link.made",
    words=_("Personal link made"),
    may=can_manage,
    player_may=True,
    undo=Never(_("The link may be in use: make a new one, or stop it on the player's page.")),
    order=Order.BESIDE,
    writes=("entry/*",),
    shows=Shows.ADDS,
)
LINKS_MADE = Act(
    key="links.made",
    words=_("Personal links made for all"),
    may=can_manage,
    undo=Never(_("The links may be in use: stop one on the player's page.")),
    order=Order.BESIDE,
    writes=("entry/*",),
    shows=Shows.ADDS,
)
LINK_REVOKED = Act(
    key="link.revoked",
    words=_("Personal link revoked"),
    may=can_manage,
    undo=Never(_("A link that was stopped stays so: make a new one.")),
    order=Order.BESIDE,
    shows=Shows.ADDS,
)
ANSWERS_CHANGED = Act(
    key="answers.changed",
    words=_("Answers changed"),
    may=can_run_rounds,
    player_may=True,
    undo=Never(_("Answers are private, so earlier ones are not kept: change them again.")),
    order=Order.BESIDE,
    writes=("entry/*",),
    shows=Shows.ADDS,
)
