"""What a criterion is: a way to split players who are level."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from rules.history import History
from rules.registry import Registry
from rules.results import PlayerId
from rules.wording import Sentence

Level = Sequence[PlayerId]
Number = int | Fraction
Value = Callable[[History, PlayerId], Number]


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Level players in order, each class still level in itself, and the figures behind it.

    ``figures`` may hold several numbers a player, the first decides before the second.
    """

    classes: tuple[tuple[PlayerId, ...], ...]
    figures: Mapping[PlayerId, tuple[Number, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One entry of the catalogue of criteria.

    ``value`` gives the number shown in the table (None where it depends on who is level).
    ``lowest_first``: fewer is better.
    ``repeats``: after a split it is applied again inside each class.
    ``across``: it can compare players of different groups.
    """

    key: str
    label: Sentence
    short: Sentence
    explains: Sentence
    split: Callable[[History, Level], Split]
    value: Value | None = None
    lowest_first: bool = False
    repeats: bool = False
    across: bool = True
    figures: tuple[Sentence, ...] = ()


CRITERIA: Registry[Criterion] = Registry("criterion")


def split_by(
    level: Level, figures: Mapping[PlayerId, tuple[Number, ...]], *, lowest_first: bool = False
) -> Split:
    """Split level players by their figures; who has the same figures stays level."""
    classes: dict[tuple[Number, ...], list[PlayerId]] = {}
    for player in level:
        classes.setdefault(figures[player], []).append(player)
    best_first = sorted(classes, reverse=not lowest_first)
    return Split(classes=tuple(tuple(classes[key]) for key in best_first), figures=figures)


def numeric(
    *,
    key: str,
    label: Sentence,
    short: Sentence,
    explains: Sentence,
    value: Value,
    lowest_first: bool = False,
) -> Criterion:
    """Make and register a criterion that is one number a player, the same whoever is level."""

    def split(history: History, level: Level) -> Split:
        figures = {player: (value(history, player),) for player in level}
        return split_by(level, figures, lowest_first=lowest_first)

    return CRITERIA.add(
        Criterion(
            key=key,
            label=label,
            short=short,
            explains=explains,
            split=split,
            value=value,
            lowest_first=lowest_first,
        )
    )
