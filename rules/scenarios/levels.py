"""Final levels of a group: classes of players that results alone do not separate."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import takewhile
from typing import NamedTuple

from rules.results import PlayerId

BY_RESULTS = frozenset(
    {
        *("points", "opponents_points", "head_to_head", "wins", "opponents_match_win"),
        *("buchholz_cut1", "buchholz_median", "sonneborn_berger"),
    }
)
"""Criteria that depend only on who won each match."""

QUICK = frozenset({"points", "opponents_points", "head_to_head"})
"""Those among them computed without ranking: sums and mini-tables."""

Values = tuple[int | Fraction, ...]


class Level(NamedTuple):
    """Players level by results, without withdrawn ones; ``above`` is the number ranked higher."""

    players: tuple[PlayerId, ...]
    above: int
    values: Values


Reached = tuple[Level, int]
"""A possible level, and the bitmask of next results that may lead to it.

Three bits per seat: whether the player's next match may be won, drawn, lost.
"""


class PossibleStanding(NamedTuple):
    """A possible final standing of a player, and the results of their next match (bits).

    ``nexts`` are those of all players' next matches, as in ``Reached``.
    """

    level: Level
    own: int
    places: range
    nexts: int


def leading_criteria(criteria: Sequence[str]) -> tuple[str, ...]:
    """Return the criteria before the first that results alone do not decide."""
    return tuple(takewhile(BY_RESULTS.__contains__, criteria))
