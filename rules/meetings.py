"""Matches as each of their two players sees them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rules.results import PlayerId, Points, Result, Winner

_OTHER_SIDE: Mapping[Winner | None, Winner] = {Winner.A: Winner.B, Winner.B: Winner.A}
_Gains = Mapping[Winner | None, tuple[str, int]]


class Meeting(NamedTuple):
    """One counted match seen from one player; ``opponent`` None = without opponent."""

    opponent: PlayerId | None
    outcome: str
    points: int
    made: int
    conceded: int
    games: tuple[int, int, int] | None


def meetings_of(results: Iterable[Result], points: Points) -> dict[PlayerId, list[Meeting]]:
    """Return the matches of everybody who has some, in the order of the results.

    All results must count: they have a winner and are not void.
    """
    found: dict[PlayerId, list[Meeting]] = {}
    gains = _gains(points)
    for result in results:
        found.setdefault(result.a, []).append(_seen_by_a(result, gains))
        if result.b is not None:
            found.setdefault(result.b, []).append(_seen_by_b(result, gains))
    return found


def _seen_by_a(result: Result, gains: _Gains) -> Meeting:
    made, conceded = result.score if result.score and result.b is not None else (0, 0)
    outcome, points = gains[result.winner]
    return Meeting(result.b, outcome, points, made, conceded, result.games)


def _seen_by_b(result: Result, gains: _Gains) -> Meeting:
    conceded, made = result.score or (0, 0)
    games = result.games and (result.games[1], result.games[0], result.games[2])
    outcome, points = gains[_OTHER_SIDE.get(result.winner, result.winner)]
    return Meeting(result.a, outcome, points, made, conceded, games)


def _gains(points: Points) -> _Gains:
    """Return what a match brings a player a, by who won it."""
    return {
        Winner.A: ("won", points.win),
        Winner.DRAW: ("drawn", points.draw),
        Winner.B: ("lost", points.loss),
        Winner.NONE: ("lost", points.loss),
    }
