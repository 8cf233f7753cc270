"""All results of a group or stage, collected once into columns and lists by seat.

``GroupHistory`` is what is known of players whatever the size of their matches, ``History`` that of
matches of two. A seat is a player's index in ``players``. An additional seat after the last stands
for the missing opponent of a bye, so that loops need no special case.

Results are columns, one sequence for each number, read one after the other: making the results of a
large event one by one, or a loop over objects, would take longer than ranking its players.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress, count
from operator import eq, itemgetter
from typing import Any, NamedTuple

from rules.results import Outcome, PlayerId, Points, Result, Winner, two_seats

Numbers = Sequence[Any]
"""Integers, or None where there is none."""
_NO_SCORE: tuple[int | None, int | None] = (None, None)
_NOTHING = Outcome(places=())
_NO_GAMES: tuple[int | None, int | None, int | None] = (None, None, None)


class ResultColumns(NamedTuple):
    """The results of a group in columns of equal length, one value per match.

    ``a`` and ``b`` are seats: indexes of the group's players; the index after the last stands for a
    missing opponent. If ``score_a`` is None there is no score, if ``games_a`` is None the games are
    unknown; the other columns of either are then ignored.
    """

    a: Sequence[int]
    b: Sequence[int]
    winner: Sequence[Winner | None]
    score_a: Numbers
    score_b: Numbers
    games_a: Numbers
    games_b: Numbers
    games_drawn: Numbers


Results = Sequence[Result] | ResultColumns
"""The results of a group, one by one or in columns."""


def match_winners(results: Results) -> Sequence[Winner | None]:
    """Return the winner of each match (None: not played yet), in the order of results."""
    if isinstance(results, ResultColumns):
        return results.winner
    return [one.outcome.winner if one.outcome else None for one in results]


def match_scores(results: Results) -> Sequence[Numbers]:
    """Return (scores of all players a, scores of all players b), by match.

    Both are None for a match without a score.
    """
    if isinstance(results, ResultColumns):
        return results[3:5]
    return transpose([one.score or _NO_SCORE for one in _outcomes(results)], width=2)


def match_games(results: Results) -> Sequence[Numbers]:
    """Return (games won by a, games won by b, drawn games), each a sequence by match.

    All are None for a match whose games are unknown.
    """
    if isinstance(results, ResultColumns):
        return results[5:]
    return transpose([one.games_won or _NO_GAMES for one in _outcomes(results)], width=3)


def _outcomes(results: Sequence[Result]) -> list[Outcome]:
    return [one.outcome or _NOTHING for one in results]


def select_results(results: Results, places: Sequence[int]) -> Results:
    """Return the results at these indexes."""
    if isinstance(results, ResultColumns):
        return ResultColumns._make([values_at(column, places) for column in results])
    return values_at(results, places)


def transpose(rows: Sequence[Sequence[Any]], *, width: int) -> list[tuple[Any, ...]]:
    """Return the columns of rows that all have this width.

    For many rows this saves the objects that ``zip`` would create.
    """
    return [tuple(map(itemgetter(column), rows)) for column in range(width)]


def values_at(values: Any, keys: Sequence[Any]) -> tuple[Any, ...]:
    """Return the values at these keys or indexes; six times as fast as a loop."""
    if len(keys) < 2:  # of one key alone, itemgetter returns the bare value
        return tuple([values[key] for key in keys])
    found: tuple[Any, ...] = itemgetter(*keys)(values)
    return found


Seats = Sequence[int]
Sides = Sequence[Sequence[Any]]
_STRANGER = -1
_SPARSE = 8
"""Most places of a list of seats by number, as a multiple of the players."""
_A, _B, _DRAW, _NONE = Winner.A, Winner.B, Winner.DRAW, Winner.NONE


class OutcomeCounts(NamedTuple):
    """The numbers of matches won, drawn and lost, by seat (index of the player)."""

    won: list[int]
    drawn: list[int]
    lost: list[int]


class SeatedResults(NamedTuple):
    """The matches that count, by seat: an index of the group's players.

    ``a`` and ``b`` are the seats of both players of each match, ``results`` its results;
    ``outcomes`` are the wins, draws and losses of each seat.
    """

    a: Seats
    b: Seats
    results: Results
    outcomes: OutcomeCounts


def seat_results(results: Results, players: Sequence[PlayerId]) -> SeatedResults:
    """Return the results of matches that count, with seats for the players' identifiers.

    Matches that are void or not played yet don't count. Raises ValueError if a result names an
    unknown player.
    """
    if isinstance(results, ResultColumns):
        a, b = results.a, results.b
    else:
        sides = transpose([two_seats(one.seats, None) for one in results], width=2)
        a, b = _by_number(sides, players) or _by_name(sides, players)
    winners = match_winners(results)
    outcomes, all_count = _outcomes_of_seats(a, b, winners, len(players) + 1)
    if all_count:
        return SeatedResults(a, b, results, outcomes)
    counted = [at for at, winner in enumerate(winners) if winner not in (None, Winner.VOID)]
    return SeatedResults(
        values_at(a, counted), values_at(b, counted), select_results(results, counted), outcomes
    )


def _by_number(sides: Sides, players: Sequence[Any]) -> tuple[Seats, Seats] | None:
    """Look seats up in a list, which is faster; None unless all player ids are small integers."""
    small = range(_SPARSE * len(players))
    if {*map(type, players)} != {int} or min(players) < 0 or max(players) not in small:
        return None
    seats = [_STRANGER] * (max(players) + 1)
    for seat, number in enumerate(players):
        seats[number] = seat
    try:
        found = (
            _seats_of_side(sides[0], seats),
            _seats_of_side(sides[1], seats, nobody=len(players)),
        )
    except (IndexError, TypeError):
        return None
    known = len(seats) == len(players) or not any(_STRANGER in side for side in found)
    return found if known else None


def _seats_of_side(side: Sequence[Any], seats: Seats, nobody: int | None = None) -> Seats:
    """Return the seats of one side; raises IndexError or TypeError for an id that has no seat."""
    try:
        found = tuple([seats[one] for one in side if one >= 0])
    except TypeError:
        if nobody is None:
            raise
        found = tuple(
            [nobody if one is None else seats[one] for one in side if one is None or one >= 0]
        )
    if len(found) < len(side):  # a list would count negative numbers from its end
        raise IndexError
    return found


def _by_name(sides: Sides, players: Sequence[Any]) -> tuple[Seats, Seats]:
    seats: dict[Any, int] = {name: seat for seat, name in enumerate(players)}
    try:
        a = values_at(seats, sides[0])
        seats[None] = len(players)
        return a, values_at(seats, sides[1])
    except KeyError as unknown:
        name = unknown.args[0]
        raise ValueError(f"A result names {name!r}, who is not among the players.") from None


def _outcomes_of_seats(
    all_a: Seats, all_b: Seats, winners: Sequence[Winner | None], size: int
) -> tuple[OutcomeCounts, bool]:
    """Return wins, draws and losses by seat, and whether every match counts."""
    won, drawn, lost = [0] * size, [0] * size, [0] * size
    all_count = True
    for a, b, winner in zip(all_a, all_b, winners, strict=True):
        if winner is _A:
            won[a] += 1
            lost[b] += 1
        elif winner is _B:
            won[b] += 1
            lost[a] += 1
        elif winner is _DRAW:
            drawn[a] += 1
            drawn[b] += 1
        elif winner is _NONE:
            lost[a] += 1
            lost[b] += 1
        else:
            all_count = False
    return OutcomeCounts(won, drawn, lost), all_count


Record = tuple[int, int, int, int]
"""How many matches of a player count, and how many were won, drawn and lost."""


@dataclass(frozen=True, kw_only=True)
class GroupHistory(ABC):
    """The players and results of a group or stage, from which tiebreakers compute values.

    ``penalties`` is the number of each player's penalties; ``lots`` is the order of a random draw,
    best first. Values are computed on first access and cached; tiebreakers cache theirs in
    ``columns`` by key. Subclasses are for two-player matches and multiplayer tables.
    """

    players: tuple[PlayerId, ...]
    penalties: Mapping[PlayerId, int] = field(default_factory=dict)
    lots: tuple[PlayerId, ...] = ()
    columns: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    @property
    @abstractmethod
    def outcomes(self) -> OutcomeCounts:
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


_ENDED: Mapping[Winner | None, tuple[str, str]] = {
    Winner.A: ("won", "lost"),
    Winner.B: ("lost", "won"),
    Winner.DRAW: ("drawn", "drawn"),
    Winner.NONE: ("lost", "lost"),
}
"""By who won: how a match ended for a and for b."""


class PlayerMatch(NamedTuple):
    """A match that counts, from one player's side; ``opponent`` None: a bye.

    ``outcome`` is "won", "drawn" or "lost", ``points`` are match points; ``made`` and ``conceded``
    are scores; ``games`` are (won, lost, drawn), None if unknown.
    """

    opponent: PlayerId | None
    outcome: str
    points: int
    made: int
    conceded: int
    games: tuple[int, int, int] | None


class SeatScores(NamedTuple):
    """Points scored and conceded in matches, by seat (index of the player)."""

    made: list[int]
    conceded: list[int]


@dataclass(frozen=True, kw_only=True)
class History(GroupHistory):
    """The players and results of a group or stage of two-player matches.

    Results that are missing or void are ignored. ``points`` are those of a win, draw and loss;
    ``dropped`` are players who dropped before the end. Raises ValueError if a result names an
    unknown player.
    """

    results: Results
    points: Points = field(default_factory=Points)
    dropped: Collection[PlayerId] = ()

    @cached_property
    def _matches(self) -> SeatedResults:
        """Return all counted matches as parallel lists."""
        return seat_results(self.results, self.players)

    @property
    def seats(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return the seats of players a and b of all counted matches."""
        return self._matches.a, self._matches.b

    @property
    def counted(self) -> Results:
        """Return the results of all counted matches."""
        return self._matches.results

    @cached_property
    def outcomes(self) -> OutcomeCounts:
        """Return wins, draws and losses by seat."""
        return self._matches.outcomes

    @cached_property
    def byes(self) -> tuple[list[int], list[int]]:
        """Return the number of byes, and of halves of one, by seat."""
        whole, half, nobody = self.nothing(), self.nothing(), len(self.players)
        for a, b, winner in zip(*self.seats, match_winners(self.counted), strict=True):
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
    def scores(self) -> SeatScores:
        """Return the scores by seat; matches without an opponent add none.

        Source: tournament rules, Points.
        """
        made, conceded, nobody = self.nothing(), self.nothing(), len(self.players)
        for a, b, own, theirs in zip(*self.seats, *match_scores(self.counted), strict=True):
            if own is not None and b != nobody:
                made[a] += own
                made[b] += theirs
                conceded[a] += theirs
                conceded[b] += own
        return SeatScores(made, conceded)

    @cached_property
    def games(self) -> tuple[list[int], list[int], list[int]]:
        """Return games won, drawn and played by seat, over the matches whose games are known.

        A bye whose games are unknown is won with ``Points.bye_games``, a match against an
        opponent with ``Points.forfeit_games``.
        """
        won, drawn, played = self.nothing(), self.nothing(), self.nothing()
        for a, b, own, theirs, level in zip(*self.seats, *match_games(self.counted), strict=True):
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
        if self.points.bye_games or self.points.forfeit_games:
            self._add_unplayed_games(won, played)
        return won, drawn, played

    def _add_unplayed_games(self, won: list[int], played: list[int]) -> None:
        nobody = len(self.players)
        columns = *self.seats, match_winners(self.counted), match_games(self.counted)[0]
        for a, b, winner, known in zip(*columns, strict=True):
            if known is None and winner in (Winner.A, Winner.B):
                games = self.points.bye_games if b == nobody else self.points.forfeit_games
                won[a if winner is Winner.A else b] += games
                played[a] += games
                played[b] += games

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
        kept = select_results(self.counted, places)
        if isinstance(kept, ResultColumns):
            new = {seat: number for number, seat in enumerate((*seats, len(self.players)))}
            kept = kept._replace(a=values_at(new, kept.a), b=values_at(new, kept.b))
        return replace(self, players=values_at(self.players, seats), results=kept)

    @cached_property
    def _meetings(self) -> Mapping[PlayerId, Sequence[PlayerMatch]]:
        """Return each player's counted matches."""
        found: dict[PlayerId, list[PlayerMatch]] = {}
        names, counted = (*self.players, None), self.counted
        columns = *self.seats, match_winners(counted), *match_scores(counted), *match_games(counted)
        for seat_a, seat_b, winner, own, theirs, won, lost, drawn in zip(*columns, strict=True):
            a, b = self.players[seat_a], names[seat_b]
            ended, (made, given) = _ENDED[winner], self.points.by_winner[winner]
            if own is None or b is None:
                own = theirs = 0
            games = None if won is None else (won, lost, drawn)
            found.setdefault(a, []).append(PlayerMatch(b, ended[0], made, own, theirs, games))
            if b is not None:
                turned = games and (lost, won, drawn)
                found.setdefault(b, []).append(PlayerMatch(a, ended[1], given, theirs, own, turned))
        return found

    def meetings(self, player: PlayerId) -> tuple[PlayerMatch, ...]:
        """Return a player's counted matches in the order of the results."""
        return tuple(self._meetings.get(player, ()))

    def among(self, level: Sequence[PlayerId]) -> Mapping[PlayerId, Sequence[PlayerMatch]]:
        """Return the counted matches in which both players are in the level."""
        inside, known = frozenset(level), self._meetings
        if known.keys().isdisjoint(level):
            return dict.fromkeys(level, ())
        return {
            player: [one for one in known.get(player, ()) if one.opponent in inside]
            for player in level
        }
