"""Edits of a draft of tables by hand, what they cost, and its checklist.

Source: tables, 5.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from rules.drafts.draft import (
    Draft,
    DraftChange,
    DraftMatch,
    FixedTables,
    PairingPreferences,
    Remark,
    Severity,
    change_with_fixed_tables,
    find_match,
    match_remark,
)
from rules.errors import BadInput, RuleError
from rules.results import PlayerId
from rules.stages.base import StageState, stage_kind
from rules.stages.tables import table_entrants
from rules.tables.field import TableEntrant
from rules.wording import Sentence

MOST_APART = 1
"""Points between two players whom a free swap exchanges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditCost:
    """What an edit costs at the multiplayer tables that it touches.

    ``repeats``: rematches there; ``again``: players at a small table who sat at one before;
    ``apart``: pairs there that should be kept apart; ``gap``: the widest difference of points at
    one of these tables. ``free``: no rematch, small table or avoided pair, and those exchanged are
    at most one point apart.
    """

    repeats: int
    again: int
    apart: int
    gap: Fraction
    free: bool


def exchange_players(
    draft: Draft, first: PlayerId, second: PlayerId, *, fixed: FixedTables
) -> DraftChange:
    """Return the change that exchanges two players of different multiplayer tables.

    An unpaired player replaces the other. ``fixed`` maps players to fixed tables. Raises BadInput
    ``same_player``; RuleError ``nothing_to_swap``.
    """
    if first == second:
        raise BadInput("same_player", "Choose two players from different tables.")
    here, there = find_match(draft, first), find_match(draft, second)
    touched = [match for match in (here, there) if match is not None and not match.missed]
    if here == there or all(match.is_bye for match in touched):
        raise RuleError(
            "nothing_to_swap",
            "Choose two players from different tables.",
        )
    names = {first: second, second: first}
    made = [
        replace(match, seats=tuple(names.get(one, one) for one in match.seats), reason=None)
        for match in touched
    ]
    return change_with_fixed_tables(draft, [here, there], made, fixed)


def move_player(
    draft: Draft, player: PlayerId, number: int, *, sizes: Collection[int], fixed: FixedTables
) -> DraftChange:
    """Return the change that moves a player to the last seat of another multiplayer table.

    ``number`` is that of its match. Both tables must then have one of the ``sizes``; ``fixed`` maps
    players to fixed tables. Raises BadInput ``none_chosen``; RuleError ``table_full``,
    ``size_not_allowed``, ``nothing_to_swap``.
    """
    here = find_match(draft, player)
    there = next((one for one in draft if one.number == number and not one.missed), None)
    if there is None:
        raise BadInput("none_chosen", "Choose tables or players.")
    if here == there:
        raise RuleError(
            "nothing_to_swap",
            "Choose another table.",
        )
    if len(there.seats) >= max(sizes):
        raise RuleError(
            "table_full",
            "The table is full. Swap two players.",
        )
    made = [replace(there, seats=(*there.seats, player), reason=None)]
    _check_size(len(there.seats) + 1, sizes)
    rest = _left_without(here, player)
    if rest is not None:
        _check_size(len(rest.seats), sizes)
        made.append(rest)
    if there.table is None:  # a bye that becomes a table
        last = max((match.table or 0 for match in draft), default=0)
        made[0] = replace(made[0], table=last + 1)
    return change_with_fixed_tables(draft, [here, there], made, fixed)


def give_table_bye(
    draft: Draft, player: PlayerId, *, sizes: Collection[int], fixed: FixedTables
) -> DraftChange:
    """Return the change that gives a player a bye; their table must keep an allowed size.

    ``sizes`` are the allowed sizes of tables, ``fixed`` maps players to fixed tables.

    Raises RuleError ``has_bye``, ``size_not_allowed``.
    """
    here = find_match(draft, player)
    if here is not None and here.is_bye:
        raise RuleError("has_bye")
    rest = _left_without(here, player)
    if rest is not None:
        _check_size(len(rest.seats), sizes)
    number = max((match.number for match in draft), default=0) + 1
    made = [DraftMatch(number=number, seats=(player,))] + ([rest] if rest else [])
    return change_with_fixed_tables(draft, [here], made, fixed)


def reorder_table(draft: Draft, seats: Sequence[PlayerId]) -> DraftChange:
    """Return the change that seats the players of a multiplayer table in this order.

    Raises BadInput ``bad_order`` unless ``seats`` are exactly the players of one table.
    """
    here = find_match(draft, seats[0]) if seats else None
    if here is None or sorted(map(str, here.seats)) != sorted(map(str, seats)):
        raise BadInput(
            "bad_order",
            "Use each value only once.",
        )
    return DraftChange((here,), (replace(here, seats=tuple(seats), reason=None),))


def edit_cost(
    before: StageState, change: DraftChange, exchanged: Sequence[PlayerId] = ()
) -> EditCost:
    """Return the cost of the multiplayer tables that a change creates.

    ``before`` is the stage without the draft, ``exchanged`` are the players who swap tables.
    """
    known = {one.player: one for one in table_entrants(before)}
    usual = stage_kind(before.plan).sizes_of(before.plan)[0]
    tables = [match.seats for match in change.made if len(match.seats) > 1]
    repeats = sum(_met(known, pair) for table in tables for pair in combinations(table, 2))
    small = [player for table in tables if len(table) < usual for player in table]
    again = sum(player in known and known[player].small > 0 for player in small)
    apart = sum(
        frozenset(pair) in before.apart for table in tables for pair in combinations(table, 2)
    )
    gaps = [_gap(known, table) for table in tables]
    near = _gap(known, exchanged) <= MOST_APART
    return EditCost(
        repeats=repeats,
        again=again,
        apart=apart,
        gap=max(gaps, default=Fraction()),
        free=not (repeats or again or apart) and near,
    )


def _met(known: Mapping[PlayerId, TableEntrant], pair: tuple[PlayerId, PlayerId]) -> bool:
    one, other = pair
    return one in known and known[one].met.get(other, 0) > 0


def _gap(known: Mapping[PlayerId, TableEntrant], players: Sequence[PlayerId]) -> Fraction:
    held = [Fraction(known[player].points) for player in players if player in known]
    return max(held) - min(held) if held else Fraction()


def _left_without(match: DraftMatch | None, player: PlayerId) -> DraftMatch | None:
    """Return a match without one of its players, None if nobody is left."""
    if match is None or len(match.seats) == 1:
        return None
    seats = tuple(one for one in match.seats if one != player)
    return replace(match, seats=seats, reason=None)


def _check_size(size: int, sizes: Collection[int]) -> None:
    if size not in sizes:
        raise RuleError(
            "size_not_allowed",
            "A table must have %(sizes)s players.",
            size=size,
            sizes=tuple(map(str, sizes)),
        )


def table_remarks(before: StageState, draft: Draft, wishes: PairingPreferences) -> Iterator[Remark]:
    """Yield remarks on a draft's multiplayer tables.

    They are about rematches, avoided pairs, table sizes, and repeated small tables and byes.
    ``before`` is the stage without the draft.
    """
    known = {one.player: one for one in table_entrants(before)}
    sizes = stage_kind(before.plan).sizes_of(before.plan)
    fewest = min((one.byes for one in known.values()), default=0)
    for match in draft:
        if match.is_bye:
            yield from _byes(match, known, fewest)
        elif not match.missed:
            yield from _company(match, known, wishes)
            yield from _size(match, known, sizes)


def _company(
    match: DraftMatch, known: Mapping[PlayerId, TableEntrant], wishes: PairingPreferences
) -> Iterator[Remark]:
    for one, other in combinations(match.seats, 2):
        if one in known and known[one].met.get(other):
            sentence = Sentence("Already met.")
            yield match_remark(match, "rematch", Severity.WARNING, sentence, (one, other))
        if frozenset((one, other)) in wishes.apart:
            sentence = Sentence("These players should be kept apart.")
            yield match_remark(match, "kept_apart", Severity.WARNING, sentence, (one, other))


def _size(
    match: DraftMatch, known: Mapping[PlayerId, TableEntrant], sizes: tuple[int, ...]
) -> Iterator[Remark]:
    if len(match.seats) not in sizes:
        values = {"sizes": tuple(map(str, sizes))}
        sentence = Sentence("A table must have %(sizes)s players.", values)
        yield match_remark(match, "size", Severity.WARNING, sentence)
    if len(match.seats) < sizes[0]:
        again = tuple(player for player in match.seats if player in known and known[player].small)
        if again:
            sentence = Sentence("At a small table again")
            yield match_remark(match, "small_again", Severity.NOTE, sentence, again)


def _byes(
    match: DraftMatch, known: Mapping[PlayerId, TableEntrant], fewest: int
) -> Iterator[Remark]:
    (player,) = match.seats
    if player in known and known[player].byes:
        weight = Severity.WARNING if known[player].byes > fewest else Severity.NOTE
        yield match_remark(match, "second_bye", weight, Sentence("Already had a bye."))
