"""State transitions, as tables; how players left an event, and whether they can come back.

For each noun and action: the states in which it is allowed, the next state, and the code and
sentence of the refusal.
"""

from dataclasses import dataclass
from enum import StrEnum

from rules.errors import RuleError
from rules.results import EndedBy


@dataclass(frozen=True, slots=True)
class Change:
    """One action: its source states, its target state, and the refusal in any other state."""

    allowed: tuple[str, ...]
    to: str
    code: str
    refusal: str


EVENT = {
    "open_registration": Change(
        ("draft", "closed"),
        "registration",
        "registration_not_openable",
        "Registration can be opened only before the start, and once. Nothing was changed.",
    ),
    "register": Change(
        ("registration",),
        "registration",
        "registration_closed",
        "Registration is not open. Nothing was stored: ask the organiser.",
    ),
    "add_player": Change(
        ("draft", "registration", "closed"),
        "",
        "event_started",
        "The event has started, so its players stay as they are. Nothing was stored.",
    ),
    "close_registration": Change(
        ("registration",),
        "closed",
        "registration_closed",
        "Registration is not open. Nothing was stored: ask the organiser.",
    ),
    "start": Change(
        ("draft", "registration", "closed"),
        "running",
        "event_started",
        "The event has started already. Nothing was changed: open the desk.",
    ),
    "play": Change(
        ("running",),
        "running",
        "event_not_running",
        "The event is not running, so rounds and results stay as they are. Nothing was stored.",
    ),
    "draw_lots": Change(
        ("running",),
        "",
        "event_not_running",
        "Random draws are made only while the event runs. Reopen the event first.",
    ),
    "move_player": Change(
        ("draft", "registration", "closed", "running"),
        "",
        "event_finished",
        "The event is over, so its players stay as they are. Nothing was changed: the "
        "organiser can open it again.",
    ),
    "finish": Change(
        ("running",),
        "finished",
        "event_not_running",
        "Only an event that is running can be finished. Nothing was changed.",
    ),
    "hand_out": Change(
        ("finished",),
        "finished",
        "event_not_finished",
        "Prizes are handed out once the event is finished.",
    ),
    "reopen": Change(
        ("finished",),
        "running",
        "event_not_finished",
        "Only a finished event can be opened again. Nothing was changed.",
    ),
}

STAGE = {
    "open": Change(
        ("pending",),
        "open",
        "stage_open",
        "This stage has been opened already. Nothing was changed: load the page again.",
    ),
    "second_leg": Change(
        ("open",),
        "open",
        "stage_not_open",
        "A second leg can be decided only while the stage is open. Nothing was changed.",
    ),
    "close": Change(
        ("open",),
        "closed",
        "stage_not_open",
        "Only an open stage can be closed. Nothing was changed: load the page again.",
    ),
    "reopen": Change(
        ("closed",),
        "open",
        "stage_not_closed",
        "Only a closed stage can be opened again. Nothing was changed.",
    ),
    "unopen": Change(
        ("open",),
        "pending",
        "stage_not_open",
        "Only an open stage can be reset to before its beginning.",
    ),
}

ROUND = {
    "publish": Change(
        ("draft",),
        "published",
        "round_published",
        "This round has been published already. Nothing was changed: open the desk.",
    ),
    "change": Change(
        ("draft",),
        "draft",
        "round_published",
        "This round is published. Unpublish it first.",
    ),
    "enter_result": Change(
        ("published",),
        "published",
        "round_not_published",
        "This round is still a draft. Nothing was stored: publish it first.",
    ),
}

MATCH = {
    "report": Change(
        ("open", "reported"),
        "reported",
        "match_final",
        "The result is final, or a judge is deciding it. Nothing was stored: ask a judge.",
    ),
    "dispute": Change(
        ("reported",),
        "disputed",
        "match_not_reported",
        "Only a reported result that is not final can be disputed. Nothing was stored.",
    ),
    "confirm": Change(
        ("reported",),
        "final",
        "match_not_reported",
        "There is no report to confirm any more. Nothing was stored: load the page again.",
    ),
    "accept": Change(
        ("disputed",),
        "final",
        "match_not_disputed",
        "These reports are not in dispute any more. Nothing was stored: load the page again.",
    ),
    "agree": Change(
        ("disputed",),
        "reported",
        "match_not_disputed",
        "These reports are not in dispute any more. Nothing was stored: load the page again.",
    ),
    "decide": Change(
        ("open", "reported", "disputed"),
        "final",
        "match_final",
        "This match has a final result already. Nothing was stored: correct it if it is wrong.",
    ),
    "correct": Change(
        ("final",),
        "final",
        "match_not_final",
        "This match has no final result yet. Nothing was stored: enter it at the desk.",
    ),
}

ENTRY = {
    "promote": Change(
        ("waiting",),
        "registered",
        "entry_not_waiting",
        "Only somebody on the waiting list can be given a place. Nothing was changed.",
    ),
    "check_in": Change(
        ("registered",),
        "checked_in",
        "entry_not_registered",
        "Only a registered player can check in, and only once. Nothing was changed.",
    ),
    "undo_check_in": Change(
        ("checked_in",),
        "registered",
        "entry_not_checked_in",
        "This player has not checked in. Nothing was changed.",
    ),
    "withdraw": Change(
        ("registered", "waiting", "checked_in"),
        "withdrawn",
        "entry_left",
        "This player has dropped already.",
    ),
    "disqualify": Change(
        ("registered", "waiting", "checked_in", "withdrawn"),
        "disqualified",
        "entry_disqualified",
        "This player is disqualified already. Nothing was changed.",
    ),
    "re_enter": Change(
        ("withdrawn",),
        "checked_in",
        "entry_not_withdrawn",
        "Only a player who has dropped can come back.",
    ),
    "reinstate": Change(
        ("disqualified",),
        "checked_in",
        "entry_not_disqualified",
        "Only a disqualified player can be reinstated. Nothing was changed.",
    ),
}

CLOCK = {
    "start": Change(
        ("ready",),
        "running",
        "clock_started",
        "The clock of this round has been started already. Nothing was changed.",
    ),
    "pause": Change(
        ("running",),
        "paused",
        "clock_not_running",
        "The clock is not running, so it can't be stopped. Nothing was changed.",
    ),
    "resume": Change(
        ("paused",),
        "running",
        "clock_not_paused",
        "The clock has not been stopped, so it can't go on. Nothing was changed.",
    ),
    "add": Change(
        ("running", "paused"),
        "",
        "clock_not_started",
        "The clock of this round has not been started. Nothing was changed: start it first.",
    ),
    "reset": Change(
        ("running", "paused"),
        "ready",
        "clock_not_started",
        "The clock of this round has not been started. Nothing was changed: start it first.",
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
    """Return the state after an action; raises RuleError with the code of the refusal.

    Raises KeyError for an unknown noun or action.
    """
    change = CHANGES[noun][action]
    if state not in change.allowed:
        raise RuleError(change.code, change.refusal)
    return change.to or state


def is_allowed(noun: str, state: str, action: str) -> bool:
    """Return whether an action is allowed in a state."""
    return state in CHANGES[noun][action].allowed


class Departure(StrEnum):
    """A no-show has played no match of the event, others have dropped out."""

    NO_SHOW = "no_show"
    DROPPED = "dropped"


AT_THE_TABLE = frozenset({EndedBy.PLAYED, EndedBy.TIME, EndedBy.NO_WARRIORS})
"""Ends of a match for which both have to be there."""


def was_played(ended_by: str, *, scored: bool) -> bool:
    """Return whether a match was played: it ended at the table, or has a score or games."""
    return scored or ended_by in AT_THE_TABLE


def departure_of(said: str, *, played: bool) -> Departure:
    """Return how a withdrawn player has left: as it was ``said``, else by what they played."""
    if said:
        return Departure(said)
    return Departure.DROPPED if played else Departure.NO_SHOW


class Returning(StrEnum):
    """The way back into an event, for one player."""

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


OPEN = frozenset({Returning.MAY_ASK, Returning.ASKED, Returning.REFUSED})
"""The player could still play: the staff can take them back."""
NO_WAY_BACK = frozenset({Returning.STRUCK, Returning.ALL_PLAYED, Returning.NO_PLACE})
"""The player has left, and the staff can't take them back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnFacts:
    """The facts from which ``returning`` is derived.

    ``event`` and ``status`` are states of `rules.events.lifecycle`. ``seated`` says whether the
    player has a place in the stage in play, ``admits`` whether that takes players late, ``plays``
    whether a match would be left for them, in this stage or by going on from it.
    """

    event: str
    status: str
    seated: bool = False
    struck: bool = False
    admits: bool = False
    plays: bool = False
    asked: bool = False
    refused: bool = False


def returning(facts: ReturnFacts) -> Returning:
    """Return whether a player can come back.

    Before the start anybody can; afterwards whoever has a match left to play, or can enter late.
    """
    if facts.status != "withdrawn" or facts.event == "finished":
        return Returning.NOT_OFFERED
    if facts.event == "running" and (reason := _reason_against(facts)) is not None:
        return reason
    if facts.refused:
        return Returning.REFUSED
    return Returning.ASKED if facts.asked else Returning.MAY_ASK


def _reason_against(facts: ReturnFacts) -> Returning | None:
    if facts.struck:
        return Returning.STRUCK
    if facts.seated:
        return None if facts.plays else Returning.ALL_PLAYED
    return None if facts.admits else Returning.NO_PLACE
