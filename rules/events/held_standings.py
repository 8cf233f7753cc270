"""Which rounds of a stage have their standings held back from everybody but the staff.

Results stay public: held back is the table that follows from them, with ranks, places and what is
still needed. The hold ends when the staff release the standings or the stage closes, as the next
stage shows who went on; its closing may keep it until then (``tournaments.core.event_state``).
"""

from collections.abc import Sequence
from enum import StrEnum


class HiddenStandings(StrEnum):
    """Which standings an event hides: none, those of a stage's last round, or of every round."""

    NONE = ""
    LAST = "last"
    ALL = "all"


def hidden_rounds(
    hold: HiddenStandings, rounds: Sequence[int], *, planned: int, regular: int, released: int
) -> frozenset[int]:
    """Return the published rounds whose standings are hidden from the public.

    Rounds are given by their ordinals in the event. ``rounds`` are all of a stage: the first
    ``regular`` of them belong to its schedule of ``planned`` rounds, the others are tiebreaker
    rounds. Those up to ``released`` stay public.
    """
    if hold is HiddenStandings.NONE:
        return frozenset()
    if hold is HiddenStandings.ALL:
        held = tuple(rounds)
    elif 0 < planned <= regular:
        held = tuple(rounds[planned - 1 :])
    else:
        held = ()
    return frozenset(ordinal for ordinal in held if ordinal > released)
