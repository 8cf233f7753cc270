"""Standings: groups of level players split criterion by criterion.

Tournament rules, Standings order.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from rules.criteria import CRITERIA, Criterion, Split
from rules.criteria.base import Number, split_by
from rules.history import History
from rules.results import PlayerId, Points, Result

DEFAULT_CRITERIA = (
    "points",
    "opponents_points",
    "head_to_head",
    "score_for",
    "score_difference",
    "lots",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """Why a player stands behind the one before: the last criterion that separated the two.

    ``level`` are the players that were level when it was applied, ``values`` what each of
    them had under it (mini-table points for head-to-head, the drawn position for lots).
    ``figures`` has all numbers of a criterion that looks at several, such as the UEFA style.
    ``shared`` says that nothing separates the player from somebody else: the rank is shared.
    """

    criterion: str
    level: tuple[PlayerId, ...]
    values: Mapping[PlayerId, Fraction]
    shared: bool
    figures: Mapping[PlayerId, tuple[Fraction, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One row: a player's rank, matches counted, values of the numeric criteria, and the proof.

    ``placed_by`` is the key of the criterion that put the player behind the one before
    (None for the first); players of one rank have the same.
    """

    rank: int
    player: PlayerId
    played: int
    won: int
    drawn: int
    lost: int
    values: Mapping[str, Fraction]
    placed_by: str | None
    proof: Proof | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """All rows in order of rank, the sets of players that nothing separates, and how it came.

    ``steps`` are all splits that were tried, in the order of the criteria.
    """

    rows: tuple[Standing, ...]
    tied: tuple[tuple[PlayerId, ...], ...]
    steps: tuple["Step", ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Step:
    """A criterion asked about level players, and how it split them: one class, if it did not."""

    criterion: str
    level: tuple[PlayerId, ...]
    split: Split


_Splitter = Callable[[Criterion, tuple[PlayerId, ...]], Split]


@dataclass(frozen=True, slots=True)
class _Class:
    """Players still level, and the split that put them behind the class before."""

    players: tuple[PlayerId, ...]
    behind: "_Cut | None"


@dataclass(frozen=True, slots=True)
class _Cut:
    """A split that separated players, as all the classes behind the first will show it."""

    criterion: str
    level: tuple[PlayerId, ...]
    values: Mapping[PlayerId, Fraction]
    figures: Mapping[PlayerId, tuple[Fraction, ...]]


def rank(
    *,
    players: Sequence[PlayerId],
    results: Sequence[Result],
    criteria: Sequence[str] = DEFAULT_CRITERIA,
    points: Points | None = None,
    lots: Sequence[PlayerId] = (),
    penalties: Mapping[PlayerId, int] | None = None,
) -> Standings:
    """Rank the players of one group or stage.

    ``lots`` is an order as drawn, best first. Level players keep the order of ``players`` in
    the rows and share a rank. Raises BadInput ``unknown_criterion``.
    """
    history = History(
        players=tuple(players),
        results=tuple(results),
        points=points or Points(),
        penalties=penalties or {},
        lots=tuple(lots),
    )
    return rank_history(history, criteria=criteria)


def rank_history(history: History, *, criteria: Sequence[str] = DEFAULT_CRITERIA) -> Standings:
    """Rank the players of a history; as ``rank``, for who needs the history as well."""
    chosen = [CRITERIA.get(key) for key in criteria]

    def split(criterion: Criterion, level: tuple[PlayerId, ...]) -> Split:
        return criterion.split(history, level)

    histories = dict.fromkeys(history.players, history)
    steps: list[Step] = []
    classes = _ordered(history.players, chosen, _noted(split, steps))
    return _standings(classes, chosen, histories, steps)


def rank_across(
    *,
    candidates: Sequence[tuple[PlayerId, History]],
    criteria: Sequence[str] = DEFAULT_CRITERIA,
    lots: Sequence[PlayerId] = (),
) -> Standings:
    """Rank players of different groups, each by the values of their own group.

    The same criteria without head-to-head (tournament rules, Standings order).
    """
    chosen = [criterion for key in criteria if (criterion := CRITERIA.get(key)).across]
    histories = dict(candidates)
    drawn = History(players=tuple(histories), results=(), lots=tuple(lots))

    def split(criterion: Criterion, level: tuple[PlayerId, ...]) -> Split:
        value = criterion.value
        if value is None:
            return criterion.split(drawn, level)
        figures = {player: (value(histories[player], player),) for player in level}
        return split_by(level, figures, lowest_first=criterion.lowest_first)

    steps: list[Step] = []
    classes = _ordered(tuple(histories), chosen, _noted(split, steps))
    return _standings(classes, chosen, histories, steps)


def _noted(split: _Splitter, steps: list[Step]) -> _Splitter:
    """Return a splitter that keeps every split in ``steps``."""

    def noted(criterion: Criterion, level: tuple[PlayerId, ...]) -> Split:
        found = split(criterion, level)
        steps.append(Step(criterion.key, level, found))
        return found

    return noted


def _ordered(
    players: tuple[PlayerId, ...], criteria: Sequence[Criterion], split: _Splitter
) -> list[_Class]:
    """Split all players criterion by criterion, each only inside the still level classes."""
    classes = [_Class(players, None)] if players else []
    for criterion in criteria:
        classes = [part for level in classes for part in _parts(level, criterion, split)]
    return classes


def _parts(level: _Class, criterion: Criterion, split: _Splitter) -> list[_Class]:
    """Split one class; a criterion that repeats goes on until nothing changes."""
    if len(level.players) == 1:
        return [level]
    done: list[_Class] = []
    waiting = [level]
    while waiting:
        parts = _split_once(waiting.pop(), criterion, split)
        if criterion.repeats and len(parts) > 1:
            waiting.extend(reversed(parts))
        else:
            done.extend(parts)
    return done


def _split_once(level: _Class, criterion: Criterion, split: _Splitter) -> list[_Class]:
    if len(level.players) == 1:
        return [level]
    result = split(criterion, level.players)
    if len(result.classes) == 1:
        return [level]
    first, *others = result.classes
    behind = _cut(criterion.key, level.players, result)
    return [_Class(first, level.behind), *(_Class(other, behind) for other in others)]


def _cut(criterion: str, level: tuple[PlayerId, ...], split: Split) -> _Cut:
    figures = {player: tuple(map(_exact, found)) for player, found in split.figures.items()}
    several = any(len(found) > 1 for found in figures.values())
    return _Cut(
        criterion=criterion,
        level=level,
        values={player: found[0] for player, found in figures.items()},
        figures=figures if several else {},
    )


@lru_cache(maxsize=8192)
def _exact(number: Number) -> Fraction:
    return Fraction(number)


def _standings(
    classes: Sequence[_Class],
    criteria: Sequence[Criterion],
    histories: Mapping[PlayerId, History],
    steps: Sequence[Step],
) -> Standings:
    rows: list[Standing] = []
    for level in classes:
        position, proof = len(rows) + 1, _proof(level)
        rows.extend(
            _row(player, histories[player], position, proof, criteria) for player in level.players
        )
    return Standings(
        rows=tuple(rows),
        tied=tuple(level.players for level in classes if len(level.players) > 1),
        steps=tuple(steps),
    )


def _proof(level: _Class) -> Proof | None:
    if level.behind is None:
        return None
    return Proof(
        criterion=level.behind.criterion,
        level=level.behind.level,
        values=level.behind.values,
        shared=len(level.players) > 1,
        figures=level.behind.figures,
    )


def _row(
    player: PlayerId,
    history: History,
    position: int,
    proof: Proof | None,
    criteria: Sequence[Criterion],
) -> Standing:
    tally = history.tallies[player]
    return Standing(
        rank=position,
        player=player,
        played=tally.played,
        won=tally.won,
        drawn=tally.drawn,
        lost=tally.lost,
        values={
            criterion.key: _exact(criterion.value(history, player))
            for criterion in criteria
            if criterion.value is not None
        },
        placed_by=proof.criterion if proof else None,
        proof=proof,
    )
