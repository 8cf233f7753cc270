"""All results of a group or stage of matches of two, collected once into lists by seat.

A seat is a player's index in ``players``. An additional seat after the last stands for the
missing opponent of a bye, so that loops need no special case.
"""

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress, count
from operator import eq
from typing import NamedTuple

from rules.history.columns import (
    ResultColumns,
    Results,
    games_of,
    results_at,
    scores_of,
    values_at,
    winners_of,
)
from rules.history.of_any_size import GroupHistory
from rules.history.seats import Outcomes, SeatedResults, seated
from rules.results import PlayerId, Points, Winner

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
class History(GroupHistory):
    """The players of a group or stage of matches of two, its results, and what they are worth.

    Results that are missing or void are ignored. ``dropped`` are players who left before the end.
    Raises ValueError if a result names somebody who is not among the players.
    """

    results: Results
    points: Points = field(default_factory=Points)
    dropped: Collection[PlayerId] = ()

    @cached_property
    def _matches(self) -> SeatedResults:
        """Return all counted matches as parallel lists."""
        return seated(self.results, self.players)

    @property
    def seats(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return the seats of players a and b of all counted matches."""
        return self._matches.a, self._matches.b

    @property
    def counted(self) -> Results:
        """Return the results of all counted matches."""
        return self._matches.results

    @cached_property
    def outcomes(self) -> Outcomes:
        """Return wins, draws and losses by seat."""
        return self._matches.outcomes

    @cached_property
    def byes(self) -> tuple[list[int], list[int]]:
        """Return the number of byes, and of halves of one, by seat."""
        whole, half, nobody = self.nothing(), self.nothing(), len(self.players)
        for a, b, winner in zip(*self.seats, winners_of(self.counted), strict=True):
            if b == nobody:
                whole[a] += winner is Winner.A
                half[a] += winner is Winner.DRAW
        return whole, half

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
        for a, b, own, theirs in zip(*self.seats, *scores_of(self.counted), strict=True):
            if own is not None and b != nobody:
                made[a] += own
                made[b] += theirs
                conceded[a] += theirs
                conceded[b] += own
        return Scores(made, conceded)

    @cached_property
    def games(self) -> Games:
        """Return the games by seat; a bye whose games are unknown has ``Points.bye_games``."""
        won, drawn, played = self.nothing(), self.nothing(), self.nothing()
        for a, b, own, theirs, level in zip(*self.seats, *games_of(self.counted), strict=True):
            if own is None:
                continue
            total = own + theirs + level
            won[a] += own
            won[b] += theirs
            played[a] += total
            played[b] += total
            if level:
                drawn[a] += level
                drawn[b] += level
        if self.points.bye_games:
            nobody, known = len(self.players), games_of(self.counted)[0]
            columns = *self.seats, winners_of(self.counted), known
            for a, b, winner, own in zip(*columns, strict=True):
                if b == nobody and winner is Winner.A and own is None:
                    won[a] += self.points.bye_games
                    played[a] += self.points.bye_games
        return Games(won, drawn, played)

    def of_opponents(self, values: Sequence[int]) -> list[int]:
        """Return, by seat, the sum of a value over all opponents; repeated ones count again."""
        sums = self.nothing()
        for a, b in zip(*self.seats, strict=True):
            sums[a] += values[b]
            sums[b] += values[a]
        return sums

    @cached_property
    def met(self) -> list[int]:
        """Return, by seat, the number of matches against an opponent."""
        met, nobody = self.played.copy(), len(self.players)
        if nobody in self._matches.b:
            for a, b in zip(*self.seats, strict=True):
                met[a] -= b == nobody
        met[nobody] = 0
        return met

    @cached_property
    def opponents(self) -> Mapping[PlayerId, Sequence[PlayerId]]:
        """Return each player's opponents; repeated opponents are repeated."""
        found: dict[PlayerId, list[PlayerId]] = {player: [] for player in self.players}
        nobody = len(self.players)
        for a, b in zip(*self.seats, strict=True):
            if b != nobody:
                one, other = self.players[a], self.players[b]
                found[one].append(other)
                found[other].append(one)
        return found

    def within(self, levels: Iterable[Sequence[int]]) -> tuple["History", frozenset[int]]:
        """Return the history restricted to matches between players of the same level.

        ``levels`` holds seats; players without such a match are left out. Also return the seats
        of those who have one.
        """
        level_of = [*range(len(self.players) + 1)]  # everybody on a level of their own
        for number, level in enumerate(levels, start=len(level_of)):
            for seat in level:
                level_of[seat] = number
        same = map(eq, *(values_at(level_of, seats) for seats in self.seats))
        places = [*compress(count(), same)]
        met = {seat for seats in self.seats for seat in values_at(seats, places)}
        return self._restrict(sorted(met), places), frozenset(met)

    def among_players(self, kept: Container[PlayerId]) -> "History":
        """Return the history of some of its players: without matches against the others."""
        nobody = len(self.players)
        seats = [seat for seat, player in enumerate(self.players) if player in kept]
        if len(seats) == nobody:
            return self
        inside = {*seats, nobody}
        pairs = enumerate(zip(*self.seats, strict=True))
        return self._restrict(seats, [at for at, pair in pairs if inside.issuperset(pair)])

    def _restrict(self, seats: Sequence[int], places: Sequence[int]) -> "History":
        """Return the history of some seats, in this order, and some of their counted matches."""
        kept = results_at(self.counted, places)
        if isinstance(kept, ResultColumns):
            new = {seat: number for number, seat in enumerate((*seats, len(self.players)))}
            kept = kept._replace(a=values_at(new, kept.a), b=values_at(new, kept.b))
        return replace(self, players=values_at(self.players, seats), results=kept)

    @cached_property
    def _meetings(self) -> Mapping[PlayerId, Sequence[Meeting]]:
        """Return each player's counted matches."""
        found: dict[PlayerId, list[Meeting]] = {}
        names, counted = (*self.players, None), self.counted
        columns = *self.seats, winners_of(counted), *scores_of(counted), *games_of(counted)
        for seat_a, seat_b, winner, own, theirs, won, lost, drawn in zip(*columns, strict=True):
            a, b = self.players[seat_a], names[seat_b]
            ended, (made, given) = _ENDED[winner], self.points.by_winner[winner]
            if own is None or b is None:
                own = theirs = 0
            games = None if won is None else (won, lost, drawn)
            found.setdefault(a, []).append(Meeting(b, ended[0], made, own, theirs, games))
            if b is not None:
                turned = games and (lost, won, drawn)
                found.setdefault(b, []).append(Meeting(a, ended[1], given, theirs, own, turned))
        return found

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
