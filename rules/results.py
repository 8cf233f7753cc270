"""What happened in a match: who won, by how much, and how it ended.

Tournament rules, Points and A match.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

PlayerId = str | int


class Winner(StrEnum):
    """Who won a match; NONE = both lose, VOID = it counts for nothing."""

    A = "a"
    B = "b"
    DRAW = "draw"
    NONE = "none"
    VOID = "void"


class EndedBy(StrEnum):
    """How a match came to its end."""

    PLAYED = "played"
    TIME = "time"
    CONCESSION = "concession"
    NO_SHOW = "no_show"
    NO_WARRIORS = "no_warriors"
    DISQUALIFICATION = "disqualification"
    BYE = "bye"
    DOUBLE_LOSS = "double_loss"
    VOID = "void"


class TieBreak(StrEnum):
    """What decided a knock-out match that was level when it stopped."""

    WARRIORS = "warriors"
    EXTRA_TURNS = "extra_turns"
    JUDGE = "judge"


@dataclass(frozen=True, kw_only=True)
class Points:
    """What a won, a drawn and a lost match are worth."""

    win: int = 3
    draw: int = 1
    loss: int = 0

    @cached_property
    def by_winner(self) -> Mapping[Winner | None, tuple[int, int]]:
        """Return the points of a and of b by who won; a match that does not count brings none."""
        return {
            Winner.A: (self.win, self.loss),
            Winner.B: (self.loss, self.win),
            Winner.DRAW: (self.draw, self.draw),
            Winner.NONE: (self.loss, self.loss),
            Winner.VOID: (0, 0),
            None: (0, 0),
        }

    def of(self, result: "Result") -> tuple[int, int]:
        """Return what a match brings its two players; without an opponent the second is nobody."""
        return self.by_winner[result.winner]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One match of a group or stage, played or not.

    ``b`` is None where ``a`` has no opponent: a bye (winner A), or a round lost without
    opponent (winner NONE). ``winner`` None means: not played yet. ``score`` holds promotion
    points or games won; forfeits and byes have none. ``games`` = won by a, won by b, drawn.
    """

    a: PlayerId
    b: PlayerId | None
    round: int = 0
    winner: Winner | None = None
    score: tuple[int, int] | None = None
    games: tuple[int, int, int] | None = None
    ended_by: EndedBy = EndedBy.PLAYED

    @property
    def counts(self) -> bool:
        """Say whether the match counts as played: it has an outcome and is not void."""
        return self.winner is not None and self.winner is not Winner.VOID
