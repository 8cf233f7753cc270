"""Matches as each of their two players sees them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rules.results import PlayerId, Points, Result, Winner

_ENDED: Mapping[Winner | None, tuple[str, str]] = {
    Winner.A: ("won", "lost"),
    Winner.B: ("lost", "won"),
    Winner.DRAW: ("drawn", "drawn"),
    Winner.NONE: ("lost", "lost"),
}
"""By who won: how a match ended for a and for b."""


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
