"""Edits of a draft of a Swiss round by hand."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType

from rules.drafts.draft import (
    Draft,
    DraftChange,
    DraftMatch,
    Fixed,
    assign_numbers_and_tables,
    change_with_fixed_tables,
    seat_of,
)
from rules.drafts.ranked_pairings import ranked_pairings, seats_in, violations
from rules.errors import BadInput, RuleError
from rules.results import PlayerId
from rules.stages.table_ranges import ANY_TABLE, TableRanges
from rules.swiss.lineup import Entrant
from rules.swiss.rounds import SwissPair, pair_round, with_reasons

LAST_TABLE = 9_999
NO_FIXED: Fixed = MappingProxyType({})
Meetings = frozenset[frozenset[PlayerId]]


def swap(
    draft: Draft, first: PlayerId, second: PlayerId, *, fixed: Fixed = NO_FIXED
) -> DraftChange:
    """Swap two players; an unpaired player takes the place of a paired one.

    Raises BadInput ``same_player``; RuleError ``nothing_to_swap`` if that has no effect.
    """
    here, there = _seats_of_two(draft, first, second)
    if here is not None and here == there:
        raise RuleError(
            "nothing_to_swap",
            "The two play each other already. Nothing was changed: choose another player.",
        )
    seats = [match for match in (here, there) if match is not None and not match.missed]
    nobody_plays = all(match.is_bye for match in seats)
    if nobody_plays and len(seats) != 1:
        raise RuleError(
            "nothing_to_swap",
            "Neither of the two has an opponent. Nothing was changed: let them meet instead.",
        )
    made = [_with_players(match, {first: second, second: first}) for match in seats]
    return change_with_fixed_tables(draft, [here, there], made, fixed)


def let_meet(
    draft: Draft,
    first: PlayerId,
    second: PlayerId,
    *,
    fixed: Fixed = NO_FIXED,
    hall: TableRanges = ANY_TABLE,
) -> DraftChange:
    """Pair two players; their previous opponents meet each other.

    If only one of them had an opponent, that opponent gets the other's bye, or without one
    becomes unpaired. Raises BadInput ``same_player``; RuleError ``met_already``,
    ``too_few_tables``.
    """
    here, there = _seats_of_two(draft, first, second)
    if here is not None and here == there:
        raise RuleError("met_already", "The two play each other already. Nothing was changed.")
    freed = [match for match in (here, there) if match is not None]
    left = [other for match in freed for other in match.seats if other not in (first, second)]
    seated: list[tuple[PlayerId, ...]] = [(first, second)]
    if len(left) == 2 or (left and any(match.is_bye for match in freed)):
        seated.append(tuple(left))
    made = assign_numbers_and_tables(draft, freed, seated, hall)
    return change_with_fixed_tables(draft, freed, made, fixed)


def give_bye(draft: Draft, player: PlayerId, *, half: bool = False) -> DraftChange:
    """Give an unpaired player a bye, or half of one; a bye is changed into the other.

    Raises RuleError ``has_opponent``, ``has_bye``.
    """
    match = seat_of(draft, player)
    if match is not None and len(match.seats) > 1:
        raise RuleError(
            "has_opponent",
            "This player has an opponent. Nothing was changed: break the match first.",
        )
    if match is not None and match.is_bye and match.half == half:
        raise RuleError("has_bye", "This player has the bye already. Nothing was changed.")
    freed = [] if match is None else [match]
    (made,) = assign_numbers_and_tables(draft, freed, [(player,)])
    return DraftChange(tuple(freed), (replace(made, half=half),))


def break_up(draft: Draft, numbers: Collection[int]) -> DraftChange:
    """Remove matches, leaving their players unpaired; raises BadInput ``none_chosen``."""
    gone = tuple(match for match in draft if match.number in numbers)
    if not gone:
        raise _none_chosen()
    return DraftChange(gone, ())


def pair_anew(
    draft: Draft,
    chosen: Collection[PlayerId],
    entrants: Iterable[Entrant],
    *,
    seed: str,
    seen: Collection[Meetings] = (),
    resting: Collection[PlayerId] = (),
    fixed: Fixed = NO_FIXED,
    hall: TableRanges = ANY_TABLE,
) -> DraftChange:
    """Pair these players and their current opponents by the rules of Swiss rounds.

    ``entrants`` are all present players; withdrawn players are not paired, and those ``resting``
    keep the bye that they were awarded. The current pairing and
    those ``seen`` are not given again: the best one comes first, then those in which the fewest
    players keep their opponent, then the others, the better ones first. Players without an
    opponent get one whatever was seen.

    Raises BadInput ``none_chosen``; RuleError ``no_other_pairing``, ``too_few_tables``.
    """
    wanted = set(chosen) - set(resting)
    gone = [match for match in draft if wanted & set(match.seats)]
    wanted |= {player for match in gone for player in match.seats}
    field = [one for one in entrants if one.player in wanted]
    if not field:
        raise _none_chosen()
    now = frozenset(frozenset(match.seats) for match in gone if not match.missed)
    found = _next_best(field, now, {now, *seen}, seed)
    made = assign_numbers_and_tables(draft, gone, [pair.seats for pair in found], hall)
    made = [replace(match, reason=pair.reason) for match, pair in zip(made, found, strict=True)]
    return change_with_fixed_tables(draft, gone, made, fixed)


def move_to_table(draft: Draft, number: int, table: int) -> DraftChange:
    """Move a match to another table, swapping with the match there.

    Raises BadInput ``bad_table``, ``none_chosen``.
    """
    match = next((one for one in draft if one.number == number and one.table is not None), None)
    if match is None:
        raise _none_chosen()
    if not 1 <= table <= LAST_TABLE:
        raise BadInput(
            "bad_table",
            "Tables are numbered from 1 to %(last)s. Nothing was changed.",
            last=LAST_TABLE,
        )
    there = next((one for one in draft if one.table == table and one != match), None)
    made = [replace(match, table=table)]
    if there is None:
        return DraftChange((match,), tuple(made))
    return DraftChange((match, there), (*made, replace(there, table=match.table)))


def _seats_of_two(
    draft: Draft, first: PlayerId, second: PlayerId
) -> tuple[DraftMatch | None, DraftMatch | None]:
    if first == second:
        raise BadInput(
            "same_player", "These are the same player. Nothing was changed: choose two players."
        )
    return seat_of(draft, first), seat_of(draft, second)


def _with_players(match: DraftMatch, names: Mapping[PlayerId, PlayerId]) -> DraftMatch:
    seats = tuple(names.get(player, player) for player in match.seats)
    return replace(match, seats=seats, half=False, reason=None)


def _next_best(
    field: Sequence[Entrant], now: Meetings, seen: Collection[Meetings], seed: str
) -> tuple[SwissPair, ...]:
    best = pair_round(field, seed=seed)
    other = {player: pair - {player} for pair in now for player in pair}
    apart = [replace(one, apart=one.apart | other.get(one.player, set())) for one in field]
    every = chain((best,), ranked_pairings(apart, seed=seed), ranked_pairings(field, seed=seed))
    for found in every:
        breaks = violations(found, field) > violations(best, field)
        if not breaks and frozenset(map(seats_in, found)) not in seen:
            return with_reasons(field, found, seed=seed)
    if not now:  # they have no opponents: what was there before is better than nothing
        return with_reasons(field, best, seed=seed)
    raise RuleError(
        "no_other_pairing",
        "There is no other pairing of these players that breaks no rule. Nothing was "
        "changed: choose more tables, or exchange two players.",
    )


def _none_chosen() -> BadInput:
    return BadInput(
        "none_chosen", "No table or player was chosen. Nothing was changed: choose some first."
    )
