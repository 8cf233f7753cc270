"""The pairings of some players from the best on, each once.

K-best matchings by K. G. Murty, "An algorithm for ranking all the assignments in order of
increasing cost", Operations Research 16 (1968): what remains after a pairing is split by the first
of its pairs that another one lacks, and the best of each part is found by the rules.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count

from rules.results import PlayerId
from rules.swiss.lineup import Entrant
from rules.swiss.rounds import SwissPair, pair_round

MOST_SOLVED = 500
"""Pairings computed at most, so that many players end in time too."""
SECOND_BYE = 1_000

Seats = frozenset[PlayerId]
Rank = tuple[int, int, int]


def seats_in(pair: SwissPair) -> Seats:
    """Return the players of a pair, one for a bye."""
    return frozenset(pair.seats)


def ranked_pairings(field: Sequence[Entrant], *, seed: str) -> Iterator[tuple[SwissPair, ...]]:
    """Yield the pairings that break no more rules than the best one, best first.

    In the order of the rules: the player who rests, then the sum of squared differences.
    """
    best = pair_round(field, seed=seed)
    broken = violations(best, field)
    solved, turns = count(1), count()
    waiting: list[tuple[Rank, int, tuple[SwissPair, ...], tuple[SwissPair, ...], tuple[Seats, ...]]]
    waiting = [(_sort_key(best, field), next(turns), best, (), ())]
    while waiting:
        _worth, _turn, found, kept, barred = heappop(waiting)
        yield found
        for pair in [pair for pair in found if pair not in kept]:
            if next(solved) > MOST_SOLVED:
                return
            without = (*barred, seats_in(pair))
            other = _best_without(field, kept, without, seed)
            if other is not None and violations(other, field) <= broken:
                heappush(waiting, (_sort_key(other, field), next(turns), other, kept, without))
            kept = (*kept, pair)


def _best_without(
    field: Sequence[Entrant], kept: tuple[SwissPair, ...], barred: Iterable[Seats], seed: str
) -> tuple[SwissPair, ...] | None:
    """Return the best pairing with the pairs ``kept`` and without those ``barred``."""
    barred = set(barred)
    placed = {player for pair in kept for player in seats_in(pair)}
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
    return None if any(seats_in(pair) in barred for pair in found) else found


def violations(pairs: Iterable[SwissPair], field: Iterable[Entrant]) -> int:
    """Return the number of pairs that have met before, or that should be kept apart."""
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
