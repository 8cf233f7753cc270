"""How players have done lately: results as marks, records, and moves in the standings."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from rules.results import PlayerId, Result

LATELY = 5
"""Results that count as the last ones."""


class Mark(StrEnum):
    """A result from one player's side; BYE is a win without an opponent."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    BYE = "bye"


Marks = tuple[Mark, ...]


class Record(NamedTuple):
    """Matches won, drawn and lost; a bye counts as won."""

    won: int = 0
    drawn: int = 0
    lost: int = 0


def mark_of(result: Result, player: PlayerId) -> Mark | None:
    """Return a result as a mark of one of its players, such as won; None if it does not count.

    Who has the first place alone won, who shares it drew, all others lost.
    """
    places = result.places
    if places is None:
        return None
    if places[result.seats.index(player)] != 1:
        return Mark.LOST
    if len(places) == 1:
        return Mark.BYE
    return Mark.WON if places.count(1) == 1 else Mark.DRAWN


def last_marks(results: Iterable[Result], most: int = LATELY) -> dict[PlayerId, Marks]:
    """Return the last marks of every player, the latest last; ``results`` in order of play."""
    return {player: marks[-most:] for player, marks in all_marks(results).items()}


def all_marks(results: Iterable[Result]) -> dict[PlayerId, Marks]:
    """Return the marks of every player in the order of ``results``."""
    found: dict[PlayerId, list[Mark]] = {}
    for result in results:
        for player in result.seats:
            mark = mark_of(result, player)
            if mark is not None:
                found.setdefault(player, []).append(mark)
    return {player: tuple(marks) for player, marks in found.items()}


def record_of(marks: Iterable[Mark]) -> Record:
    """Return the number of wins, draws and losses among these results; a bye is a win."""
    every = list(marks)
    won = every.count(Mark.WON) + every.count(Mark.BYE)
    return Record(won, every.count(Mark.DRAWN), every.count(Mark.LOST))


def movements(before: Mapping[PlayerId, int], now: Mapping[PlayerId, int]) -> dict[PlayerId, int]:
    """Return by how many ranks each player rose (positive) or fell; only those ranked twice."""
    return {player: before[player] - rank for player, rank in now.items() if player in before}
