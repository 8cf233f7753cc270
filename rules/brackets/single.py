"""Single-elimination brackets as lists of matches, each with two sources of players."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from rules.brackets.seeding import bracket_order
from rules.wording import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A seat of the stage, from 1; seats beyond the number of players are byes."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FromMatch:
    """The winner or loser of an earlier match."""

    match: int
    winner: bool = True


Source = Seat | FromMatch


class Part(StrEnum):
    """The parts of a double elimination; ``AGAIN`` is the second match of the grand final."""

    UPPER = "upper"
    LOWER = "lower"
    FINAL = "final"
    AGAIN = "again"


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketMatch:
    """One match: its number, its round from 1, and the sources of its players.

    ``distance`` is the number of rounds to the last one. In a double elimination ``part`` is the
    match's bracket, ``level`` its round within that bracket, from 1, and ``to_go`` the number of
    rounds of the bracket after it.
    """

    number: int
    round: int
    distance: int
    sources: tuple[Source, Source]
    third_place: bool = False
    part: Part | None = None
    level: int = 0
    to_go: int = 0

    @property
    def label(self) -> Sentence:
        """Return the match's label."""
        if self.third_place:
            return Sentence("Third place")
        if self.part is Part.FINAL:
            return Sentence("Grand final")
        if self.part is Part.AGAIN:
            return Sentence("Grand final, second match")
        return Sentence("Match %(number)s", {"number": self.number})


def rounds_of(seats: int, survivors: int = 1) -> int:
    """Return the number of rounds of a knock-out."""
    rounds, size = 0, survivors
    while size < seats:
        rounds, size = rounds + 1, size * 2
    return rounds


@lru_cache(maxsize=64)
def bracket(seats: int, survivors: int = 1, third_place: bool = False) -> tuple[BracketMatch, ...]:
    """Return all matches in the order of their numbers, round by round.

    Byes are matches too, so numbers do not depend on the players. The match for third place (only
    with one survivor and semi-finals) precedes the final, in the same round. Cached: the shape of
    a stage is asked for again and again.
    """
    rounds = rounds_of(seats, survivors)
    sources: list[Source] = [Seat(number=seed) for seed in bracket_order(seats, survivors)]
    matches: list[BracketMatch] = []
    for number in range(1, rounds + 1):
        if third_place and survivors == 1 and number == rounds > 1:
            losers = [
                FromMatch(match=source.match, winner=False)
                for source in sources
                if isinstance(source, FromMatch)
            ]
            matches.append(
                _bracket_match(matches, number, rounds, (losers[0], losers[1]), third=True)
            )
        following: list[Source] = []
        for a, b in zip(sources[::2], sources[1::2], strict=True):
            matches.append(_bracket_match(matches, number, rounds, (a, b)))
            following.append(FromMatch(match=matches[-1].number))
        sources = following
    return tuple(matches)


def last_matches(matches: tuple[BracketMatch, ...]) -> tuple[BracketMatch, ...]:
    """Return the last matches of a knock-out, one for each survivor, in the order of the parts."""
    return tuple(match for match in matches if match.distance == 0 and not match.third_place)


def _bracket_match(
    before: list[BracketMatch],
    number: int,
    rounds: int,
    sources: tuple[Source, Source],
    third: bool = False,
) -> BracketMatch:
    return BracketMatch(
        number=len(before) + 1,
        round=number,
        distance=rounds - number,
        sources=sources,
        third_place=third,
    )
