"""State transitions, as tables; how players left an event, and whether they can come back.

For each noun and action: the states in which it is allowed, the next state, and the code and
sentence of the refusal.
"""

from dataclasses import dataclass
from enum import StrEnum

from rules.errors import PASSED, RuleError
from rules.results import MatchEnding


@dataclass(frozen=True, slots=True)
class Transition:
    """What an action does to an object's state, and where it is allowed.

    ``allowed`` are the states in which it is; ``to`` is the state after it, "" for the same.
    Elsewhere it raises a RuleError with this ``code`` and message (``refusal``).
    """

    allowed: tuple[str, ...]
    to: str
    code: str
    refusal: str = PASSED


EVENT = {
    "open_registration": Transition(
        ("draft", "closed"),
        "registration",
        "registration_not_openable",
    ),
    "register": Transition(
        ("registration",),
        "registration",
        "registration_closed",
        "Registration is closed.",
    ),
    "add_player": Transition(
        ("draft", "registration", "closed"),
        "",
        "event_started",
        "The event has started.",
    ),
    "close_registration": Transition(
        ("registration",),
        "closed",
        "registration_closed",
        "Registration is closed.",
    ),
    "start": Transition(
        ("draft", "registration", "closed"),
        "running",
        "event_started",
    ),
    "play": Transition(
        ("running",),
        "running",
        "event_not_running",
    ),
    "draw_lots": Transition(
        ("running",),
        "",
        "event_not_running",
        "The event is finished.",
    ),
    "move_player": Transition(
        ("draft", "registration", "closed", "running"),
        "",
        "event_finished",
        "The event is finished.",
    ),
    "finish": Transition(
        ("running",),
        "finished",
        "event_not_running",
    ),
    "hand_out": Transition(
        ("finished",),
        "finished",
        "event_not_finished",
        "Finish the event first.",
    ),
    "reopen": Transition(
        ("finished",),
        "running",
        "event_not_finished",
    ),
}

STAGE = {
    "open": Transition(
        ("pending",),
        "open",
        "stage_open",
    ),
    "second_leg": Transition(
        ("open",),
        "open",
        "stage_not_open",
    ),
    "close": Transition(
        ("open",),
        "closed",
        "stage_not_open",
    ),
    "reopen": Transition(
        ("closed",),
        "open",
        "stage_not_closed",
    ),
    "unopen": Transition(
        ("open",),
        "pending",
        "stage_not_open",
    ),
}

ROUND = {
    "publish": Transition(
        ("draft",),
        "published",
        "round_published",
    ),
    "change": Transition(
        ("draft",),
        "draft",
        "round_published",
        "Unpublish the round first.",
    ),
    "enter_result": Transition(
        ("published",),
        "published",
        "round_not_published",
        "Publish the round first.",
    ),
}

MATCH = {
    "report": Transition(
        ("open", "reported"),
        "reported",
        "match_final",
    ),
    "dispute": Transition(
        ("reported",),
        "disputed",
        "match_not_reported",
    ),
    "confirm": Transition(
        ("reported",),
        "final",
        "match_not_reported",
    ),
    "accept": Transition(
        ("disputed",),
        "final",
        "match_not_disputed",
    ),
    "agree": Transition(
        ("disputed",),
        "reported",
        "match_not_disputed",
    ),
    "decide": Transition(
        ("open", "reported", "disputed"),
        "final",
        "match_final",
        "This match already has a final result.",
    ),
    "correct": Transition(
        ("final",),
        "final",
        "match_not_final",
        "Enter the missing results first.",
    ),
}

ENTRY = {
    "promote": Transition(
        ("waiting",),
        "registered",
        "entry_not_waiting",
    ),
    "check_in": Transition(
        ("registered",),
        "checked_in",
        "entry_not_registered",
    ),
    "undo_check_in": Transition(
        ("checked_in",),
        "registered",
        "entry_not_checked_in",
    ),
    "withdraw": Transition(
        ("registered", "waiting", "checked_in"),
        "withdrawn",
        "entry_left",
    ),
    "disqualify": Transition(
        ("registered", "waiting", "checked_in", "withdrawn"),
        "disqualified",
        "entry_disqualified",
    ),
    "re_enter": Transition(
        ("withdrawn",),
        "checked_in",
        "entry_not_withdrawn",
    ),
    "reinstate": Transition(
        ("disqualified",),
        "checked_in",
        "entry_not_disqualified",
    ),
}

CLOCK = {
    "start": Transition(
        ("ready",),
        "running",
        "clock_started",
    ),
    "pause": Transition(
        ("running",),
        "paused",
        "clock_not_running",
    ),
    "resume": Transition(
        ("paused",),
        "running",
        "clock_not_paused",
    ),
    "add": Transition(
        ("running", "paused"),
        "",
        "clock_not_started",
        "Start the round timer first.",
    ),
    "reset": Transition(
        ("running", "paused"),
        "ready",
        "clock_not_started",
        "Start the round timer first.",
    ),
}

CHANGES = {
    "event": EVENT,
    "stage": STAGE,
    "round": ROUND,
    "match": MATCH,
    "entry": ENTRY,
    "clock": CLOCK,
}


def next_state(noun: str, state: str, action: str) -> str:
    """Return the state after an action.

    ``noun`` is the kind of object, a key of ``CHANGES``. Raises RuleError if the action is not
    allowed in the state, KeyError for an unknown noun or action.
    """
    change = CHANGES[noun][action]
    if state not in change.allowed:
        raise RuleError(change.code, change.refusal)
    return change.to or state


def is_allowed(noun: str, state: str, action: str) -> bool:
    """Return whether an action is allowed in a state; ``noun`` is a key of ``CHANGES``."""
    return state in CHANGES[noun][action].allowed


class Departure(StrEnum):
    """How a player left: a no-show has played no match of the event, others have dropped."""

    NO_SHOW = "no_show"
    DROPPED = "dropped"


AT_THE_TABLE = frozenset({MatchEnding.PLAYED, MatchEnding.TIME, MatchEnding.NO_WARRIORS})
"""Ends of a match for which both have to be there."""


def was_played(ended_by: str, *, scored: bool) -> bool:
    """Return whether both players took part in a match.

    That is if it ended at the table (``ended_by`` is its ``MatchEnding``), or a score or games are
    known (``scored``).
    """
    return scored or ended_by in AT_THE_TABLE


def classify_departure(said: str, *, played: bool) -> Departure:
    """Return how a withdrawn player left the event.

    ``said`` is the recorded ``Departure``, "" if none is: then a player who has ``played`` a match
    has dropped, others are no-shows.
    """
    if said:
        return Departure(said)
    return Departure.DROPPED if played else Departure.NO_SHOW


class RejoinStatus(StrEnum):
    """Whether a player who left may ask to come back, has asked, or why that is impossible."""

    NOT_OFFERED = "not_offered"
    """The player has not left, is disqualified, or the event is over."""
    MAY_ASK = "may_ask"
    ASKED = "asked"
    """The staff have not answered yet."""
    REFUSED = "refused"
    STRUCK = "struck"
    """The player's matches of the group are void."""
    ALL_PLAYED = "all_played"
    """No match is left that the player would have, here or in a stage to come."""
    NO_PLACE = "no_place"
    """The stage in play has no place for the player, and admits nobody any more."""


OPEN = frozenset({RejoinStatus.MAY_ASK, RejoinStatus.ASKED, RejoinStatus.REFUSED})
"""The player could still play: the staff can take them back."""
NO_WAY_BACK = frozenset({RejoinStatus.STRUCK, RejoinStatus.ALL_PLAYED, RejoinStatus.NO_PLACE})
"""The player has left, and the staff can't take them back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RejoinInput:
    """The input of ``rejoin_status``.

    ``event`` and ``status`` are the states of the event and the player. ``seated``: the player has
    a place in the stage in play; ``struck``: all the player's matches in it were voided;
    ``admits``: it accepts late players; ``plays``: a match would be left for the player, in this
    stage or after advancing from it. ``asked``, ``refused``: the player asked to come back, staff
    said no.
    """

    event: str
    status: str
    seated: bool = False
    struck: bool = False
    admits: bool = False
    plays: bool = False
    asked: bool = False
    refused: bool = False


def rejoin_status(facts: RejoinInput) -> RejoinStatus:
    """Return whether a player who left can come back, or why not.

    Before the start anybody can; afterwards players with a match left, or who can enter late.
    """
    if facts.status != "withdrawn" or facts.event == "finished":
        return RejoinStatus.NOT_OFFERED
    if facts.event == "running" and (reason := _reason_against(facts)) is not None:
        return reason
    if facts.refused:
        return RejoinStatus.REFUSED
    return RejoinStatus.ASKED if facts.asked else RejoinStatus.MAY_ASK


def _reason_against(facts: RejoinInput) -> RejoinStatus | None:
    if facts.struck:
        return RejoinStatus.STRUCK
    if facts.seated:
        return None if facts.plays else RejoinStatus.ALL_PLAYED
    return None if facts.admits else RejoinStatus.NO_PLACE
