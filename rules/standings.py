"""Standings: groups of level players split criterion by criterion.

Tournament rules, Standings order.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from rules.criteria import CRITERIA, Criterion, Split
from rules.criteria.base import Column, exact, split_by
from rules.history import History, Record
from rules.results import PlayerId, Points, Result

DEFAULT_CRITERIA = (
    "points",
    "opponents_points",
    "head_to_head",
    "score_for",
    "score_difference",
    "lots",
)


class Proof(NamedTuple):
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
    figures: Mapping[PlayerId, tuple[Fraction, ...]] = MappingProxyType({})


class Standing(NamedTuple):
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


class Step(NamedTuple):
    """A criterion asked about level players, and how it split them: one class, if it did not."""

    criterion: str
    level: tuple[PlayerId, ...]
    split: Split


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """All rows in order of rank, the sets of players that nothing separates, and how it came.

    ``steps`` are all splits that were tried, in the order of the criteria.
    """

    rows: tuple[Standing, ...]
    tied: tuple[tuple[PlayerId, ...], ...]
    steps: tuple[Step, ...] = field(default=(), compare=False, repr=False)


_Splitter = Callable[[tuple[PlayerId, ...]], Split]


class _Shown(Mapping[PlayerId, Fraction]):
    """What level players had under a criterion: its first figure, made when it is looked at."""

    def __init__(self, level: tuple[PlayerId, ...], split: Split) -> None:
        self.level = level
        self.split = split

    def __getitem__(self, player: PlayerId) -> Fraction:
        return exact(self.split.figures[player][0])

    def __iter__(self) -> Iterator[PlayerId]:
        return iter(self.level)

    def __len__(self) -> int:
        return len(self.level)


class _Order:
    """Players in order, which of them are still level, and what separated the others."""

    def __init__(self, players: Iterable[PlayerId]) -> None:
        self.players = list(players)
        self.level = [(0, len(self.players))] if len(self.players) > 1 else []
        self.behind: dict[int, Proof] = {}
        self.steps: list[Step] = []

    def tied(self) -> tuple[tuple[PlayerId, ...], ...]:
        """Return the players that are still level."""
        return tuple(tuple(self.players[start:end]) for start, end in self.level)

    def ask(self, criterion: Criterion, split: _Splitter) -> None:
        """Split all that is level; a criterion that repeats goes on until nothing changes."""
        waiting, self.level = self.level[::-1], []
        while waiting:
            start, end = waiting.pop()
            level = tuple(self.players[start:end])
            found = split(level)
            self.steps.append(Step(criterion.key, level, found))
            if len(found.classes) == 1:
                self.level.append((start, end))
                continue
            parts = self._put(start, found, _proof(criterion, level, found))
            if criterion.repeats:
                waiting += reversed(parts)
            else:
                self.level += parts

    def _put(self, start: int, split: Split, proof: Proof) -> list[tuple[int, int]]:
        """Put classes in their order from ``start`` on; return those of more than one player."""
        parts, end = [], start
        for players in split.classes:
            if end > start:
                self.behind[end] = proof
            begin, end = end, end + len(players)
            if end > begin + 1:
                parts.append((begin, end))
        self.players[start:end] = chain.from_iterable(split.classes)
        return parts


def _proof(criterion: Criterion, level: tuple[PlayerId, ...], split: Split) -> Proof:
    values = _Shown(level, split)
    if not criterion.figures:
        return Proof(criterion.key, level, values, shared=False)
    several = {player: tuple(map(exact, split.figures[player])) for player in level}
    return Proof(criterion.key, level, values, shared=False, figures=several)


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
    order = _Order(history.players)
    for criterion in chosen:
        inside = criterion.inside and order.level
        asked = history.within(order.tied()) if inside else history
        order.ask(criterion, partial(criterion.split, asked))
    return _standings(order, dict.fromkeys(history.players, _table(history, chosen)))


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

    order = _Order(histories)
    for criterion in chosen:
        order.ask(criterion, partial(_split_across, criterion, histories, drawn))
    return _standings(order, {one: _table(own, chosen) for one, own in candidates})


def _split_across(
    criterion: Criterion,
    histories: Mapping[PlayerId, History],
    drawn: History,
    level: tuple[PlayerId, ...],
) -> Split:
    if criterion.column is None:
        return criterion.split(drawn, level)
    figures = {player: criterion.column(histories[player])[player] for player in level}
    return split_by(level, figures, lowest_first=criterion.lowest_first)


class _Values(Mapping[str, Fraction]):
    """What a player has under each numeric criterion, made a fraction when it is looked at."""

    __slots__ = ("columns", "player")

    def __init__(self, columns: Mapping[str, Column], player: PlayerId) -> None:
        self.columns = columns
        self.player = player

    def __getitem__(self, criterion: str) -> Fraction:
        return self.columns[criterion].number(self.player)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)


class _Table(NamedTuple):
    """The numbers of a group, criterion by criterion, and its players' matches."""

    columns: Mapping[str, Column]
    records: Mapping[PlayerId, Record]


def _table(history: History, criteria: Sequence[Criterion]) -> _Table:
    columns = {one.key: one.column(history) for one in criteria if one.column is not None}
    return _Table(columns, history.records)


def _standings(order: _Order, tables: Mapping[PlayerId, _Table]) -> Standings:
    ends = dict(order.level)
    rows: list[Standing] = []
    rank, end, proof, by = 0, 0, None, None
    for position, player in enumerate(order.players):
        if position == end:  # here begins another class
            rank, end = position + 1, ends.get(position, position + 1)
            proof = order.behind.get(position)
            by = proof.criterion if proof else None
            if proof and end > rank:
                proof = proof._replace(shared=True)
        columns, records = tables[player]
        values = _Values(columns, player)
        rows.append(Standing(rank, player, *records[player], values, by, proof))
    return Standings(rows=tuple(rows), tied=order.tied(), steps=tuple(order.steps))
