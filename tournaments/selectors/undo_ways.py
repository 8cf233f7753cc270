"""By which way each kind of act is taken back, or why it stays."""

from collections.abc import Mapping

from rules.wording import gettext_noop as _

UNDONE, REDONE, RESTORED = "act.undone", "act.redone", "event.restored"
INVERTED = frozenset(
    {
        *("result.entered", "result.corrected", "round.published", "round.drafted"),
        *("entry.added", "entry.pasted", "entry.registered", "entry.changed"),
        *("entry.check_in", "entry.undo_check_in"),
        *("stage.closed", "stage.second_leg", "event.changed", "clock.add"),
    }
)
"""Acts that what the log says is enough to take back."""
KEPT = frozenset(
    {
        *("event.start", "event.open_registration", "event.close_registration"),
        *("event.finish", "event.reopen"),
        *("entry.added_late", "entry.removed", "entry.seeds"),
        *("entry.withdraw", "entry.disqualify", "entry.re_enter", "entry.reinstate"),
        *("entry.struck", "entry.strike_lifted", "apart.kept", "apart.ended"),
        *("stage.taken_back", "round.taken_back", "round.changed", "round.discarded"),
        *("penalty.given", "penalty.taken_back", "extension.given", "extension.taken_back"),
        *("deck.opened", "deck.closed", "lists.published", "lists.hidden"),
        *("staff.given", "staff.taken", "staff.invited", "staff.accepted"),
        *("announcement.ended", "match.ruled", "match.noted"),
        REDONE,
    }
)
"""Acts whose rows are kept with their line."""
WHY_NOT: Mapping[str, str] = {
    "event.created": _("An event that hasn't started is deleted on its own page."),
    RESTORED: _("Restore the snapshot that was taken before, on the page of snapshots."),
    "event.formula_changed": _("A formula is changed on its own page."),
    "entry.promoted": _("Places are given by rule; take back what made the place free."),
    "person.erased": _("Whoever was erased is not known any more: there is no way back."),
    "link.made": _("The link may be in use: make a new one, or stop it on the player's page."),
    "link.revoked": _("A link that was stopped stays so: make a new one."),
    "staff.revoked": _("An invitation that was taken back stays so: make a new one."),
    "token.made": _("The token may be in use: revoke it on the page of the staff."),
    "token.revoked": _("A token that was revoked stays so: make a new one."),
    "deck.submitted": _("A list that was handed in stays; the player can hand in another one."),
    "deck.kept_aside": _("A list that was handed in stays; the player can hand in another one."),
    "draw.start": _("The order was drawn in public, so it stays on record: draw again."),
    "draw.lots": _("Lots are announced as soon as they are drawn, so a draw stays."),
    "result.reported": _("A player said this: enter or correct the result at the desk instead."),
    "result.confirmed": _("A player said this: enter or correct the result at the desk instead."),
    "check.started": _("A check that was begun is ended as not finished on its own page."),
    "check.finished": _("A finished check stays; its penalty and its minutes can be taken back."),
    "clock.start": _("Time has passed since: the clock has its own buttons to go on or back."),
    "clock.pause": _("Time has passed since: the clock has its own buttons to go on or back."),
    "clock.resume": _("Time has passed since: the clock has its own buttons to go on or back."),
    "clock.reset": _("Time has passed since: the clock has its own buttons to go on or back."),
    "call.made": _("A player's call stays; a judge closes it."),
    "call.taken": _("A judge is on the way; the call can be closed."),
    "call.closed": _("The player can call again."),
    "announcement.made": _("Everybody may have read it: take it down at the desk."),
    UNDONE: _("Do the act again instead."),
}
"""Acts that stay, and why."""
BESIDE_PLAY = frozenset(
    {
        *("announcement", "apart", "call", "check", "clock", "deck", "extension", "link", "lists"),
        *("match", "penalty", "person", "staff", "token"),
    }
)
"""Nouns whose acts stand each by itself: they can go in any order, and others before them."""
BEFORE_START = frozenset(
    {
        *("entry.added", "entry.pasted", "entry.registered", "entry.seeds", "entry.removed"),
        *("entry.check_in", "entry.undo_check_in", "entry.promoted"),
    }
)
"""Acts on players that stand by themselves too, and stay once the event has started."""
WHILE_RUNNING = frozenset({"penalty.given", "penalty.taken_back"})
"""Acts that stand by themselves, but count in the ranking of an event by its criteria."""
