"""The result of a match: who won, the score, and how the match ended.

Source: tournament rules, Points and A match.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

PlayerId = str | int


class Winner(StrEnum):
    """The winner of a match; NONE = both players lose, VOID = the match does not count."""

    A = "a"
    B = "b"
    DRAW = "draw"
    NONE = "none"
    VOID = "void"


def leader_of(a: int, b: int) -> Winner:
    """Return the side with the larger number, DRAW if they are equal."""
    return Winner.DRAW if a == b else Winner.A if a > b else Winner.B


class EndedBy(StrEnum):
    """The way a match ended."""

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
    """The tie-break of a knock-out match that was level when time was called."""

    WARRIORS = "warriors"
    EXTRA_TURNS = "extra_turns"
    JUDGE = "judge"


@dataclass(frozen=True, kw_only=True)
class Points:
    """The points for a won, a drawn and a lost match."""

    win: int = 3
    draw: int = 1
    loss: int = 0

    @cached_property
    def by_winner(self) -> Mapping[Winner | None, tuple[int, int]]:
        """Return the points of players a and b by winner; matches that do not count give none."""
        return {
            Winner.A: (self.win, self.loss),
            Winner.B: (self.loss, self.win),
            Winner.DRAW: (self.draw, self.draw),
            Winner.NONE: (self.loss, self.loss),
            Winner.VOID: (0, 0),
            None: (0, 0),
        }

    def of(self, result: "Result") -> tuple[int, int]:
        """Return the points of players a and b; without an opponent the second value is unused."""
        return self.by_winner[result.winner]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One match of a group or stage, played or not.

    ``b`` is None if ``a`` has no opponent: a bye (winner A), or a round lost without an opponent
    (winner NONE). ``winner`` None means not played yet. ``score`` holds promotion points or games
    won; forfeits and byes have none. ``games`` = won by a, won by b, drawn.
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
        """Return whether the match counts: it has an outcome and is not void."""
        return self.winner is not None and self.winner is not Winner.VOID
