"""An order of players under construction: level players are split criterion by criterion."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from rules.criteria import Criterion, Split
from rules.criteria.base import Figures, Number, exact, split_by
from rules.errors import BadInput
from rules.results import PlayerId

Players = tuple[PlayerId, ...]
Splitter = Callable[[Players], Split]
_NO_FIGURES: Mapping[PlayerId, tuple[Fraction, ...]] = MappingProxyType({})


class Proof(NamedTuple):
    """The reason a player ranks behind the previous one: the last criterion separating the two.

    ``level`` are the players that were level when it was applied, ``values`` the value of each
    under it (mini-table points for head-to-head, the drawn position for lots). ``figures`` has
    all numbers of a criterion with several, such as UEFA head-to-head. ``shared``: the player is
    tied with somebody else and shares the rank.
    """

    criterion: str
    level: Players
    values: Mapping[PlayerId, Fraction]
    shared: bool
    figures: Mapping[PlayerId, tuple[Fraction, ...]] = _NO_FIGURES


class Effort(NamedTuple):
    """The most that the ranking of untrusted results may cost.

    ``steps``: each set of level players that is split costs one for every player and one for
    every eight matches of theirs, as head-to-head may take a single player at a time from
    thousands. ``bits`` is the length of a common denominator.
    """

    steps: int
    bits: int


class CriterionStep(NamedTuple):
    """A criterion applied to level players, and the resulting classes (one if it had no effect)."""

    criterion: str
    level: Players
    split: Split


@dataclass(slots=True)
class AppliedCriterion:
    """A criterion applied to all sets of level players; its steps are created on access."""

    criterion: Criterion
    split: Splitter
    players: Players
    seats: list[int]
    level: list[tuple[int, int]]

    def __iter__(self) -> Iterator[CriterionStep]:
        """Yield the steps; repetitions of a criterion follow the step that they repeat."""
        for start, end in self.level:
            yield from self._steps(tuple([self.players[seat] for seat in self.seats[start:end]]))

    def _steps(self, level: Players) -> Iterator[CriterionStep]:
        split = self.split(level)
        yield CriterionStep(self.criterion.key, level, split)
        if self.criterion.repeats and len(split.classes) > 1:
            for same in split.classes:
                if len(same) > 1:
                    yield from self._steps(same)


class Order:
    """Seats in order, which of them are still level, and what separated the others.

    ``level`` holds begin and end of each set of level seats, ``behind`` the proof for each
    position, ``applied`` the criteria applied so far, in order. With an ``effort`` splits that
    cost more raise BadInput ``too_costly``; ``played`` is then the number of matches by seat.
    """

    def __init__(
        self, players: Players, effort: Effort | None = None, played: Sequence[int] = ()
    ) -> None:
        self.players = players
        self.effort, self.played, self.steps = effort, played, 0
        self.seats = list(range(len(players)))
        self.level = [(0, len(players))] if len(players) > 1 else []
        self.behind: list[Proof | None] = [None] * len(players)
        self.applied: list[AppliedCriterion] = []

    def tied(self) -> tuple[Players, ...]:
        """Return the sets of players that are still level."""
        return tuple([self._players_on(seats) for seats in self.level_seats()])

    def level_seats(self) -> Iterator[list[int]]:
        for start, end in self.level:
            yield self.seats[start:end]

    def sort(self, criterion: Criterion, numbers: Sequence[Number], figures: Figures) -> None:
        """Sort each set of level seats by a number per seat; equal numbers stay level."""
        lowest_first, number_of = criterion.lowest_first, numbers.__getitem__
        self._apply_criterion(
            criterion, partial(split_by, figures=figures, lowest_first=lowest_first)
        )
        waiting, self.level = self.level, []
        for start, end in waiting:
            level = self.seats[start:end]
            in_order = sorted(level, key=number_of, reverse=not lowest_first)
            if numbers[in_order[0]] == numbers[in_order[-1]]:
                self.level.append((start, end))
            else:
                proof = _proof(criterion, self._players_on(level), figures)
                self.level += self._place_seats(start, in_order, numbers, proof)

    def split(
        self, criterion: Criterion, split: Splitter, concerned: frozenset[int] | None = None
    ) -> None:
        """Split each set of level players; a criterion that repeats is applied until it is stable.

        Sets without a seat in ``concerned`` stay level; None stands for all seats.
        """
        self._apply_criterion(criterion, split)
        waiting, self.level = self.level[::-1], []
        while waiting:
            start, end = waiting.pop()
            seats = self.seats[start:end]
            if concerned is not None and concerned.isdisjoint(seats):
                self.level.append((start, end))
                continue
            level = self._players_on(seats)
            if self.effort is not None:
                self._count_steps(seats, self.effort.steps)
            found = split(level)
            if len(found.classes) == 1:
                self.level.append((start, end))
                continue
            seat_of = dict(zip(level, seats, strict=True))
            classes = {
                seat_of[player]: at for at, same in enumerate(found.classes) for player in same
            }
            proof = _proof(criterion, level, found.figures)
            parts = self._place_seats(start, [*classes], classes, proof)
            if criterion.repeats:
                waiting += reversed(parts)
            else:
                self.level += parts

    def _count_steps(self, seats: Sequence[int], most: int) -> None:
        self.steps += len(seats) + sum([self.played[seat] for seat in seats]) // 8
        if self.steps > most:
            raise too_costly()

    def _apply_criterion(self, criterion: Criterion, split: Splitter) -> None:
        if self.level:
            seats = self.seats.copy()
            self.applied.append(AppliedCriterion(criterion, split, self.players, seats, self.level))

    def _players_on(self, seats: Iterable[int]) -> Players:
        return tuple([self.players[seat] for seat in seats])

    def _place_seats(
        self,
        start: int,
        seats: Sequence[int],
        keys: Sequence[Number] | Mapping[int, Number],
        proof: Proof,
    ) -> list[tuple[int, int]]:
        """Place seats in this order from ``start`` on; return the ranges with equal keys."""
        end = start + len(seats)
        self.seats[start:end] = seats
        behind = self.behind
        level, begin, last = [], start, keys[seats[0]]
        for position, seat in enumerate(seats, start):
            key = keys[seat]
            if key != last:
                behind[position] = proof
                if position > begin + 1:
                    level.append((begin, position))
                begin, last = position, key
        if end > begin + 1:
            level.append((begin, end))
        return level


def too_costly() -> BadInput:
    return BadInput(
        "too_costly", "These results take too long to rank. Send fewer players or criteria."
    )


class _FirstFigures(Mapping[PlayerId, Fraction]):
    """The first figure of level players under a criterion, created on access."""

    __slots__ = ("figures", "level")

    def __init__(self, level: Players, figures: Figures) -> None:
        self.level = level
        self.figures = figures

    def __getitem__(self, player: PlayerId) -> Fraction:
        return exact(self.figures[player][0])

    def __iter__(self) -> Iterator[PlayerId]:
        return iter(self.level)

    def __len__(self) -> int:
        return len(self.level)


def _proof(criterion: Criterion, level: Players, figures: Figures) -> Proof:
    several = _NO_FIGURES
    if criterion.figures:
        several = {player: tuple(map(exact, figures[player])) for player in level}
    # Same as Proof(…); the constructor would take most of the time.
    fields = criterion.key, level, _FirstFigures(level, figures), False, several
    return tuple.__new__(Proof, fields)
