"""Ranking criteria: each one splits players who are level."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from rules.registry import Registry
from rules.results import PlayerId
from rules.wording import Sentence

Level = Sequence[PlayerId]
Number = int | Fraction
RankedHistory = Any
"""A ``GroupHistory``: of matches of two, or of tables, as its criteria read."""
Value = Callable[[RankedHistory, PlayerId], Fraction]
Figures = Mapping[PlayerId, tuple[Number, ...]]

exact = lru_cache(maxsize=8192)(Fraction)
"""A cached ``Fraction`` of a number, or of a numerator and a denominator."""


class SeatFractions(NamedTuple):
    """A fraction for each player: numerators in the order of players, one denominator."""

    numerators: Sequence[int]
    denominator: int


class TiebreakerColumn(Mapping[PlayerId, tuple[Number, ...]]):
    """The values of all players under one tiebreaker, as numerators over one denominator.

    As a mapping it gives, for each player, a tuple with the exact value as its only number.
    """

    def __init__(
        self, players: Sequence[PlayerId], numerators: Sequence[int], denominator: int = 1
    ) -> None:
        self.players = players
        self.numerators = numerators
        self.denominator = denominator

    @cached_property
    def by_player(self) -> Mapping[PlayerId, int]:
        """Return the numerators by player."""
        return dict(zip(self.players, self.numerators, strict=False))

    def number(self, player: PlayerId) -> Fraction:
        """Return a player's value."""
        return exact(self.by_player[player], self.denominator)

    def __getitem__(self, player: PlayerId) -> tuple[Number, ...]:
        """Return a player's value as the only figure of a split."""
        return (self.number(player),)

    def __iter__(self) -> Iterator[PlayerId]:
        """Return an iterator over the players."""
        return iter(self.players)

    def __len__(self) -> int:
        return len(self.players)


class TiebreakerSplit(NamedTuple):
    """The result of a tiebreaker: classes of tied players, best first, each still tied.

    ``figures`` maps players to the values compared; they may hold several numbers per player,
    compared lexicographically, and values of players who were not tied.
    """

    classes: tuple[tuple[PlayerId, ...], ...]
    figures: Figures = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A tiebreaker: its key, its texts, and how it separates tied players.

    ``label``, ``short`` and ``explains`` are its name, table heading and explanation; ``split``
    takes a history and the tied players. ``column`` returns the values shown in the table (None if
    they depend on who is tied). ``lowest_first``: lower values rank higher. ``repeats``: after a
    split it is applied again within each class. ``inside``: it depends on the matches among the
    tied players only. ``across``: it can compare players of different groups. ``percentage``: its
    values are shares, from 0 to 1.
    """

    key: str
    label: Sentence
    short: Sentence
    explains: Sentence
    split: Callable[[RankedHistory, Level], TiebreakerSplit]
    column: Callable[[RankedHistory], TiebreakerColumn] | None = None
    lowest_first: bool = False
    repeats: bool = False
    inside: bool = False
    across: bool = True
    percentage: bool = False

    @property
    def value(self) -> Value | None:
        """Return a function from players to values, None if values depend on who is level."""
        column = self.column
        if column is None:
            return None
        return lambda history, player: column(history).number(player)


CRITERIA = Registry("criterion", Criterion)


def split_by_figures(
    level: Level, figures: Figures, *, lowest_first: bool = False
) -> TiebreakerSplit:
    """Return tied players (``level``) split by their figures, best first.

    ``figures`` are each player's numbers, compared from left to right; higher is better unless
    ``lowest_first``. Players with equal figures stay tied.
    """
    classes: dict[tuple[Number, ...], list[PlayerId]] = {}
    for player in level:
        classes.setdefault(figures[player], []).append(player)
    best_first = sorted(classes, reverse=not lowest_first)
    return TiebreakerSplit(tuple([tuple(classes[key]) for key in best_first]), figures)


def numeric_criterion(
    *,
    key: str,
    values: Callable[[RankedHistory], Sequence[int] | SeatFractions],
    lowest_first: bool = False,
    catalogue: "Registry[Criterion, Any]" = CRITERIA,
    **fields: Any,
) -> Criterion:
    """Create and register a tiebreaker with one value per player, independent of who is tied.

    ``values`` returns the value of every player of a history, in the order of players; ``fields``
    are the other fields of ``Criterion``.
    """

    def column(history: RankedHistory) -> TiebreakerColumn:
        known: dict[str, TiebreakerColumn] = history.columns
        if key not in known:
            found = values(history)
            numerators, denominator = found if isinstance(found, SeatFractions) else (found, 1)
            known[key] = TiebreakerColumn(history.players, numerators, denominator)
        return known[key]

    def split(history: RankedHistory, level: Level) -> TiebreakerSplit:
        return split_by_figures(level, column(history), lowest_first=lowest_first)

    return catalogue.define(
        key=key, split=split, column=column, lowest_first=lowest_first, **fields
    )
