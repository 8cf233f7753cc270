"""The matches of a draft, and a change to them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from rules.errors import RuleError
from rules.results import PlayerId
from rules.stages.kind import StageKind
from rules.stages.table_ranges import ANY_TABLE, TableRanges, too_few_tables
from rules.wording import Sentence

Fixed = Mapping[PlayerId, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftMatch:
    """A match of a draft, with its players in the order of their seats.

    One seat is a bye, with ``half`` half of one, or with ``missed`` a missed round. ``number`` is
    the match's number in its round, ``table`` None without play. Players in no match are unpaired.
    """

    number: int
    seats: tuple[PlayerId, ...]
    table: int | None = None
    missed: bool = False
    half: bool = False
    reason: Sentence | None = None

    @property
    def is_bye(self) -> bool:
        """Return whether the player has a bye, or half of one."""
        return len(self.seats) == 1 and not self.missed


Draft = Sequence[DraftMatch]


@dataclass(frozen=True, slots=True)
class DraftChange:
    """The matches of a draft to remove and to add."""

    gone: tuple[DraftMatch, ...]
    made: tuple[DraftMatch, ...]


def check_may_be_paired(kind: StageKind, *, extra: bool = False) -> None:
    """Raise RuleError ``pairings_fixed`` if pairings of this kind of stage can't be edited by hand.

    Also if the round is ``extra``: who plays an extra match follows from the standings.
    """
    if extra:
        raise RuleError(
            "pairings_fixed",
            "Who plays an extra match follows from the standings. Nothing was changed.",
        )
    if not kind.pairs_by_points:
        raise RuleError("pairings_fixed", kind.not_by_hand.template, **kind.not_by_hand.values)


def seat_of(draft: Draft, player: PlayerId) -> DraftMatch | None:
    """Return the match of a player, None if unpaired."""
    return next((match for match in draft if player in match.seats), None)


def assign_numbers_and_tables(
    draft: Draft,
    freed: Collection[DraftMatch],
    seated: Sequence[tuple[PlayerId, ...]],
    hall: TableRanges = ANY_TABLE,
) -> list[DraftMatch]:
    """Give those seated together the numbers and tables of removed matches, then the next free.

    One seated alone has a bye, and needs no table.

    Raises RuleError ``too_few_tables``.
    """
    own = sorted(freed, key=lambda match: (len(match.seats) == 1, match.table or 0, match.number))
    staying = [match for match in draft if match not in freed]
    first = min((match.number for match in draft), default=1)
    numbers = _first_free([m.number for m in own], [m.number for m in staying], first, len(seated))
    used = [match.table for match in staying if match.table is not None]
    kept = [match.table for match in own if match.table]
    others = (table for table in hall if table not in {*used, *kept})
    needed = sum(len(seats) > 1 for seats in seated)
    tables = [*islice(chain(kept, others), needed)]
    if len(tables) < needed:
        raise too_few_tables(len(used) + len(tables), len(used) + needed)
    free = iter(tables)
    return [
        DraftMatch(number=number, seats=seats, table=next(free) if len(seats) > 1 else None)
        for number, seats in zip(numbers, seated, strict=True)
    ]


def _first_free(own: list[int], taken: Collection[int], start: int, how_many: int) -> list[int]:
    """Return ``how_many`` values: those of ``own`` first, then unused ones from ``start`` on."""
    used = {*own, *taken}
    more = [n for n in range(start, start + len(used) + how_many) if n not in used]
    return [*own, *more][:how_many]


def change_with_fixed_tables(
    draft: Draft, gone: Iterable[DraftMatch | None], made: Sequence[DraftMatch], fixed: Fixed
) -> DraftChange:
    """Return the change, with players seated at their fixed tables where these are free."""
    removed = tuple(match for match in gone if match is not None)
    elsewhere = {match.table for match in draft if match not in removed}
    seats = list(made)
    for index in range(len(seats)):
        _seat_at_fixed(seats, index, elsewhere, fixed)
    return DraftChange(removed, tuple(seats))


def _seat_at_fixed(
    seats: list[DraftMatch], index: int, elsewhere: Collection[int | None], fixed: Fixed
) -> None:
    match = seats[index]
    wishes = _wishes(match, fixed)
    if match.table in wishes:
        return
    for wanted in wishes:
        if wanted in elsewhere:
            continue
        holder = next((at for at, other in enumerate(seats) if other.table == wanted), None)
        if holder is not None and wanted in _wishes(seats[holder], fixed):
            continue
        if holder is not None:
            seats[holder] = replace(seats[holder], table=match.table)
        seats[index] = replace(match, table=wanted)
        return


def _wishes(match: DraftMatch, fixed: Fixed) -> list[int]:
    if len(match.seats) == 1:
        return []
    return sorted(fixed[player] for player in match.seats if player in fixed)
