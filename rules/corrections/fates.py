"""What becomes of a match whose players change: other players, played again, void and so on."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from rules.results import PlayerId, Result, void_of
from rules.stages.base import Pairing, Played, StageState, settled_by_rule

Key = tuple[int, int]
"""A match of a stage: the index of its round, and its number."""


class Fate(StrEnum):
    """How a match goes on whose players change: other players, played again, void and so on."""

    PASSES = "passes"
    AGAIN = "again"
    VOID = "void"
    FORFEIT = "forfeit"
    RESTS = "rests"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchChange:
    """A match that other players play, and its result before and after.

    ``begun``: it was played, or is going on, so that ``fate`` was somebody's choice.
    """

    round: int
    pairing: Pairing
    after: tuple[PlayerId, ...]
    fate: Fate
    begun: bool
    was: Result
    result: Result

    @property
    def key(self) -> Key:
        """Return the round's index and the number of the match."""
        return self.round, self.pairing.number

    @property
    def in_other_order(self) -> bool:
        """Return whether the same players sit there, on other seats."""
        return {*self.after} == {*self.pairing.seats}

    @property
    def exchanged(self) -> tuple[tuple[PlayerId, PlayerId], ...]:
        """Return who left the match, each with who came instead.

        Who only changes seats at a table of three and more does not leave it, unless nobody does.
        """
        before, after = self.pairing.seats, self.after
        both = zip(before, after, strict=True)
        if len(before) > 2 and not self.in_other_order:
            gone = [player for player in before if player not in after]
            both = zip(gone, [player for player in after if player not in before], strict=True)
        return tuple((out, new) for out, new in both if out != new)


def fate_of(
    state: StageState, was: Result, players: tuple[PlayerId, ...], *, begun: bool, void: bool
) -> tuple[Fate, Result]:
    """Return how a match goes on with these players, and its result then."""
    anew = Result(seats=players, round=was.round)
    if len(players) == 1:
        return Fate.RESTS, replace(was, seats=players)
    if by_rule := settled_by_rule(players, state):
        return Fate.FORFEIT, replace(anew, outcome=by_rule)
    if begun and void:
        return Fate.VOID, replace(anew, outcome=void_of(len(players)))
    return (Fate.AGAIN if begun else Fate.PASSES), anew


def with_changes(played: Played, moved: Iterable[MatchChange]) -> Played:
    """Return a round in which these matches have other players."""
    changed = {change.pairing.number: change for change in moved}
    return tuple(
        (
            replace(pairing, seats=changed[pairing.number].after),
            changed[pairing.number].result,
        )
        if pairing.number in changed
        else (pairing, result)
        for pairing, result in played
    )


def paired_by_hand(played: Played, numbers: Collection[int]) -> Played:
    """Return a round in which the matches of these numbers were made by people."""
    return tuple(
        (replace(pairing, by_hand=True) if pairing.number in numbers else pairing, result)
        for pairing, result in played
    )
