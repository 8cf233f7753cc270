"""How a player who withdrew has left: as a no-show, or dropping out of play."""

from enum import StrEnum

from rules.results import EndedBy


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
