"""What each act may write, version 2 of the laws: this program's own copy.

A transcript brings the laws that it was written under, and is judged by these, so that a forged
one can't bring its own. Patterns of places: "entry/*: status" lets this column change, "+reports"
in place of a column lets that list grow, "entry/*" alone tells a place anew though nothing that
counts changes; "+round/*" lets a place come, "-round/*" lets it go. ``HELD`` is the fourth law.
"""

VERSION = 2
"""The version of the laws that these are; a pattern that changes makes another."""
COUNTED = {
    "event": (
        *("state", "plan", "criteria", "points_win", "points_draw", "points_loss"),
        "table_points",
    ),
    "entry/*": ("status", "seed"),
}
"""The columns that count, of places that have others too; of all other places every column."""
HELD = ("held",)
NOTHING = ()
EVENT = ("event",)
PLAYER = ("entry/*",)
STATUS = ("entry/*: status",)
SEED = ("entry/*: seed",)
NEW_PLAYERS = ("+entry/*",)
APART = ("apart",)
PENALTIES = ("penalties",)
STATE = ("event: state",)
RESULT = "round/*/match/*: state, version, decision, +reports"
SETTINGS = "event: criteria, points_win, points_draw, points_loss, table_points"
PLAN = "event: plan"
MATCHES_COME = "+round/*/match/*"
MATCHES_GO = "-round/*/match/*"
DRAW = "draw/*: state, kind, fingerprint, seed, by_hand, entrants, order, stage, drawn_at"
PAIRING = (
    "round/*/match/*: group, table, a, b, leg, best_of, draws, seats, state, missed, "
    "version, decision, reports"
)
STAGE = "stage/*: state, places, groups, seed, opened_at, closed_at"
STAGE_BACK = "stage/*: state, places, groups, opened_at, closed_at"
GIVEN = "round/*/match/*: a, b, seats, earlier, absent, state, version, decision, +reports"
HANDED_OVER = ("stage/*: places, groups", GIVEN)
ROUNDS_BACK = (
    STAGE_BACK,
    "-round/*",
    MATCHES_GO,
    MATCHES_COME,
    "round/*/match/*: version, decision, +reports",
)

WRITES = {
    "act.redone": HELD,
    "act.undone": HELD,
    "announcement.ended": NOTHING,
    "announcement.made": NOTHING,
    "answers.changed": PLAYER,
    "apart.ended": APART,
    "apart.kept": APART,
    "call.closed": NOTHING,
    "call.made": NOTHING,
    "call.taken": NOTHING,
    "check.finished": NOTHING,
    "check.started": NOTHING,
    "clock.add": NOTHING,
    "clock.pause": NOTHING,
    "clock.reset": NOTHING,
    "clock.resume": NOTHING,
    "clock.start": NOTHING,
    "contact.changed": PLAYER,
    "correction.followed": HANDED_OVER,
    "correction.taken_back": ("event", *ROUNDS_BACK),
    "deck.closed": PLAYER,
    "deck.kept_aside": PLAYER,
    "deck.opened": PLAYER,
    "deck.submitted": PLAYER,
    "draw.corrected": (DRAW, "+draw/*"),
    "draw.lots": (DRAW, "+draw/*"),
    "draw.start": (DRAW, "+draw/*"),
    "entry.added": NEW_PLAYERS,
    "entry.added_late": (
        "+entry/*",
        "entry/*: status",
        "event: plan",
        "stage/*: groups",
        MATCHES_COME,
    ),
    "entry.asked_later": PLAYER,
    "entry.changed": SEED,
    "entry.check_in": STATUS,
    "entry.checked_in_many": STATUS,
    "entry.disqualify": ("entry/*: status", RESULT),
    "entry.left": PLAYER,
    "entry.let_in": STATUS,
    "entry.pasted": NEW_PLAYERS,
    "entry.promoted": ("entry/*: status", "-entry/*"),
    "entry.re_enter": ("entry/*: status", MATCHES_COME),
    "entry.registered": NEW_PLAYERS,
    "entry.reinstate": ("entry/*: status", MATCHES_COME),
    "entry.removed": ("-entry/*", "apart"),
    "entry.return_asked": PLAYER,
    "entry.return_refused": PLAYER,
    "entry.seeds": SEED,
    "entry.strike_lifted": ("stage/*: groups", RESULT),
    "entry.struck": ("stage/*: groups", RESULT),
    "entry.undo_check_in": STATUS,
    "entry.withdraw": ("entry/*: status", RESULT),
    "entry.withdrawn_many": STATUS,
    "event.changed": (SETTINGS,),
    "event.close_registration": STATE,
    "event.created": ("+event", "+apart", "+penalties", "+draw/*"),
    "event.finish": STATE,
    "event.formula_changed": EVENT,
    "event.open_registration": STATE,
    "event.other_rooms": NOTHING,
    "event.reopen": STATE,
    "event.restored": HELD,
    "event.start": ("event: state, plan", "+stage/*"),
    "extension.given": NOTHING,
    "extension.taken_back": NOTHING,
    "fee.paid": PLAYER,
    "fee.taken_back": PLAYER,
    "link.made": PLAYER,
    "link.revoked": NOTHING,
    "links.made": PLAYER,
    "lists.hidden": EVENT,
    "lists.published": EVENT,
    "lists.released": EVENT,
    "match.noted": NOTHING,
    "match.ruled": NOTHING,
    "paper.failed": NOTHING,
    "penalty.given": PENALTIES,
    "penalty.match_lost": ("penalties", RESULT),
    "penalty.taken_back": PENALTIES,
    "person.erased": ("event", "apart", "penalties", "entry/*", "round/*/match/*", "draw/*"),
    "person.hidden": PLAYER,
    "person.shown": PLAYER,
    "player.left_in": PLAYER,
    "player.replaced": (PLAN, "entry/*: status", "+entry/*", *HANDED_OVER),
    "player.taken_back": (PLAN, "entry/*: status", "+entry/*", *ROUNDS_BACK),
    "result.absent": ("round/*/match/*: absent, state, version, decision, +reports",),
    "result.confirmed": (RESULT,),
    "result.contradicted": (RESULT,),
    "result.corrected": ("round/*/match/*: version, decision, +reports",),
    "result.entered": (RESULT,),
    "result.reported": (RESULT,),
    "round.changed": (PAIRING, "round/*: cost", MATCHES_COME, MATCHES_GO),
    "round.discarded": ("-round/*", MATCHES_GO),
    "round.drafted": ("+round/*", MATCHES_COME),
    "round.published": ("round/*: state, published_at",),
    "round.tables_moved": (
        SETTINGS,
        "entry/*",
        "round/*/match/*: table",
    ),
    "round.taken_back": ("-round/*", MATCHES_GO),
    "screen.pinned": EVENT,
    "staff.accepted": NOTHING,
    "staff.given": NOTHING,
    "staff.invited": NOTHING,
    "staff.revoked": NOTHING,
    "staff.taken": NOTHING,
    "seeds.corrected": (PLAN, "entry/*: seed", *HANDED_OVER),
    "seeds.taken_back": (PLAN, "entry/*: seed", *ROUNDS_BACK),
    "stage.closed": (STAGE,),
    "stage.second_leg": ("stage/*: legs",),
    "stage.taken_back": (STAGE_BACK, MATCHES_COME, "event"),
    "standings.released": EVENT,
    "text.blanked": ("event", "apart", "penalties", "entry/*", "round/*/match/*", "draw/*"),
    "texts.accepted": NOTHING,
    "token.made": NOTHING,
    "token.revoked": NOTHING,
}
OLDER = {
    1: {SETTINGS: SETTINGS.removesuffix(", table_points"), GIVEN: GIVEN.replace(" absent,", "")}
}
"""By earlier version of the laws: patterns of now, and what each was then."""
