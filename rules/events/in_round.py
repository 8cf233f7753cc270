"""A player's part in the round in progress, and in the matches of earlier ones beside it."""

from collections.abc import Sequence
from enum import StrEnum


class InRound(StrEnum):
    """The player's part in the round in progress."""

    NONE = "none"
    PLAYING = "playing"
    REPORTED = "reported"
    TO_CONFIRM = "to_confirm"
    DISPUTED = "disputed"
    DECIDED = "decided"
    BYE = "bye"
    RESTS = "rests"
    MISSED = "missed"


TO_DO = (InRound.PLAYING, InRound.TO_CONFIRM, InRound.DISPUTED)
"""The player has something to do at the table."""


def first_of(matches: Sequence[InRound]) -> int:
    """Return which of a player's matches in play, in their order, the page is about first.

    The first at which the player has something to do, else one that waits for others.
    """
    for waits in (TO_DO, (InRound.REPORTED,)):
        if found := [at for at, state in enumerate(matches) if state in waits]:
            return found[0]
    return 0
