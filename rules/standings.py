"""Standings: groups of level players split criterion by criterion.

Tournament rules, Standings order.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rules.results import PlayerId

DEFAULT_CRITERIA = (
    "points",
    "opponents_points",
    "head_to_head",
    "score_for",
    "score_difference",
    "lots",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """Why a player stands behind the one before: the last criterion that separated the two.

    ``level`` are the players that were level when it was applied, ``values`` what each of
    them had under it (mini-table points for head-to-head, the drawn position for lots).
    ``shared`` says that nothing separates the player from somebody else: the rank is shared.
    """

    criterion: str
    level: tuple[PlayerId, ...]
    values: Mapping[PlayerId, Fraction]
    shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One row: a player's rank, matches counted, values of the numeric criteria, and the proof.

    ``placed_by`` is the key of the criterion that put the player behind the one before
    (None for the first); players of one rank have the same.
    """

    rank: int
    player: PlayerId
    played: int
    won: int
    drawn: int
    lost: int
    values: Mapping[str, Fraction]
    placed_by: str | None
    proof: Proof | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """All rows in order of rank, and the sets of players that nothing separates."""

    rows: tuple[Standing, ...]
    tied: tuple[tuple[PlayerId, ...], ...]
