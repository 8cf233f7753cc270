"""The matches of a draft, edits of a Swiss round by hand, and remarks on what they cost.

``ranked_pairings`` are the pairings of some players from the best on, each once. K-best matchings
by K. G. Murty, "An algorithm for ranking all the assignments in order of increasing cost",
Operations Research 16 (1968): what remains after a pairing is split by the first of its pairs that
another one lacks, and the best of each part is found by the rules.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from heapq import heappop, heappush
from itertools import chain, count, islice
from types import MappingProxyType

from rules.errors import BadInput, RuleError
from rules.results import PlayerId
from rules.stages.base import Pairs, StageKind
from rules.stages.tables import ANY_TABLE, TableRanges, too_few_tables_error
from rules.swiss.lineup import Entrant
from rules.swiss.rounds import SwissPair, add_reasons, pair_round
from rules.wording import Sentence

FixedTables = Mapping[PlayerId, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftMatch:
    """A match of a round's draft, with its players in the order of their seats.

    A single player has a bye, with ``half`` a half-point bye, or with ``missed`` a missed round.
    ``number`` is the match's number in the stage; ``table`` is None for a bye. Unpaired players are
    in no match. ``reason`` explains the pairing.
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
    """An edit of a draft: the matches to remove (``gone``) and those to add (``made``)."""

    gone: tuple[DraftMatch, ...]
    made: tuple[DraftMatch, ...]


def check_pairings_editable(kind: StageKind, *, extra: bool = False) -> None:
    """Raise RuleError ``pairings_fixed`` if pairings of this kind of stage can't be edited by hand.

    Also if the round is ``extra``: the standings determine tiebreaker matches.
    """
    if extra or not kind.pairs_by_points:
        raise RuleError("pairings_fixed", "Only table numbers can be swapped in this round.")


def find_match(draft: Draft, player: PlayerId) -> DraftMatch | None:
    """Return the match that a player is in, None if unpaired."""
    return next((match for match in draft if player in match.seats), None)


def assign_numbers_and_tables(
    draft: Draft,
    freed: Collection[DraftMatch],
    seated: Sequence[tuple[PlayerId, ...]],
    table_ranges: TableRanges = ANY_TABLE,
) -> list[DraftMatch]:
    """Return new matches for these groups of players, with match numbers and tables.

    ``seated`` are the groups; ``freed`` are the removed matches, whose numbers and tables are used
    first, then the next free ones. A single player has a bye, and needs no table. Raises RuleError
    ``too_few_tables``.
    """
    own = sorted(freed, key=lambda match: (len(match.seats) == 1, match.table or 0, match.number))
    staying = [match for match in draft if match not in freed]
    first = min((match.number for match in draft), default=1)
    numbers = _first_free([m.number for m in own], [m.number for m in staying], first, len(seated))
    used = [match.table for match in staying if match.table is not None]
    kept = [match.table for match in own if match.table]
    others = (table for table in table_ranges if table not in {*used, *kept})
    needed = sum(len(seats) > 1 for seats in seated)
    tables = [*islice(chain(kept, others), needed)]
    if len(tables) < needed:
        raise too_few_tables_error(len(used) + len(tables), len(used) + needed)
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
    draft: Draft, gone: Iterable[DraftMatch | None], made: Sequence[DraftMatch], fixed: FixedTables
) -> DraftChange:
    """Return the change, with players moved to their fixed tables where these are free.

    ``gone`` are the matches to remove (None is ignored), ``made`` those to add; ``fixed`` maps
    players to table numbers.
    """
    removed = tuple(match for match in gone if match is not None)
    elsewhere = {match.table for match in draft if match not in removed}
    seats = list(made)
    for index in range(len(seats)):
        _seat_at_fixed(seats, index, elsewhere, fixed)
    return DraftChange(removed, tuple(seats))


def _seat_at_fixed(
    seats: list[DraftMatch], index: int, elsewhere: Collection[int | None], fixed: FixedTables
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


def _wishes(match: DraftMatch, fixed: FixedTables) -> list[int]:
    if len(match.seats) == 1:
        return []
    return sorted(fixed[player] for player in match.seats if player in fixed)


class Severity(StrEnum):
    """The severity of a remark; a fault blocks publishing."""

    FAULT = "fault"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """An item of a draft's checklist.

    ``weight`` is its severity, ``sentence`` its message; ``match`` is the number of the match
    concerned, if any.
    """

    code: str
    weight: Severity
    players: tuple[PlayerId, ...]
    sentence: Sentence
    match: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingPreferences:
    """The organiser's settings for pairings.

    ``apart`` are pairs to keep apart, ``clubs`` and ``fixed`` map players to their club and fixed
    table. ``not_checked_in`` are players not checked in although others are.
    """

    apart: Pairs = frozenset()
    clubs: Mapping[PlayerId, str]
    fixed: FixedTables
    not_checked_in: frozenset[PlayerId] = frozenset()


def match_remark(
    match: DraftMatch,
    code: str,
    weight: Severity,
    sentence: Sentence,
    players: Iterable[PlayerId] | None = None,
) -> Remark:
    """Return a remark about a match, on all of its players unless ``players`` are given.

    ``weight`` is its severity, ``sentence`` its message.
    """
    return Remark(
        code=code,
        weight=weight,
        players=match.seats if players is None else tuple(players),
        sentence=sentence,
        match=match.number,
    )


MOST_SOLVED = 500
"""Pairings computed at most, so that many players end in time too."""
SECOND_BYE = 1_000

Seats = frozenset[PlayerId]
Rank = tuple[int, int, int]


def paired_players(pair: SwissPair) -> Seats:
    """Return the players of a pair; only one for a bye."""
    return frozenset(pair.seats)


def ranked_pairings(field: Sequence[Entrant], *, seed: str) -> Iterator[tuple[SwissPair, ...]]:
    """Yield Swiss pairings of a field of players, best first.

    Those with more rematches and avoided pairs than the best one are left out. They are ranked by
    the player with the bye, then by the sum of squared point differences.
    """
    best = pair_round(field, seed=seed)
    broken = count_violations(best, field)
    solved, turns = count(1), count()
    waiting: list[tuple[Rank, int, tuple[SwissPair, ...], tuple[SwissPair, ...], tuple[Seats, ...]]]
    waiting = [(_sort_key(best, field), next(turns), best, (), ())]
    while waiting:
        _worth, _turn, found, kept, barred = heappop(waiting)
        yield found
        for pair in [pair for pair in found if pair not in kept]:
            if next(solved) > MOST_SOLVED:
                return
            without = (*barred, paired_players(pair))
            other = _best_without(field, kept, without, seed)
            if other is not None and count_violations(other, field) <= broken:
                heappush(waiting, (_sort_key(other, field), next(turns), other, kept, without))
            kept = (*kept, pair)


def _best_without(
    field: Sequence[Entrant], kept: tuple[SwissPair, ...], barred: Iterable[Seats], seed: str
) -> tuple[SwissPair, ...] | None:
    """Return the best pairing with the pairs ``kept`` and without those ``barred``."""
    barred = set(barred)
    placed = {player for pair in kept for player in paired_players(pair)}
    apart: dict[PlayerId, set[PlayerId]] = {}
    for seats in barred:
        for player in seats:
            apart.setdefault(player, set()).update(seats - {player})
    asked = [
        replace(
            one,
            apart=one.apart | apart.get(one.player, set()),
            byes=one.byes + SECOND_BYE * ({one.player} in barred),
        )
        for one in field
        if one.player not in placed
    ]
    found = (*kept, *pair_round(asked, seed=seed))
    return None if any(paired_players(pair) in barred for pair in found) else found


def count_violations(pairs: Iterable[SwissPair], field: Iterable[Entrant]) -> int:
    """Return the number of pairs that are rematches or should be kept apart."""
    barred = {one.player: one.met | one.apart for one in field}
    return sum(other in barred[one] for one, other, _reason in pairs)


def _sort_key(pairs: Iterable[SwissPair], field: Iterable[Entrant]) -> Rank:
    """Return the key by which pairings compare: byes and points of who rests, then squared gaps."""
    points = {one.player: one.points for one in field}
    byes = {one.player: one.byes for one in field}
    rests, spread = (0, 0), 0
    for one, other, _reason in pairs:
        if other is None:
            rests = byes[one], points[one]
        else:
            spread += (points[one] - points[other]) ** 2
    return *rests, spread


LAST_TABLE = 9_999
NO_FIXED_TABLES: FixedTables = MappingProxyType({})
Meetings = frozenset[frozenset[PlayerId]]


def swap_players(
    draft: Draft, first: PlayerId, second: PlayerId, *, fixed: FixedTables = NO_FIXED_TABLES
) -> DraftChange:
    """Return the change that swaps two players; an unpaired player replaces a paired one.

    Raises BadInput ``same_player``; RuleError ``nothing_to_swap`` if that has no effect.
    """
    here, there = _seats_of_two(draft, first, second)
    if here is not None and here == there:
        raise RuleError(
            "nothing_to_swap",
            "Choose two players from different tables.",
        )
    seats = [match for match in (here, there) if match is not None and not match.missed]
    nobody_plays = all(match.is_bye for match in seats)
    if nobody_plays and len(seats) != 1:
        raise RuleError(
            "nothing_to_swap",
            "Choose two players from different tables.",
        )
    made = [_with_players(match, {first: second, second: first}) for match in seats]
    return change_with_fixed_tables(draft, [here, there], made, fixed)


def pair_players(
    draft: Draft,
    first: PlayerId,
    second: PlayerId,
    *,
    fixed: FixedTables = NO_FIXED_TABLES,
    table_ranges: TableRanges = ANY_TABLE,
) -> DraftChange:
    """Return the change that pairs two players; their previous opponents meet each other.

    If only one of them had an opponent, that opponent gets the other's bye, or without one becomes
    unpaired. Raises BadInput ``same_player``; RuleError ``met_already`` if both sit at one table,
    ``too_few_tables``.
    """
    here, there = _seats_of_two(draft, first, second)
    if here is not None and here == there:
        raise RuleError("met_already", "Choose two players from different tables.")
    freed = [match for match in (here, there) if match is not None]
    left = [other for match in freed for other in match.seats if other not in (first, second)]
    seated: list[tuple[PlayerId, ...]] = [(first, second)]
    if len(left) == 2 or (left and any(match.is_bye for match in freed)):
        seated.append(tuple(left))
    made = assign_numbers_and_tables(draft, freed, seated, table_ranges)
    return change_with_fixed_tables(draft, freed, made, fixed)


def give_bye(draft: Draft, player: PlayerId, *, half: bool = False) -> DraftChange:
    """Return the change that gives an unpaired player a bye; ``half``: a half-point bye.

    A bye of the other sort is replaced. Raises RuleError ``has_opponent``, ``has_bye``.
    """
    match = find_match(draft, player)
    if match is not None and len(match.seats) > 1:
        raise RuleError(
            "has_opponent",
            "Unpair this match first.",
        )
    if match is not None and match.is_bye and match.half == half:
        raise RuleError("has_bye")
    freed = [] if match is None else [match]
    (made,) = assign_numbers_and_tables(draft, freed, [(player,)])
    return DraftChange(tuple(freed), (replace(made, half=half),))


def remove_matches(draft: Draft, numbers: Collection[int]) -> DraftChange:
    """Return the change that removes the matches with these numbers from a draft.

    Their players are unpaired then. Raises BadInput ``none_chosen``.
    """
    gone = tuple(match for match in draft if match.number in numbers)
    if not gone:
        raise _none_chosen()
    return DraftChange(gone, ())


def pair_again(
    draft: Draft,
    chosen: Collection[PlayerId],
    entrants: Iterable[Entrant],
    *,
    seed: str,
    seen: Collection[Meetings] = (),
    resting: Collection[PlayerId] = (),
    fixed: FixedTables = NO_FIXED_TABLES,
    table_ranges: TableRanges = ANY_TABLE,
) -> DraftChange:
    """Return the change that pairs players and their opponents again by the Swiss rules.

    ``chosen`` are these players, ``entrants`` all present players; withdrawn players are not
    paired, and those ``resting`` keep their awarded bye. The current pairing and those ``seen``
    before are not repeated: the best one comes first, then those in which the fewest players keep
    their opponent, then the others, the better ones first. Players without an opponent get one
    whatever was seen. Raises BadInput ``none_chosen``; RuleError ``no_other_pairing``,
    ``too_few_tables``.
    """
    wanted = set(chosen) - set(resting)
    gone = [match for match in draft if wanted & set(match.seats)]
    wanted |= {player for match in gone for player in match.seats}
    field = [one for one in entrants if one.player in wanted]
    if not field:
        raise _none_chosen()
    now = frozenset(frozenset(match.seats) for match in gone if not match.missed)
    found = _next_best(field, now, {now, *seen}, seed)
    made = assign_numbers_and_tables(draft, gone, [pair.seats for pair in found], table_ranges)
    made = [replace(match, reason=pair.reason) for match, pair in zip(made, found, strict=True)]
    return change_with_fixed_tables(draft, gone, made, fixed)


def move_to_table(draft: Draft, number: int, table: int) -> DraftChange:
    """Return the change that moves a match to another table, swapping with the match there.

    ``number`` is the match's, ``table`` the new table's. Raises BadInput ``bad_table``,
    ``none_chosen``.
    """
    match = next((one for one in draft if one.number == number and one.table is not None), None)
    if match is None:
        raise _none_chosen()
    if not 1 <= table <= LAST_TABLE:
        raise BadInput(
            "bad_table",
            "Enter a whole number from %(least)s to %(most)s.",
            least=1,
            most=LAST_TABLE,
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
        raise BadInput("same_player", "Choose two players from different tables.")
    return find_match(draft, first), find_match(draft, second)


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
        breaks = count_violations(found, field) > count_violations(best, field)
        if not breaks and frozenset(map(paired_players, found)) not in seen:
            return add_reasons(field, found, seed=seed)
    if not now:  # they have no opponents: what was there before is better than nothing
        return add_reasons(field, best, seed=seed)
    raise RuleError(
        "no_other_pairing",
        "No other pairing is possible. Choose more tables.",
    )


def _none_chosen() -> BadInput:
    return BadInput("none_chosen", "Choose tables or players.")
