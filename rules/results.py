"""What happened in a match: who won, by how much, and how it ended.

Tournament rules, Points and A match.
"""

from dataclasses import dataclass
from enum import StrEnum

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """What a won, a drawn and a lost match are worth."""

    win: int = 3
    draw: int = 1
    loss: int = 0


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
