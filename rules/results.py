"""The result of a match: who won, the score, and how the match ended.

Source: tournament rules, Points and A match.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Any, NoReturn, TypeVar

PlayerId = str | int


class Winner(StrEnum):
    """The winner of a match; NONE = both players lose, VOID = the match does not count."""

    A = "a"
    B = "b"
    DRAW = "draw"
    NONE = "none"
    VOID = "void"


SEAT_WINNERS = (Winner.A, Winner.B)
"""The winner of a match of two if whoever has seat 1, and seat 2, wins."""
PLACES: Mapping[Winner, tuple[int, int]] = {
    Winner.A: (1, 2),
    Winner.B: (2, 1),
    Winner.DRAW: (1, 1),
    Winner.NONE: (2, 2),
}
"""The places of players a and b by winner; a void match has none."""


def places_of(winner: Winner | None, seats: int) -> tuple[int, ...] | None:
    """Return the places of a match of one seat or two, None if it does not count."""
    places = PLACES.get(winner) if winner else None
    return places and places[:seats]


Player = TypeVar("Player")
Nobody = TypeVar("Nobody")


def pair_of(seats: Sequence[Player], nobody: Nobody) -> tuple[Player, Player | Nobody]:
    """Return the two of a match, ``nobody`` in place of an opponent who is not there.

    Raises ValueError for a match of more.
    """
    if len(seats) == 2:
        return seats[0], seats[1]
    (alone,) = seats
    return alone, nobody


def of_two(name: str) -> property:
    """Return a property that raises ValueError: matches of three and more have no such value."""

    def refuse(match: Any) -> NoReturn:
        raise ValueError(f"“{name}” is of matches of two; this one has {len(match.seats)} seats.")

    return property(refuse)


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
    PENALTY = "penalty"
    BYE = "bye"
    DOUBLE_LOSS = "double_loss"
    VOID = "void"


BYE_RESULT = (Winner.A, EndedBy.BYE)
"""The result of whoever rests in a round."""


class Mark(StrEnum):
    """What is noted of one seat of a table: it was empty, or its player left the table."""

    ABSENT = "absent"
    CONCEDED = "conceded"
    DISQUALIFIED = "disqualified"


class TieBreak(StrEnum):
    """The tie-break of a knock-out match that was level when time was called."""

    WARRIORS = "warriors"
    EXTRA_TURNS = "extra_turns"
    JUDGE = "judge"


MOST_BYE_GAMES = 9


@dataclass(frozen=True, kw_only=True)
class Points:
    """The points for a won, a drawn and a lost match, counted in ``parts`` of a point.

    With ``parts`` 2, 2, 1 and 0 are the 1, ½ and 0 of chess. ``floor`` is the least share of
    criteria that compare shares, ``draw_share`` what a drawn match counts there of a won one; None:
    as many points as it gives. ``bye_games`` are the games that a bye counts as won; with
    ``byes_left_out`` a bye is no match in a player's share of match points.
    """

    win: int = 3
    draw: int = 1
    loss: int = 0
    parts: int = 1
    floor: Fraction = Fraction(1, 3)
    draw_share: Fraction | None = None
    bye_games: int = 0
    byes_left_out: bool = False

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
    def seats(self) -> tuple[PlayerId, ...]:
        """Return the players in the order of their seats; one without an opponent."""
        return (self.a,) if self.b is None else (self.a, self.b)

    @property
    def places(self) -> tuple[int | None, ...] | None:
        """Return the place of each seat, None if the match does not count.

        A draw shares place 1; where both lose, nobody has it.
        """
        return places_of(self.winner, len(self.seats))

    def without_outcome(self) -> "Result":
        """Return the same match as not played yet."""
        return Result(a=self.a, b=self.b, round=self.round)

    @property
    def is_bye(self) -> bool:
        """Return whether a player rested, with the points of a bye."""
        return self.b is None and self.winner is Winner.A

    @property
    def is_played(self) -> bool:
        """Return whether the match has an outcome, void ones too."""
        return self.winner is not None

    @property
    def counts(self) -> bool:
        """Return whether the match counts: it has an outcome and is not void."""
        return self.winner is not None and self.winner is not Winner.VOID
