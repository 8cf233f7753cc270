"""What a stage has decided: standings, who holds which place, and where lots are needed.

Tournament rules, Standings order and The Mutant Chronicles formula.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rules.results import PlayerId, Points
from rules.stages.base import StageState
from rules.standings import Standings


@dataclass(frozen=True, slots=True, kw_only=True)
class StageOutcome:
    """The standings of each group, and what they mean for later stages.

    ``compared`` holds, for each rank that is compared across groups, the standings of the
    players on it. ``places`` is as far as decided. ``lots_needed`` names only tied sets on
    which the seating of a later stage depends. ``left_out`` are withdrawn or disqualified
    players whose rank would have taken them on.
    """

    standings: Mapping[str, Standings]
    compared: Mapping[int, Standings]
    places: Mapping[str, PlayerId]
    lots_needed: tuple[tuple[PlayerId, ...], ...]
    left_out: tuple[PlayerId, ...]


def outcome(
    state: StageState,
    *,
    criteria: Sequence[str],
    points: Points,
    lots: Sequence[Sequence[PlayerId]],
    used: Collection[str],
) -> StageOutcome:
    """Return what the results of a stage decide so far.

    ``lots`` are all recorded draws, oldest first: for a tied set the latest draw that contains
    the whole set decides. ``used`` are the names of places that later stages seat.
    """
    raise NotImplementedError
