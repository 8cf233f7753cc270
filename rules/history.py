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
    def meetings(self) -> Mapping[PlayerId, tuple[Meeting, ...]]:
        """Return each player's counted matches in the order of the results."""
        found: dict[PlayerId, list[Meeting]] = {player: [] for player in self.players}
        for result in self.results:
            for player in (result.a, result.b):
                if player is not None and player not in found:
                    raise ValueError(f"A result names {player!r}, who is not among the players.")
            if result.counts:
                found[result.a].append(self._seen_by_a(result))
                if result.b is not None:
                    found[result.b].append(self._seen_by_b(result))
        return {player: tuple(meetings) for player, meetings in found.items()}

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

    @cached_property
    def tallies(self) -> Mapping[PlayerId, Tally]:
        """Return each player's sums."""
        tallies: dict[PlayerId, Tally] = {}
        for player, meetings in self.meetings.items():
            tally = tallies[player] = Tally(played=len(meetings))
            for meeting in meetings:
                if meeting.outcome == "won":
                    tally.won += 1
                elif meeting.outcome == "drawn":
                    tally.drawn += 1
                else:
                    tally.lost += 1
                tally.points += meeting.points
                tally.made += meeting.made
                tally.conceded += meeting.conceded
                if meeting.games is not None:
                    tally.games_won += meeting.games[0]
                    tally.games_drawn += meeting.games[2]
                    tally.games_played += sum(meeting.games)
        return tallies

    @cached_property
    def opponents(self) -> Mapping[PlayerId, tuple[PlayerId, ...]]:
        """Return whom each player met; who was met twice is there twice."""
        return {
            player: tuple(meeting.opponent for meeting in meetings if meeting.opponent is not None)
            for player, meetings in self.meetings.items()
        }

    @cached_property
    def lot_of(self) -> Mapping[PlayerId, int]:
        """Return the position, 1 the best, of each player whose lot has been drawn."""
        return {player: position for position, player in enumerate(self.lots, start=1)}

    def among(self, level: Sequence[PlayerId]) -> Mapping[PlayerId, tuple[Meeting, ...]]:
        """Return the counted matches in which both players are among the level ones."""
        inside = frozenset(level)
        return {
            player: tuple(
                meeting for meeting in self.meetings[player] if meeting.opponent in inside
            )
            for player in level
        }
