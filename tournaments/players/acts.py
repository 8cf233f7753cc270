"""Acts of ``players``: its lines of the log, who may write each, how it is undone."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, CacheEffect, Inverse, LogTopic, NoUndo, RowUndo, UndoTiming
from tournaments.core.permissions import can_manage, can_rule, can_run_rounds, is_staff

act = partial(
    Act,
    may=can_run_rounds,
    undo=RowUndo(),
    order=UndoTiming.BEFORE_START,
    shows=CacheEffect.ADDS,
)
ADDED = act(
    key="entry.added",
    words=_("Player added"),
    state="add_player",
    undo=Inverse("tournaments.players.inverses.undo_entries"),
)
ADDED_LATE = act(
    key="entry.added_late",
    words=_("Late entry"),
    order=UndoTiming.IN_PLAY,
    tells=(LogTopic.PRESENCE,),
    bound="tournaments.players.inverses.late_entry_undo_obstacle",
)
PASTED = act(
    key="entry.pasted",
    words=_("Players added from a list"),
    state="add_player",
    undo=Inverse("tournaments.players.inverses.undo_entries"),
)
REGISTERED = act(
    key="entry.registered",
    words=_("Registration"),
    state="register",
    undo=Inverse("tournaments.players.inverses.undo_entries"),
    may=None,
)
CHANGED = act(
    key="entry.changed",
    words=_("Player changed"),
    of_settings=True,
    undo=Inverse("tournaments.players.inverses.undo_player_change"),
    shows=CacheEffect.TAKES_AWAY,
    order=UndoTiming.IN_PLAY,
)
SEEDS_CHANGED = act(
    key="entry.seeds",
    words=_("Seed positions changed"),
    state="add_player",
    shows=CacheEffect.TAKES_AWAY,
)
REMOVED = act(
    key="entry.removed",
    words=_("Player removed"),
    may=can_manage,
    state="add_player",
    shows=CacheEffect.TAKES_AWAY,
)
PROMOTED = act(
    key="entry.promoted",
    words=_("From the waiting list"),
    undo=NoUndo(),
    may=None,
)
LET_IN = act(
    key="entry.let_in",
    words=_("From the waiting list"),
    state="move_player",
)
ASKED_LATER = act(key="entry.asked_later", words=_("Ask later"), state="move_player")
CHECKED_IN = act(
    key="entry.check_in",
    words=_("Checked in"),
    may=is_staff,
    player_may=True,
    state="move_player",
    undo=Inverse("tournaments.players.inverses.undo_check_in"),
)
CHECK_IN_UNDONE = act(
    key="entry.undo_check_in",
    words=_("Undo check-in"),
    may=is_staff,
    player_may=True,
    state="move_player",
    undo=Inverse("tournaments.players.inverses.undo_check_in"),
)
moves = partial(act, state="move_player", order=UndoTiming.IN_PLAY, tells=(LogTopic.PRESENCE,))
LEAVES_LATER = moves(key="entry.leaves_later", words=_("Drop after this round"), player_may=True)
WITHDRAWN = moves(key="entry.withdraw", words=_("Dropped"), player_may=True)
DISQUALIFIED = moves(
    key="entry.disqualify",
    words=_("Disqualified"),
    may=can_rule,
    shows=CacheEffect.TAKES_AWAY,
)
RE_ENTERED = moves(
    key="entry.re_enter",
    words=_("Came back"),
    bound="tournaments.players.inverses.late_entry_undo_obstacle",
)
REINSTATED = moves(
    key="entry.reinstate",
    words=_("Disqualification revoked"),
    may=can_rule,
    shows=CacheEffect.TAKES_AWAY,
    bound="tournaments.players.inverses.late_entry_undo_obstacle",
)
LEFT_SAID = act(
    key="entry.left",
    words=_("No-show or drop corrected"),
    order=UndoTiming.BESIDE,
)
RETURN_ASKED = act(
    key="entry.return_asked",
    words=_("Return requested"),
    may=None,
    player_may=True,
    state="move_player",
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
    author_is_closed=True,
)
RETURN_REFUSED = act(
    key="entry.return_refused",
    words=_("Return refused"),
    state="move_player",
    order=UndoTiming.BESIDE,
)
LINK_MADE = act(
    key="link.made",
    words=_("Personal links created"),
    may=can_manage,
    player_may=True,
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
)
LINKS_MADE = act(
    key="links.made",
    words=_("Personal links created"),
    may=can_manage,
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
)
LINK_REVOKED = act(
    key="link.revoked",
    words=_("Personal link revoked"),
    may=can_manage,
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
)
ANSWERS_CHANGED = act(
    key="answers.changed",
    words=_("Answers changed"),
    player_may=True,
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
)
CONTACT_CHANGED = act(
    key="contact.changed",
    words=_("Contact changed"),
    may=can_manage,
    player_may=True,
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
)
