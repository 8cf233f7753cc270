"""A group as it would end: classes of players that results alone don't separate."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from rules.results import PlayerId

BY_RESULTS = frozenset(
    {
        *("points", "opponents_points", "head_to_head", "wins", "opponents_match_win"),
        *("buchholz_cut1", "buchholz_median", "sonneborn_berger"),
    }
)
"""Criteria that who won, and nothing else, decides."""

QUICK = frozenset({"points", "opponents_points", "head_to_head"})
"""Those among them that need no ranking: sums, and what depends on a few matches only."""

Values = tuple[int | Fraction, ...]


class Level(NamedTuple):
    """Players level by results, staying in the event; ``above`` are how many stand before."""

    players: tuple[PlayerId, ...]
    above: int
    values: Values


Reached = tuple[Level, int]
"""A level that can come to be, and the own results that may lead there.

These are three bits for each seat: whether the player's next match may be won, drawn, lost.
"""


class Stand(NamedTuple):
    """How a player may stand at the end, and after which results of their next match (bits)."""

    level: Level
    own: int
    places: range


def leading(criteria: Sequence[str]) -> tuple[str, ...]:
    """Return the criteria before the first that results alone don't decide."""
    found = []
    for key in criteria:
        if key not in BY_RESULTS:
            break
        found.append(key)
    return tuple(found)
