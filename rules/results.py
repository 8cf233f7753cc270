"""The result of a match of any number of seats: who sat there, their places, and how it ended.

Two players are a case; what is of two alone asks ``two_seats`` or an ``Outcome``'s ``winner``.
Source: tournament rules, Points and A match; tables, 1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

PlayerId = str | int


class Winner(StrEnum):
    """The winner of a match; NONE: both players lose; VOID: the match does not count."""

    A = "a"
    B = "b"
    DRAW = "draw"
    NONE = "none"
    VOID = "void"


SEAT_WINNERS = (Winner.A, Winner.B)
"""The winner of a match if whoever has seat 1, and seat 2, wins."""

Player = TypeVar("Player")
Nobody = TypeVar("Nobody")


def two_seats(seats: Sequence[Player], nobody: Nobody) -> tuple[Player, Player | Nobody]:
    """Return the two seats of a match; ``nobody`` stands for a missing opponent.

    Raises ValueError for a multiplayer match.
    """
    if len(seats) == 2:
        return seats[0], seats[1]
    (alone,) = seats
    return alone, nobody


def leading_side(a: int, b: int) -> Winner:
    """Return the side with the larger number, DRAW if they are equal."""
    return Winner.DRAW if a == b else Winner.A if a > b else Winner.B


class MatchEnding(StrEnum):
    """How a match ended."""

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


class SeatMark(StrEnum):
    """The state of a seat at a multiplayer table whose player is absent or left the table."""

    ABSENT = "absent"
    CONCEDED = "conceded"
    DISQUALIFIED = "disqualified"


class TieBreak(StrEnum):
    """What decided a knock-out match that was tied when time was called."""

    WARRIORS = "warriors"
    EXTRA_TURNS = "extra_turns"
    JUDGE = "judge"


MOST_BYE_GAMES = 9


@dataclass(frozen=True, kw_only=True)
class Points:
    """The points for a won, a drawn and a lost match, in units of 1 / ``parts`` of a point.

    With ``parts`` 2, 2, 1 and 0 are the 1, ½ and 0 of chess. ``floor`` is the least value of
    percentage tiebreakers, ``draw_share`` the part of a win that a drawn match counts there; None:
    in proportion to its points. ``bye_games`` are the games that a bye counts as won,
    ``forfeit_games`` those of a match won without play; with ``byes_left_out`` a bye, also a
    half-point one, is no match in a player's match-win percentage. ``dropped_cap`` limits that
    percentage for players who dropped.
    """

    win: int = 3
    draw: int = 1
    loss: int = 0
    parts: int = 1
    floor: Fraction = Fraction(1, 3)
    draw_share: Fraction | None = None
    bye_games: int = 0
    forfeit_games: int = 0
    byes_left_out: bool = False
    dropped_cap: Fraction | None = None

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


Places = tuple[int | None, ...]
"""The place of each seat, None for one that has none."""
Marks = tuple[tuple[int, SeatMark], ...]
"""What is noted of seats, by their numbers from 1, in their order."""


class OutcomeEffect(StrEnum):
    """How a decided match counts, where its places alone do not show it."""

    COUNTS = "counts"
    BOTH_LOSE = "both_lose"
    VOID = "void"
    HALF_BYE = "half_bye"
    MISSED = "missed"


_BY_EFFECT: Mapping[OutcomeEffect, Winner] = {
    OutcomeEffect.BOTH_LOSE: Winner.NONE,
    OutcomeEffect.VOID: Winner.VOID,
    OutcomeEffect.HALF_BYE: Winner.DRAW,
    OutcomeEffect.MISSED: Winner.NONE,
}
"""The winner of a match that does not count by its places."""
_BY_WINNER: Mapping[tuple[Winner, int], tuple[OutcomeEffect, Places]] = {
    (Winner.A, 1): (OutcomeEffect.COUNTS, (1,)),
    (Winner.B, 1): (OutcomeEffect.COUNTS, (2,)),
    (Winner.DRAW, 1): (OutcomeEffect.HALF_BYE, (1,)),
    (Winner.NONE, 1): (OutcomeEffect.MISSED, (2,)),
    (Winner.VOID, 1): (OutcomeEffect.VOID, (None,)),
    (Winner.A, 2): (OutcomeEffect.COUNTS, (1, 2)),
    (Winner.B, 2): (OutcomeEffect.COUNTS, (2, 1)),
    (Winner.DRAW, 2): (OutcomeEffect.COUNTS, (1, 1)),
    (Winner.NONE, 2): (OutcomeEffect.BOTH_LOSE, (2, 2)),
    (Winner.VOID, 2): (OutcomeEffect.VOID, (None, None)),
}
"""What a winner means in a match of one seat and of two; nobody wins alone but who is there."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The outcome of a match of any size: a place for each seat, and how it ended.

    Tied seats share a place. Absent and disqualified players at a multiplayer table have none, and
    nobody in a void match. If nobody wins, all share place 2. The winner may contradict the score:
    ``by_decision`` says that staff named one, with a reason.

    Of two players: ``score``, promotion points or games won by seat; ``games``, the winner of each
    in order (a, b, draw), empty if only ``games_won`` (by a, by b, drawn) are known; ``tie_break``.
    At multiplayer tables: ``marks`` are (seat, mark).
    """

    places: Places
    effect: OutcomeEffect = OutcomeEffect.COUNTS
    ended_by: MatchEnding = MatchEnding.PLAYED
    score: tuple[int, int] | None = None
    games: tuple[str, ...] = ()
    games_won: tuple[int, int, int] | None = None
    tie_break: TieBreak | None = None
    by_decision: bool = False
    marks: Marks = ()

    @cached_property
    def winner(self) -> Winner | None:
        """Return the winner; None if a seat after the second won alone."""
        if self.effect is not OutcomeEffect.COUNTS:
            return _BY_EFFECT[self.effect]
        if self.is_draw:
            return Winner.DRAW
        first = self.places.index(1) if 1 in self.places else 1
        return SEAT_WINNERS[first] if first < len(SEAT_WINNERS) else None

    @property
    def is_draw(self) -> bool:
        """Return whether several share the first place."""
        return self.effect is OutcomeEffect.COUNTS and self.places.count(1) > 1

    @property
    def counts(self) -> bool:
        """Return whether the match is not void."""
        return self.effect is not OutcomeEffect.VOID


def outcome_by_winner(
    winner: Winner,
    ended_by: MatchEnding = MatchEnding.PLAYED,
    *,
    seats: int = 2,
    score: tuple[int, int] | None = None,
    games: tuple[str, ...] = (),
    games_won: tuple[int, int, int] | None = None,
    tie_break: TieBreak | None = None,
    by_decision: bool = False,
) -> Outcome:
    """Return the outcome of a two-player match (or of a single seat) with this winner.

    ``games``: the winner of each game; ``games_won``: (seat 1, seat 2, drawn); ``by_decision``:
    staff named the winner, with a reason.
    """
    effect, places = _BY_WINNER[winner, seats]
    return Outcome(
        places=places,
        effect=effect,
        ended_by=ended_by,
        score=score,
        games=games,
        games_won=games_won,
        tie_break=tie_break,
        by_decision=by_decision,
    )


def outcome_by_places(
    places: Places | None,
    marks: Marks = (),
    ended_by: MatchEnding = MatchEnding.PLAYED,
    *,
    seats: int,
) -> Outcome:
    """Return the outcome of a multiplayer table with these places, by seat.

    ``places`` None: a void match. ``marks`` are (seat, mark).
    """
    if places is None:
        effect, places = OutcomeEffect.VOID, (None,) * seats
    else:
        effect = OutcomeEffect.COUNTS if 1 in places else OutcomeEffect.BOTH_LOSE
    return Outcome(places=places, effect=effect, ended_by=ended_by, marks=marks)


BYE = outcome_by_winner(Winner.A, MatchEnding.BYE, seats=1)
"""The outcome of whoever rests in a round."""
HALF_BYE = outcome_by_winner(Winner.DRAW, MatchEnding.BYE, seats=1)
"""The outcome of a round without opponent that is worth a draw."""
MISSED = outcome_by_winner(Winner.NONE, MatchEnding.NO_SHOW, seats=1)
"""The outcome of whoever was not there to be paired."""


def void_outcome(seats: int) -> Outcome:
    """Return the outcome of a void match with this number of seats."""
    return outcome_by_places(None, ended_by=MatchEnding.VOID, seats=seats)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A match of a group or stage: its players in seat order, and its outcome.

    ``round`` counts from 1. ``outcome`` None means not played yet. One seat is a bye or a missed
    round.
    """

    seats: tuple[PlayerId, ...]
    round: int = 0
    outcome: Outcome | None = None

    @property
    def winner(self) -> Winner | None:
        """Return the winner as ``Outcome.winner``, None before there is one."""
        return self.outcome.winner if self.outcome else None

    @property
    def places(self) -> Places | None:
        """Return the place of each seat, None if the match does not count, or not yet."""
        return self.outcome.places if self.outcome and self.outcome.counts else None

    @property
    def ended_by(self) -> MatchEnding | None:
        """Return how the match ended, None before it did."""
        return self.outcome.ended_by if self.outcome else None

    @property
    def score(self) -> tuple[int, int] | None:
        """Return promotion points or games won by seat; forfeits and byes have none."""
        return self.outcome.score if self.outcome else None

    @property
    def games_won(self) -> tuple[int, int, int] | None:
        """Return the games won by a, won by b, and drawn, if they are known."""
        return self.outcome.games_won if self.outcome else None

    @property
    def is_draw(self) -> bool:
        """Return whether several share the first place."""
        return self.outcome is not None and self.outcome.is_draw

    @property
    def is_bye(self) -> bool:
        """Return whether a player rested, with the points of a bye."""
        return len(self.seats) == 1 and self.winner is Winner.A

    @property
    def is_played(self) -> bool:
        """Return whether the match has an outcome, void ones too."""
        return self.outcome is not None

    @property
    def counts(self) -> bool:
        """Return whether the match counts: it has an outcome and is not void."""
        return self.outcome is not None and self.outcome.counts

    def score_of(self, player: PlayerId) -> int | None:
        """Return a player's score, None without any; raises ValueError if not seated here."""
        seat = self.seats.index(player)
        return self.score[seat] if self.score else None

    def without_outcome(self) -> "Result":
        """Return the same match as not played yet."""
        return Result(seats=self.seats, round=self.round)


def two_player_result(
    a: PlayerId,
    b: PlayerId | None = None,
    *,
    round: int = 0,
    winner: Winner | None = None,
    score: tuple[int, int] | None = None,
    games: tuple[int, int, int] | None = None,
    ended_by: MatchEnding = MatchEnding.PLAYED,
) -> Result:
    """Return the result of a two-player match, or of a bye if ``b`` is None.

    ``score`` is (a, b), ``games`` are (won by a, won by b, drawn). Without a ``winner`` it is not
    played yet.
    """
    seats: tuple[PlayerId, ...] = (a,) if b is None else (a, b)
    if winner is None:
        return Result(seats=seats, round=round)
    outcome = outcome_by_winner(winner, ended_by, seats=len(seats), score=score, games_won=games)
    return Result(seats=seats, round=round, outcome=outcome)
