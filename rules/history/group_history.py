"""All results of one group or stage, collected once into lists by seat.

A seat is a player's index in ``players``. An additional seat after the last stands for the
missing opponent of a bye, so that loops need no special case.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from rules.history.seats import Outcomes, Seated, seated
from rules.results import PlayerId, Points, Result, Winner

_ENDED: Mapping[Winner | None, tuple[str, str]] = {
    Winner.A: ("won", "lost"),
    Winner.B: ("lost", "won"),
    Winner.DRAW: ("drawn", "drawn"),
    Winner.NONE: ("lost", "lost"),
}
"""By who won: how a match ended for a and for b."""


class Meeting(NamedTuple):
    """One counted match from one player's side; ``opponent`` None = no opponent."""

    opponent: PlayerId | None
    outcome: str
    points: int
    made: int
    conceded: int
    games: tuple[int, int, int] | None


def meetings_of(results: Iterable[Result], points: Points) -> dict[PlayerId, list[Meeting]]:
    """Return each player's matches in the order of the results.

    Every result must count: it has a winner and is not void.
    """
    found: dict[PlayerId, list[Meeting]] = {}
    for result in results:
        ended, made = _ENDED[result.winner], points.of(result)
        own, theirs = (result.score or (0, 0)) if result.b is not None else (0, 0)
        seen = Meeting(result.b, ended[0], made[0], own, theirs, result.games)
        found.setdefault(result.a, []).append(seen)
        if result.b is not None:
            games = result.games and (result.games[1], result.games[0], result.games[2])
            seen = Meeting(result.a, ended[1], made[1], theirs, own, games)
            found.setdefault(result.b, []).append(seen)
    return found


@dataclass(slots=True)
class Tally:
    """A player's totals over all counted matches; matches without a score add none."""

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


Record = tuple[int, int, int, int]
"""How many matches of a player count, and how many were won, drawn and lost."""


class Scores(NamedTuple):
    """Score made and conceded, by seat."""

    made: list[int]
    conceded: list[int]


class Games(NamedTuple):
    """Games won, drawn and played by seat, over the matches whose games are known."""

    won: list[int]
    drawn: list[int]
    played: list[int]


@dataclass(frozen=True, kw_only=True)
class History:
    """The players of a group or stage, its results, and the points they are worth.

    ``penalties`` counts each player's penalties; ``lots`` is the order drawn, best first. Results
    that are missing or void are ignored. Raises ValueError if a result names somebody who is not
    among the players. Values are computed on first access and cached; criteria cache theirs in
    ``columns`` by key.
    """

    players: tuple[PlayerId, ...]
    results: Sequence[Result]
    points: Points = field(default_factory=Points)
    penalties: Mapping[PlayerId, int] = field(default_factory=dict)
    lots: tuple[PlayerId, ...] = ()
    columns: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    @cached_property
    def _matches(self) -> Seated:
        """Return all counted matches as parallel lists."""
        return seated(self.results, self.players)

    @property
    def matches(self) -> Iterator[tuple[int, int, Result]]:
        """Return the counted matches with the seats of their players."""
        return zip(*self._matches[:3], strict=True)

    def nothing(self) -> list[int]:
        """Return a list of zeros, one for each seat."""
        return [0] * (len(self.players) + 1)

    @property
    def outcomes(self) -> Outcomes:
        """Return wins, draws and losses by seat."""
        return self._matches.outcomes

    @cached_property
    def played(self) -> list[int]:
        """Return the number of counted matches by seat."""
        return [won + drawn + lost for won, drawn, lost in zip(*self.outcomes, strict=True)]

    @cached_property
    def points_made(self) -> list[int]:
        """Return the points by seat; the extra seat has none."""
        win, draw, loss = self.points.win, self.points.draw, self.points.loss
        made = [
            won * win + drawn * draw + lost * loss
            for won, drawn, lost in zip(*self.outcomes, strict=True)
        ]
        made[-1] = 0
        return made

    @cached_property
    def scores(self) -> Scores:
        """Return the scores by seat; matches without an opponent add none.

        Source: tournament rules, Points.
        """
        made, conceded, nobody = self.nothing(), self.nothing(), len(self.players)
        for a, b, result in self.matches:
            score = result.score
            if score is not None and b != nobody:
                own, theirs = score
                made[a] += own
                made[b] += theirs
                conceded[a] += theirs
                conceded[b] += own
        return Scores(made, conceded)

    @cached_property
    def games(self) -> Games:
        """Return the games by seat."""
        won, drawn, played = self.nothing(), self.nothing(), self.nothing()
        for a, b, result in self.matches:
            if result.games is not None:
                own, theirs, level = result.games
                total = own + theirs + level
                won[a] += own
                won[b] += theirs
                played[a] += total
                played[b] += total
                if level:
                    drawn[a] += level
                    drawn[b] += level
        return Games(won, drawn, played)

    def of_opponents(self, values: Sequence[int]) -> list[int]:
        """Return, by seat, the sum of a value over all opponents; repeated ones count again."""
        sums = self.nothing()
        for a, b in zip(*self._matches[:2], strict=True):
            sums[a] += values[b]
            sums[b] += values[a]
        return sums

    @cached_property
    def met(self) -> list[int]:
        """Return, by seat, the number of matches against an opponent."""
        met, nobody = self.played.copy(), len(self.players)
        if nobody in self._matches.b:
            for a, b in zip(*self._matches[:2], strict=True):
                met[a] -= b == nobody
        met[nobody] = 0
        return met

    @cached_property
    def opponents(self) -> Mapping[PlayerId, Sequence[PlayerId]]:
        """Return each player's opponents; repeated opponents are repeated."""
        found: dict[PlayerId, list[PlayerId]] = {player: [] for player in self.players}
        for result in self._matches.results:
            if result.b is not None:
                found[result.a].append(result.b)
                found[result.b].append(result.a)
        return found

    @cached_property
    def records(self) -> Mapping[PlayerId, Record]:
        """Return each player's counted matches and their outcomes."""
        return dict(zip(self.players, zip(self.played, *self.outcomes, strict=True), strict=False))

    @cached_property
    def tallies(self) -> Mapping[PlayerId, Tally]:
        """Return each player's totals."""
        sums = zip(self.points_made, *self.scores, *self.games, strict=True)
        return {
            player: Tally(*record, *numbers)
            for (player, record), numbers in zip(self.records.items(), sums, strict=False)
        }

    @cached_property
    def lot_of(self) -> Mapping[PlayerId, int]:
        """Return the position, from 1, of each player in the order drawn."""
        return {player: position for position, player in enumerate(self.lots, start=1)}

    def within(self, levels: Iterable[Sequence[int]]) -> "History":
        """Return the history restricted to matches between players of the same level.

        ``levels`` holds seats; players without such a match are left out.
        """
        level_of = [*range(len(self.players) + 1)]  # everybody on a level of their own
        for number, level in enumerate(levels, start=len(level_of)):
            for seat in level:
                level_of[seat] = number
        inside = [result for a, b, result in self.matches if level_of[a] == level_of[b]]
        met = {player for result in inside for player in (result.a, result.b) if player is not None}
        players = tuple([player for player in self.players if player in met])
        return replace(self, players=players, results=tuple(inside))

    @cached_property
    def _meetings(self) -> Mapping[PlayerId, Sequence[Meeting]]:
        return meetings_of(self._matches.results, self.points)

    def meetings(self, player: PlayerId) -> tuple[Meeting, ...]:
        """Return a player's counted matches in the order of the results."""
        return tuple(self._meetings.get(player, ()))

    def among(self, level: Sequence[PlayerId]) -> Mapping[PlayerId, Sequence[Meeting]]:
        """Return the counted matches in which both players are in the level."""
        inside, known = frozenset(level), self._meetings
        if known.keys().isdisjoint(level):
            return dict.fromkeys(level, ())
        return {
            player: [one for one in known.get(player, ()) if one.opponent in inside]
            for player in level
        }
