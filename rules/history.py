"""All results of one group or stage, indexed once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from rules.results import PlayerId, Points, Result, Winner

_OTHER_SIDE: Mapping[Winner | None, Winner] = {Winner.A: Winner.B, Winner.B: Winner.A}


class Meeting(NamedTuple):
    """One counted match seen from one player; ``opponent`` None = without opponent."""

    opponent: PlayerId | None
    outcome: str
    points: int
    made: int
    conceded: int
    games: tuple[int, int, int] | None


@dataclass(slots=True)
class Tally:
    """A player's sums over all counted matches; score without the matches that have none."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: int = 0
    made: int = 0
    conceded: int = 0
    games_won: int = 0
    games_drawn: int = 0
    games_played: int = 0

    def add_games(self, won: int, drawn: int, played: int) -> None:
        """Count the games of a match."""
        self.games_won += won
        self.games_drawn += drawn
        self.games_played += played


@dataclass(frozen=True, slots=True)
class _Index:
    """What one pass over the results finds for each player."""

    tallies: dict[PlayerId, Tally]
    results: dict[PlayerId, list[Result]]
    opponents: dict[PlayerId, list[PlayerId]]


@dataclass(frozen=True, kw_only=True)
class History:
    """The players of a group or stage, its results, and what points they bring.

    ``penalties`` counts a player's penalties; ``lots`` is the order drawn, first is best.
    Results that have not been played or are void count for nothing. Raises ValueError where
    a result names somebody who is not among the players.
    """

    players: tuple[PlayerId, ...]
    results: tuple[Result, ...]
    points: Points = field(default_factory=Points)
    penalties: Mapping[PlayerId, int] = field(default_factory=dict)
    lots: tuple[PlayerId, ...] = ()

    @cached_property
    def _index(self) -> _Index:
        """Return sums, opponents and counted results by player, in one pass."""
        tallies = {player: Tally() for player in self.players}
        results: dict[PlayerId, list[Result]] = {player: [] for player in self.players}
        opponents: dict[PlayerId, list[PlayerId]] = {player: [] for player in self.players}
        win, draw, loss = self.points.win, self.points.draw, self.points.loss
        for result in self.results:
            a, b, winner = result.a, result.b, result.winner
            if a not in tallies or (b is not None and b not in tallies):
                raise ValueError(f"A result names {a!r} or {b!r}, who is not among the players.")
            if winner is None or winner is Winner.VOID:
                continue
            own = tallies[a]
            results[a].append(result)
            own.played += 1
            if winner is Winner.A:
                own.won += 1
                own.points += win
            elif winner is Winner.DRAW:
                own.drawn += 1
                own.points += draw
            else:
                own.lost += 1
                own.points += loss
            if result.games is not None:
                own.add_games(result.games[0], result.games[2], sum(result.games))
            if b is None:
                continue
            other = tallies[b]
            results[b].append(result)
            opponents[a].append(b)
            opponents[b].append(a)
            other.played += 1
            if winner is Winner.B:
                other.won += 1
                other.points += win
            elif winner is Winner.DRAW:
                other.drawn += 1
                other.points += draw
            else:
                other.lost += 1
                other.points += loss
            if result.score is not None:  # without an opponent there is none (Points)
                made, conceded = result.score
                own.made += made
                own.conceded += conceded
                other.made += conceded
                other.conceded += made
            if result.games is not None:
                other.add_games(result.games[1], result.games[2], sum(result.games))
        return _Index(tallies, results, opponents)

    def meetings(self, player: PlayerId) -> tuple[Meeting, ...]:
        """Return a player's counted matches in the order of the results."""
        return tuple(self._seen(player, result) for result in self._index.results[player])

    def _seen(self, player: PlayerId, result: Result) -> Meeting:
        return self._seen_by_a(result) if result.a == player else self._seen_by_b(result)

    def _seen_by_a(self, result: Result) -> Meeting:
        # Without an opponent there is no score (tournament rules, Points).
        made, conceded = result.score if result.score and result.b is not None else (0, 0)
        outcome, points = self._gains[result.winner]
        return Meeting(result.b, outcome, points, made, conceded, result.games)

    def _seen_by_b(self, result: Result) -> Meeting:
        conceded, made = result.score or (0, 0)
        games = result.games and (result.games[1], result.games[0], result.games[2])
        outcome, points = self._gains[_OTHER_SIDE.get(result.winner, result.winner)]
        return Meeting(result.a, outcome, points, made, conceded, games)

    @cached_property
    def _gains(self) -> Mapping[Winner | None, tuple[str, int]]:
        """Return what a match brings a player a, by who won it."""
        points = self.points
        return {
            Winner.A: ("won", points.win),
            Winner.DRAW: ("drawn", points.draw),
            Winner.B: ("lost", points.loss),
            Winner.NONE: ("lost", points.loss),
        }

    @property
    def tallies(self) -> Mapping[PlayerId, Tally]:
        """Return each player's sums."""
        return self._index.tallies

    @property
    def opponents(self) -> Mapping[PlayerId, Sequence[PlayerId]]:
        """Return whom each player met; who was met twice is there twice."""
        return self._index.opponents

    @cached_property
    def opponents_points(self) -> Mapping[PlayerId, int]:
        """Return the sum of the points of everybody whom each player met."""
        points = {player: tally.points for player, tally in self._index.tallies.items()}
        return {
            player: sum([points[other] for other in met])
            for player, met in self._index.opponents.items()
        }

    @cached_property
    def lot_of(self) -> Mapping[PlayerId, int]:
        """Return the position, 1 the best, of each player whose lot has been drawn."""
        return {player: position for position, player in enumerate(self.lots, start=1)}

    def among(self, level: Sequence[PlayerId]) -> Mapping[PlayerId, tuple[Meeting, ...]]:
        """Return the counted matches in which both players are among the level ones."""
        inside = frozenset(level)
        results = self._index.results
        return {
            player: tuple(
                self._seen(player, result)
                for result in results[player]
                if (result.b if result.a == player else result.a) in inside
            )
            for player in level
        }
