"""Bracket structures, independent of players: single and double elimination, seeding.

In double elimination a first loss drops a player down, a second puts them out. With 2^k slots (the
least that hold all players) the upper bracket has k rounds. The losers of its first round meet two
by two; from then on the lower bracket takes turns: its survivors meet those who come down from the
next upper round, then each other two by two, 2k - 2 rounds in all. The two winners play the grand
final. Upper round 1 is round 1 of the event, upper round j round 2j - 2, at the same time as lower
round 2j - 3; lower round 2j - 2 is round 2j - 1 by itself; the grand final is round 2k. There are
no fewer rounds, for each of them needs the lower one before.

Crossings: the loser of match m of upper round j (counted from 0) drops to place m XOR c of
lower round 2j - 2, where c is the number of round j in :data:`CROSSINGS`. Two who met in the
upper bracket meet again where the parts of the lower bracket that they dropped into join. Losers on
one path through the upper bracket must drop into different parts to meet late, and later rounds
have fewer parts, which bounds the earliest rematch under any crossings (``earliest_rematch`` in
``tests/rules/brackets/test_brackets.py``). These crossings reach the bound; of all that do,
they have the fewest paths to such a rematch, and the first meeting of these players is the longest
ago.

A lower match that nobody can lose is left out: the player without an opponent is seated a round
later. Its number stays free, so that numbers are the same for all sizes with as many slots. Byes of
the first upper round are matches, as in a knock-out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import count, product
from typing import TypeVar

from rules.errors import BadInput
from rules.wording import Sentence

Item = TypeVar("Item")


def deal_snake(items: Sequence[Item], groups: int) -> tuple[tuple[Item, ...], ...]:
    """Return the items dealt to groups in snake order: 1 2 3, then 3 2 1, and so on.

    An incomplete last row continues in its direction: ten items in three groups are 1 6 7, 2 5 8
    and 3 4 9 10.
    """
    dealt: list[list[Item]] = [[] for _ in range(groups)]
    for index, item in enumerate(items):
        row, column = divmod(index, groups)
        dealt[column if row % 2 == 0 else groups - 1 - column].append(item)
    return tuple(tuple(group) for group in dealt)


def bracket_order(seats: int, survivors: int = 1) -> tuple[int, ...]:
    """Return seeds in slot order: for eight 1 8 4 5 2 7 3 6.

    The number of slots is ``survivors`` times the smallest power of two that holds all seats;
    slots beyond ``seats`` are byes. In each part of the bracket the two best seeds can meet only
    in its last match. With several survivors the parts are ordered by their best seeds: for three
    survivors of six 1 6, 2 5, 3 4.
    """
    size = survivors
    parts = [[seed] for seed in range(1, survivors + 1)]
    while size < seats:
        size *= 2
        parts = [[slot for seed in part for slot in (seed, size + 1 - seed)] for part in parts]
    return tuple(slot for part in parts for slot in part)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedSource:
    """A seed as the source of a match's player; numbers count from 1.

    Seeds beyond the number of players are byes.
    """

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSource:
    """The winner or loser of an earlier match as the source of a match's player.

    ``match`` is the number of that match.
    """

    match: int
    winner: bool = True


Source = SeedSource | MatchSource


class BracketPart(StrEnum):
    """The part of a double elimination that a match belongs to.

    ``AGAIN`` is the second match of the grand final.
    """

    UPPER = "upper"
    LOWER = "lower"
    FINAL = "final"
    AGAIN = "again"


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketMatch:
    """A match of a bracket; ``number`` and ``round`` count from 1.

    ``sources`` say where its two players come from; ``distance`` is the number of rounds to the
    last one. In a double elimination ``part`` is the match's bracket, ``level`` its round within
    that bracket, from 1, and ``to_go`` the number of rounds of the bracket after it.
    """

    number: int
    round: int
    distance: int
    sources: tuple[Source, Source]
    third_place: bool = False
    part: BracketPart | None = None
    level: int = 0
    to_go: int = 0

    @property
    def label(self) -> Sentence:
        """Return the match's label."""
        if self.third_place:
            return Sentence("Third place")
        if self.part is BracketPart.FINAL:
            return Sentence("Grand final")
        if self.part is BracketPart.AGAIN:
            return Sentence("Grand final, second match")
        return Sentence("Match %(number)s", {"number": self.number})


def knockout_rounds(seats: int, survivors: int = 1) -> int:
    """Return the number of rounds that a knock-out of these seats needs.

    ``survivors`` is the number of players it leaves, more than 1 in a play-in.
    """
    rounds, size = 0, survivors
    while size < seats:
        rounds, size = rounds + 1, size * 2
    return rounds


@lru_cache(maxsize=64)
def bracket(seats: int, survivors: int = 1, third_place: bool = False) -> tuple[BracketMatch, ...]:
    """Return all matches of a knock-out in the order of their numbers, round by round.

    ``survivors`` is the number of players it leaves, more than 1 in a play-in. Byes are matches
    too, so numbers do not depend on the players. The match for third place (only with one survivor
    and semi-finals) precedes the final, in the same round. Cached.
    """
    rounds = knockout_rounds(seats, survivors)
    sources: list[Source] = [SeedSource(number=seed) for seed in bracket_order(seats, survivors)]
    matches: list[BracketMatch] = []
    for number in range(1, rounds + 1):
        if third_place and survivors == 1 and number == rounds > 1:
            losers = [
                MatchSource(match=source.match, winner=False)
                for source in sources
                if isinstance(source, MatchSource)
            ]
            matches.append(
                _bracket_match(matches, number, rounds, (losers[0], losers[1]), third=True)
            )
        following: list[Source] = []
        for a, b in zip(sources[::2], sources[1::2], strict=True):
            matches.append(_bracket_match(matches, number, rounds, (a, b)))
            following.append(MatchSource(match=matches[-1].number))
        sources = following
    return tuple(matches)


def last_round_matches(matches: tuple[BracketMatch, ...]) -> tuple[BracketMatch, ...]:
    """Return a knock-out's matches of the last round, without that for third place.

    There is one for each survivor: the final, or several in a play-in.
    """
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


MOST_PLAYERS = 256
CROSSINGS: Mapping[int, Sequence[int]] = {
    1: (),
    2: (0,),
    3: (0, 1),
    4: (0, 2, 0),
    5: (0, 4, 1, 1),
    6: (0, 8, 2, 3, 0),
    7: (0, 16, 4, 6, 0, 1),
    8: (0, 32, 8, 12, 1, 2, 0),
}
"""Crossings by number of upper rounds k, for each upper round but the last."""


@lru_cache(maxsize=64)
def double_elimination_bracket(seats: int, second_final: bool = True) -> tuple[BracketMatch, ...]:
    """Return all matches of a double elimination by number, round by round of the event.

    ``second_final``: includes a second match of the grand final, played if needed. ``distance``
    counts the rounds to the first match of the grand final. Raises BadInput ``too_many_players``.
    """
    if seats > MOST_PLAYERS:
        raise BadInput(
            "too_many_players",
            "Too many players: %(players)s (at most %(maximum)s).",
            maximum=MOST_PLAYERS,
            players=seats,
        )
    return tuple(_BracketBuilder(seats).matches(second_final)) if seats > 1 else ()


@lru_cache(maxsize=1024)
def first_lower_round(upper_rounds: int, apart: int) -> int:
    """Return the first lower-bracket round in which two upper-bracket players can meet.

    They have not met in the upper bracket. ``apart`` is the XOR of their slots there, which
    determines the result, as losers drop down by XOR too. Byes can only delay the match.
    """
    levels = range(1, upper_rounds + 1)
    return min(
        (
            _round_of_meeting(upper_rounds, apart, one, other)
            for one, other in product(levels, repeat=2)
            if min(one, other) < apart.bit_length()
        ),
        default=2 * upper_rounds - 2,
    )


def _round_of_meeting(upper_rounds: int, apart: int, one: int, other: int) -> int:
    """Return the lower round in which the losers of two upper rounds meet, if they get there.

    One comes from slot 0, the other from the slot ``apart``.
    """
    crossings = (0, *CROSSINGS[upper_rounds][1:], 0)
    last = max(one, other)
    own, its = crossings[one - 1], apart >> other ^ crossings[other - 1]
    level = next(
        level
        for level in range(last, upper_rounds + 1)
        if own >> (level - one) == its >> (level - other)
    )
    return 2 * level - (2 if level == last and one != other else 3)


class _BracketBuilder:
    """Builds the matches of a bracket."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.upper_rounds = knockout_rounds(seats)
        self.made: list[BracketMatch] = []
        self.numbers = count(1)

    def matches(self, second_final: bool) -> Iterator[BracketMatch]:
        rounds = self.upper_rounds
        upper: list[Source] = [SeedSource(number=seed) for seed in bracket_order(self.seats)]
        falling: list[Source | None]
        upper, falling = self._add_upper_round(1, upper)
        lower = falling
        for level in range(2, rounds + 1):
            upper, falling = self._add_upper_round(level, upper)
            lower = self._add_lower_round(2 * level - 3, lower[::2], lower[1::2])
            crossing = (*CROSSINGS[rounds], 0)[level - 1]
            down = [falling[place ^ crossing] for place in range(len(falling))]
            lower = self._add_lower_round(2 * level - 2, down, lower)
        first, second = (source for source in (*upper, *lower) if source is not None)
        final = self._add_match(2 * rounds, (first, second), BracketPart.FINAL, 1, 0)
        if second_final:
            ways = (MatchSource(match=final.number, winner=False), MatchSource(match=final.number))
            self._add_match(2 * rounds + 1, ways, BracketPart.AGAIN, 1, 0)
        yield from self.made

    def _add_upper_round(
        self, level: int, sources: Sequence[Source]
    ) -> tuple[list[Source], list[Source | None]]:
        """Add an upper round; return the sources of its winners and losers."""
        winners: list[Source] = []
        losers: list[Source | None] = []
        number = 1 if level == 1 else 2 * level - 2
        for pair in zip(sources[::2], sources[1::2], strict=True):
            to_go = self.upper_rounds - level
            match = self._add_match(number, pair, BracketPart.UPPER, level, to_go)
            bye = any(isinstance(s, SeedSource) and s.number > self.seats for s in pair)
            winners.append(MatchSource(match=match.number))
            losers.append(None if bye else MatchSource(match=match.number, winner=False))
        return winners, losers

    def _add_lower_round(
        self, level: int, firsts: Sequence[Source | None], seconds: Sequence[Source | None]
    ) -> list[Source | None]:
        """Add a lower round; players without an opponent are passed on."""
        winners: list[Source | None] = []
        for first, second in zip(firsts, seconds, strict=True):
            if first is None or second is None:
                next(self.numbers)
                winners.append(first or second)
                continue
            to_go = 2 * self.upper_rounds - 2 - level
            match = self._add_match(level + 1, (first, second), BracketPart.LOWER, level, to_go)
            winners.append(MatchSource(match=match.number))
        return winners

    def _add_match(
        self, number: int, sources: tuple[Source, Source], part: BracketPart, level: int, to_go: int
    ) -> BracketMatch:
        match = BracketMatch(
            number=next(self.numbers),
            round=number,
            distance=max(0, 2 * self.upper_rounds - number),
            sources=sources,
            part=part,
            level=level,
            to_go=to_go,
        )
        self.made.append(match)
        return match
