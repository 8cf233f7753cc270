"""Standings: players ranked by applying one criterion after the other to those still level.

A ``SortState`` is under construction: level players are split criterion by criterion. Also what
separates two players, and how players have done lately: marks, records, moves.

Source: tournament rules, Standings order.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import partial
from itertools import chain
from math import floor
from types import MappingProxyType
from typing import NamedTuple

from rules.criteria import CRITERIA, Criterion, TiebreakerSplit
from rules.criteria.base import (
    Figures,
    Number,
    RankedHistory,
    TiebreakerColumn,
    exact,
    split_by_figures,
)
from rules.criteria.of_tables import TABLE_CRITERIA, check_table_criteria
from rules.errors import BadInput
from rules.history.group_history import GroupHistory, History, Results
from rules.history.table_history import TableHistory
from rules.results import PlayerId, Points, Result

Players = tuple[PlayerId, ...]
Splitter = Callable[[Players], TiebreakerSplit]
_NO_FIGURES: Mapping[PlayerId, tuple[Fraction, ...]] = MappingProxyType({})


class RankProof(NamedTuple):
    """Why a player ranks behind the previous one: the tiebreaker that separates the two.

    ``level`` are the players tied when it was applied, ``values`` the value of each under it (mini-
    table points for head-to-head, the drawn position for random draws). ``figures`` has all numbers
    of a tiebreaker with several, such as UEFA head-to-head. ``shared``: the player is tied with
    somebody else and shares the rank.
    """

    criterion: str
    level: Players
    values: Mapping[PlayerId, Fraction]
    shared: bool
    figures: Mapping[PlayerId, tuple[Fraction, ...]] = _NO_FIGURES


class EffortLimit(NamedTuple):
    """The limits on the cost of ranking untrusted results.

    ``steps``: splitting a set of tied players costs one for every player and one for every eight of
    their matches, as head-to-head may take a single player at a time from thousands. ``bits`` is
    the length of a common denominator.
    """

    steps: int
    bits: int


class CriterionStep(NamedTuple):
    """A tiebreaker applied to a set of tied players (``level``), and the resulting split.

    The split has a single class if the tiebreaker had no effect.
    """

    criterion: str
    level: Players
    split: TiebreakerSplit


@dataclass(slots=True)
class AppliedCriterion:
    """A tiebreaker applied to all sets of players who were tied; iterate for its steps.

    ``seats`` are the players' indexes in order, ``level`` holds (begin, end) of each tied set in
    it.
    """

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


class SortState:
    """Players being sorted by tiebreakers: who is still tied, and what separated the others.

    Players are indexes (seats). ``level`` holds (begin, end) of each tied set, ``behind`` the proof
    for each position, ``applied`` the tiebreakers applied so far, in order. With an ``effort``
    splits that cost more raise BadInput ``too_costly``; ``played`` is then the number of matches by
    seat.
    """

    def __init__(
        self, players: Players, effort: EffortLimit | None = None, played: Sequence[int] = ()
    ) -> None:
        self.players = players
        self.effort, self.played, self.steps = effort, played, 0
        self.seats = list(range(len(players)))
        self.level = [(0, len(players))] if len(players) > 1 else []
        self.behind: list[RankProof | None] = [None] * len(players)
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
            criterion, partial(split_by_figures, figures=figures, lowest_first=lowest_first)
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
            raise too_costly_error()

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
        proof: RankProof,
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


def too_costly_error() -> BadInput:
    """Return the BadInput ``too_costly``: ranking takes more steps or digits than allowed."""
    return BadInput("too_costly", "This takes too long. Send fewer players or criteria.")


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


def _proof(criterion: Criterion, level: Players, figures: Figures) -> RankProof:
    several = _NO_FIGURES
    if criterion.column is None and len(figures.get(level[0], ())) > 1:
        several = {player: tuple(map(exact, figures[player])) for player in level}
    # Same as Proof(…); the constructor would take most of the time.
    fields = criterion.key, level, _FirstFigures(level, figures), False, several
    return tuple.__new__(RankProof, fields)


DEFAULT_CRITERIA = (
    "points",
    "opponents_points",
    "head_to_head",
    "score_for",
    "score_difference",
    "lots",
)


class Standing(NamedTuple):
    """A row of standings: rank, matches counted, tiebreaker values, and the proof of the rank.

    ``columns`` are the values of all players, by tiebreaker; ``values`` selects the player's own.
    ``placed_by`` is the key of the tiebreaker that put the player behind the previous one (None for
    the first); players of equal rank have the same.
    """

    rank: int
    player: PlayerId
    played: int
    won: int
    drawn: int
    lost: int
    columns: Mapping[str, TiebreakerColumn]
    placed_by: str | None
    proof: RankProof | None

    @property
    def values(self) -> Mapping[str, Fraction]:
        """Return the player's value under each numeric criterion."""
        return _Values(self.columns, self.player)

    @property
    def ratios(self) -> tuple[tuple[int, int], ...]:
        """Return the values as (numerator, denominator), faster to make and compare."""
        player = self.player
        return tuple([(one.by_player[player], one.denominator) for one in self.columns.values()])


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """Standings: all rows by rank, and the sets of players that stay tied.

    ``applied`` are all splits that were tried, by tiebreaker.
    """

    rows: tuple[Standing, ...]
    tied: tuple[tuple[PlayerId, ...], ...]
    applied: Sequence[Iterable[CriterionStep]] = field(default=(), compare=False, repr=False)

    @property
    def steps(self) -> tuple[CriterionStep, ...]:
        """Return all splits that were tried, in the order of the criteria."""
        return tuple(chain.from_iterable(self.applied))


def rank(
    *,
    players: Sequence[PlayerId],
    results: Results,
    criteria: Sequence[str] = DEFAULT_CRITERIA,
    points: Points | None = None,
    lots: Sequence[PlayerId] = (),
    penalties: Mapping[PlayerId, int] | None = None,
    dropped: Collection[PlayerId] = (),
    effort: EffortLimit | None = None,
) -> Standings:
    """Return the standings of one group or stage of two-player matches.

    ``results`` may be ``ResultColumns``, which need no object for each match. ``lots`` is the order
    of a random draw, best first; ``penalties`` the number by player; ``dropped`` are players who
    dropped before the end. Tied players keep the order of ``players`` in the rows and share a rank.
    Raises BadInput ``unknown_criterion``, and ``too_costly`` beyond an ``effort``.
    """
    history = History(
        players=tuple(players),
        results=results,
        points=points or Points(),
        penalties=penalties or {},
        lots=tuple(lots),
        dropped=dropped,
    )
    return rank_history(history, criteria=criteria, effort=effort)


def rank_history(
    history: GroupHistory,
    *,
    criteria: Sequence[str] = DEFAULT_CRITERIA,
    effort: EffortLimit | None = None,
) -> Standings:
    """Return the standings of a history by these tiebreaker keys; like :func:`rank`.

    Raises BadInput ``unknown_criterion``, ``criterion_needs_two`` for multiplayer tables, and
    ``too_costly`` beyond an ``effort``.
    """
    return rank_by_criteria(history, _criteria_for(history, criteria), effort)


def rank_by_criteria(
    history: RankedHistory, criteria: Sequence[Criterion], effort: EffortLimit | None = None
) -> Standings:
    """Return the standings by these tiebreakers.

    ``history`` is of the type that they read, such as a group's or a series'. Raises BadInput
    ``too_costly`` beyond an ``effort``.
    """
    columns: dict[str, TiebreakerColumn] = {}
    order = SortState(history.players, effort, history.played if effort else ())
    for criterion in criteria:
        if criterion.column is not None:
            column = columns[criterion.key] = criterion.column(history)
            if effort is not None and column.denominator.bit_length() > effort.bits:
                raise too_costly_error()
            order.sort(criterion, column.numerators, column)
        elif criterion.inside and order.level and isinstance(history, History):
            inside, concerned = history.within(order.level_seats())
            order.split(criterion, partial(criterion.split, inside), concerned)
        else:
            order.split(criterion, partial(criterion.split, history))
    ended = history.played, *history.outcomes
    return _standings(order, ended, [columns] * len(history.players))


def _criteria_for(history: GroupHistory, criteria: Sequence[str]) -> list[Criterion]:
    if isinstance(history, History):
        return [CRITERIA.get(key) for key in criteria]
    check_table_criteria(criteria)
    return [TABLE_CRITERIA.get(key) for key in criteria]


def rank_across_groups(
    *,
    candidates: Sequence[tuple[PlayerId, GroupHistory]],
    criteria: Sequence[str] = DEFAULT_CRITERIA,
    lots: Sequence[PlayerId] = (),
) -> Standings:
    """Return standings of players of different groups, each with values from their own group.

    ``candidates`` are (player, history of the group). Head-to-head tiebreakers are left out
    (tournament rules, Standings order).
    """
    histories = dict(candidates)
    at_tables = any(isinstance(history, TableHistory) for history in histories.values())
    catalogue = TABLE_CRITERIA if at_tables else CRITERIA
    chosen = [criterion for key in criteria if (criterion := catalogue.get(key)).across]
    columns: dict[PlayerId, dict[str, TiebreakerColumn]] = {player: {} for player in histories}
    drawn = History(players=tuple(histories), results=(), lots=tuple(lots))
    order = SortState(drawn.players)
    own = next(iter(histories.values())) if at_tables else drawn  # tables are of one group
    for criterion in chosen:
        if criterion.column is not None:
            for player, history in histories.items():
                columns[player][criterion.key] = criterion.column(history)
            figures = {one: columns[one][criterion.key][one] for one in histories}
            order.sort(criterion, [number for (number,) in figures.values()], figures)
        else:
            order.split(criterion, partial(criterion.split, own))
    records = [history.records[player] for player, history in histories.items()]
    ended = [[record[at] for record in records] for at in range(4)]
    return _standings(order, ended, [*columns.values()])


def standings_from_order(
    history: TableHistory, order: Sequence[PlayerId], criteria: Sequence[str]
) -> Standings:
    """Return standings of players in a given order, such as a top cut's, without ties.

    The values of the tiebreakers are included.
    """
    chosen = _criteria_for(history, criteria)
    columns = {one.key: one.column(history) for one in chosen if one.column is not None}
    rows = (
        Standing(rank, player, *history.records[player], columns, None, None)
        for rank, player in enumerate(order, start=1)
    )
    return Standings(rows=tuple(rows), tied=())


class _Values(Mapping[str, Fraction]):
    """A player's value under each numeric criterion; fractions are created on access."""

    __slots__ = ("columns", "player")

    def __init__(self, columns: Mapping[str, TiebreakerColumn], player: PlayerId) -> None:
        self.columns = columns
        self.player = player

    def __getitem__(self, criterion: str) -> Fraction:
        return self.columns[criterion].number(self.player)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)


def _standings(
    order: SortState,
    ended: Sequence[Sequence[int]],
    columns: Sequence[Mapping[str, TiebreakerColumn]],
) -> Standings:
    """Build the rows; ``ended`` holds matches played, won, drawn and lost by seat."""
    players, (played, won, drawn, lost) = order.players, ended
    ranks, proofs = [*range(1, len(players) + 1)], order.behind.copy()
    for start, end in order.level:
        proof = proofs[start]
        proofs[start:end] = [proof and proof._replace(shared=True)] * (end - start)
        ranks[start:end] = [start + 1] * (end - start)
    rows = [
        # Same as Standing(…); bypassing the constructor halves the time.
        tuple.__new__(
            Standing,
            (
                rank,
                players[seat],
                played[seat],
                won[seat],
                drawn[seat],
                lost[seat],
                columns[seat],
                proof.criterion if proof else None,
                proof,
            ),
        )
        for rank, seat, proof in zip(ranks, order.seats, proofs, strict=True)
    ]
    return Standings(rows=tuple(rows), tied=order.tied(), applied=order.applied)


class Separation(NamedTuple):
    """The first tiebreaker by which two players differ.

    ``by`` is the lower player's value minus the better one's, None for a tiebreaker without values
    in the table (head-to-head, random draw).
    """

    criterion: str
    by: Fraction | None


def separating_criterion(
    rows: Sequence[Standing], criteria: Sequence[str], better: int, worse: int
) -> Separation | None:
    """Return what separates two rows of standings; None if they share a rank.

    ``better`` and ``worse`` are their indexes. Each row proves its rank against the row above, so
    what separates two further apart is the earliest of the ``criteria`` (tiebreaker keys) proved
    between them.
    """
    between = [
        row.proof.criterion
        for above, row in zip(rows[better:worse], rows[better + 1 : worse + 1], strict=True)
        if row.proof and row.rank != above.rank
    ]
    if not between:
        return None
    order = {key: at for at, key in enumerate(criteria)}
    first = min(between, key=lambda key: order.get(key, len(order)))
    column = rows[worse].columns.get(first)
    other = rows[better].columns.get(first)
    if column is None or other is None:
        return Separation(first, None)
    return Separation(first, column.number(rows[worse].player) - other.number(rows[better].player))


def percentage_gap(better: Standing, worse: Standing, criterion: str) -> Fraction:
    """Return the difference of two percentages as displayed, rounded to a tenth of a per cent.

    It is worse minus better, as a fraction (0.1 % is 1/1000); 0 if they look alike.
    """
    own, other = (floor(1000 * row.values[criterion] + Fraction(1, 2)) for row in (worse, better))
    return Fraction(own - other, 1000)


class ResultMark(StrEnum):
    """The result of a match from one player's side; BYE is a win without an opponent."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    BYE = "bye"


Marks = tuple[ResultMark, ...]


class Record(NamedTuple):
    """The numbers of matches won, drawn and lost; a bye counts as won."""

    won: int = 0
    drawn: int = 0
    lost: int = 0


def match_mark(result: Result, player: PlayerId) -> ResultMark | None:
    """Return the result of a match for one of its players; None if it does not count.

    Alone on the first place is a win, sharing it a draw, any other place a loss.
    """
    places = result.places
    if places is None:
        return None
    if places[result.seats.index(player)] != 1:
        return ResultMark.LOST
    if len(places) == 1:
        return ResultMark.BYE
    return ResultMark.WON if places.count(1) == 1 else ResultMark.DRAWN


def marks_by_player(results: Iterable[Result]) -> dict[PlayerId, Marks]:
    """Return each player's results (won, drawn …) in the order of ``results``.

    Void and unplayed matches are left out.
    """
    found: dict[PlayerId, list[ResultMark]] = {}
    for result in results:
        for player in result.seats:
            mark = match_mark(result, player)
            if mark is not None:
                found.setdefault(player, []).append(mark)
    return {player: tuple(marks) for player, marks in found.items()}


def record_from_marks(marks: Iterable[ResultMark]) -> Record:
    """Return the numbers of wins, draws and losses in these results; a bye is a win."""
    every = list(marks)
    won = every.count(ResultMark.WON) + every.count(ResultMark.BYE)
    return Record(won, every.count(ResultMark.DRAWN), every.count(ResultMark.LOST))


def rank_changes(
    before: Mapping[PlayerId, int], now: Mapping[PlayerId, int]
) -> dict[PlayerId, int]:
    """Return by how many ranks each player rose (positive) or fell.

    Only players in both ``before`` and ``now``, which map them to ranks.
    """
    return {player: before[player] - rank for player, rank in now.items() if player in before}
