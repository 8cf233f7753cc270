"""What is known of the players of a group by seat, whatever the size of its matches."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rules.history.seats import Outcomes
from rules.results import PlayerId

Record = tuple[int, int, int, int]
"""How many matches of a player count, and how many were won, drawn and lost."""


@dataclass(frozen=True, kw_only=True)
class GroupHistory(ABC):
    """The players of a group or stage, with what criteria of any size ask.

    ``penalties`` counts each player's penalties; ``lots`` is the order drawn, best first. Values
    are computed on first access and cached; criteria cache theirs in ``columns`` by key.
    """

    players: tuple[PlayerId, ...]
    penalties: Mapping[PlayerId, int] = field(default_factory=dict)
    lots: tuple[PlayerId, ...] = ()
    columns: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    @abstractmethod
    def outcomes(self) -> Outcomes:
        """Return wins, draws and losses by seat."""

    @property
    @abstractmethod
    def points_made(self) -> list[int]:
        """Return the points by seat; the extra seat has none."""

    def nothing(self) -> list[int]:
        """Return a list of zeros, one for each seat."""
        return [0] * (len(self.players) + 1)

    @cached_property
    def played(self) -> list[int]:
        """Return the number of counted matches by seat, byes and missed rounds too."""
        return [won + drawn + lost for won, drawn, lost in zip(*self.outcomes, strict=True)]

    @property
    def points_by_player(self) -> dict[PlayerId, int]:
        """Return each player's points, counted in the parts of a point that points are made of."""
        return dict(zip(self.players, self.points_made, strict=False))

    @cached_property
    def records(self) -> Mapping[PlayerId, Record]:
        """Return each player's counted matches and their outcomes."""
        return dict(zip(self.players, zip(self.played, *self.outcomes, strict=True), strict=False))

    @cached_property
    def lot_of(self) -> Mapping[PlayerId, int]:
        """Return the position, from 1, of each player in the order drawn."""
        return {player: position for position, player in enumerate(self.lots, start=1)}
