"""Columns covered by the log's chain: open ones are published, closed ones hold personal text.

``tests/tournaments/chain/test_chain.py`` checks that each column of these tables is in ``OPEN``,
``CLOSED`` or ``LEFT_OUT``, and each other table of ``core.event_tables`` in ``UNTOLD``.
"""

from collections.abc import Mapping

Columns = tuple[str, ...]

OPEN: Mapping[str, Columns] = {
    "Event": (
        *("name", "starts_at", "time_zone", "format", "formula", "options", "criteria"),
        *("points_win", "points_draw", "points_loss", "minutes", "warnings", "decklists"),
        *("decklist_deadline", "lists_dated", "without_catalogue", "open_lists", "show_leaders"),
        *("lists_published_at", "registration_opens", "registration_closes", "capacity"),
        *("player_reports", "confirm_after", "show_prospects", "apart_clubs", "state", "plan"),
        *("created_at", "started_at", "finished_at"),
    ),
    "Entry": ("number", "seed", "status", "waiting_since", "registered_at"),
    "Stage": ("number", "key", "kind", "legs", "state", "places", "seed", "opened_at", "closed_at"),
    "Group": ("number", "name"),
    "Seat": ("number", "entry", "struck_at"),
    "Round": (*("stage", "number", "ordinal", "state", "drafted_at", "published_at", "level"),),
    "Match": (
        *("group", "number", "table", "a", "b", "leg", "best_of", "draws"),
        *("version", "state", "missed", "decision"),
    ),
    "MatchSeat": ("entry",),
    "Report": (
        *("version", "kind", "winner", "score_a", "score_b", "games", "games_a", "games_b"),
        *("games_drawn", "ended_by", "tie_break", "by_decision", "at"),
    ),
    "Draw": (
        *("stage", "number", "state", "kind", "fingerprint", "seed", "by_hand"),
        *("entrants", "order", "announced_at", "drawn_at"),
    ),
}
"""Open columns by model; the seed of a draw is closed until it is drawn."""

CLOSED: Mapping[str, Columns] = {
    "Event": (
        *("about", "venue", "fee", "rulings", "breaks", "standings_held", "standings_released"),
        *("information", "overtime"),
    ),
    "Entry": ("name", "club", "submission", "deck_open_until", "fixed_table"),
    "KeptApart": ("a", "b"),
    "Round": ("apart",),
    "Match": ("reason",),
    "Report": ("note", "by_entry"),
    "Draw": ("witnesses", "note"),
    "Penalty": ("entry", "level", "infraction", "note", "at"),
}
"""Closed columns by model; of a submitted decklist, its fingerprint."""

NAMED = "who is only named by an archive, as an account is left out"
LEFT_OUT: Mapping[str, Mapping[str, str]] = {
    "Event": {
        "slug": "the address; an archive may come back under another",
        "version": "the number of the last line",
        "head": "the digest of the last line",
        "created_by": "an account",
        "catalogue": "a row of this installation",
        "here_minutes": "when players may say that they are here; settings' lines tell it",
        "prints_rounds": "a folder of this installation",
        "questions": "what is asked at registration; settings' lines tell it",
        "listed": "whether lists name it; settings' lines tell it",
        "screen_view": "what a screen shows; the lines of the screen tell it",
        "card_lists": "a row of this installation; started events keep it",
    },
    "Entry": {
        "event": "the event itself",
        "name_key": "follows from the name",
        "fee_paid": "money at the door; the lines of the fee tell it",
        "surname": "which words of the name, which is told, lists are sorted by",
        "answers": "what a player told the staff alone; no digest is to hold it",
        "user": "an account",
    },
    "KeptApart": {"event": "the event itself"},
    "Stage": {"event": "the event itself"},
    "Group": {"stage": "the place where it is told"},
    "Seat": {"stage": "follows from the group", "group": "the place where it is told"},
    "Round": {"event": "the event itself", "drafted_by": "an account"},
    "Match": {"round": "the place where it is told"},
    "MatchSeat": {"round": "follows from the match", "match": "the place where it is told"},
    "Report": {"match": "the place where it is told", "by": "an account", "by_name": NAMED},
    "Draw": {"event": "the event itself", "by": "an account"},
    "Penalty": {
        "event": "the event itself",
        "round": "let go of when the round is taken back",
        "match": "let go of when the match is taken back",
        "check_made": "let go of when the check is taken back",
        "by": "an account",
        "by_name": NAMED,
    },
}
"""Columns of the same tables that do not count, and why."""

UNTOLD: Mapping[str, str] = {
    "StaffRole": "who may do what; the lines that give and take roles tell it",
    "StaffInvitation": "an offer; the line of who accepts it tells the role",
    "PersonalLink": "lets a player in",
    "DeckSubmission": "the fingerprint of the list counts with the player",
    "DeckDraft": "a player's list that was not handed in",
    "DeckCheck": "a judge's work; what a check ends in is a penalty or minutes",
    "TimeExtension": "minutes of a table, in the lines that give and take them",
    "RoundClock": "minutes of a round, in the lines of its clock",
    "JudgeCall": "a call for a judge changes nothing in the event",
    "Announcement": "what is shown for a while changes nothing in the event",
    "Ruling": "words beside a match; its result counts",
    "StaffNote": "words beside a match; its result counts",
    "LogLine": "the chain itself",
}
"""The other tables of an event, of which the log does not tell what they hold, and why."""
