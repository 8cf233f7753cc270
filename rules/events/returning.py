"""Whether a player who has left an event can still come back, and what became of their request."""

from dataclasses import dataclass
from enum import StrEnum


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
