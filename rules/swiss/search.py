"""Minimum-cost pairing: segments solved exactly, big levels paired, the cost certified."""

from dataclasses import dataclass
from itertools import pairwise

from rules.swiss.field import Field, Level, Pair, is_big, levels_of
from rules.swiss.levels import pair_level
from rules.swiss.segments import Segment, SolvedSegment, solve


@dataclass(frozen=True, slots=True, kw_only=True)
class CheapestPairing:
    """Pairs of players, and the sum of squared differences, a lower bound for every pairing."""

    pairs: tuple[Pair, ...]
    cost: int


class TangledError(Exception):
    """Too many players depend on each other for an exact matching in reasonable time."""


def cheapest_pairs(
    field: Field, *, big: list[Level] | None = None, most: int | None = None
) -> CheapestPairing | None:
    """Return a minimum-cost pairing without violations, None if there is none.

    ``big`` are the levels at which the field is split, by default those that can certainly be
    paired within themselves. A level that turns out not to be merges with its neighbours and the
    search restarts; without any, the field is matched as a whole, so the answer is always exact.
    Raises TangledError if more than ``most`` players would have to be matched at once.
    """
    levels = [one for one in levels_of(field.points) if is_big(one, field.avoid)]
    cuts = levels if big is None else list(big)
    known: dict[tuple[int, int], SolvedSegment | None] = {}
    while True:
        solved = _solve_all(cuts, field, known, most)
        if solved is None:
            return None
        found = _realise_all(cuts, solved, field)
        if isinstance(found, Level):
            cuts.remove(found)
            continue
        cost = sum(part.cost for part in solved)
        if field.cost(found) != cost:
            raise AssertionError("A pairing must cost what its segments do.")
        return CheapestPairing(pairs=tuple(found), cost=cost)


def _solve_all(
    cuts: list[Level],
    field: Field,
    known: dict[tuple[int, int], SolvedSegment | None],
    most: int | None,
) -> list[SolvedSegment] | None:
    """Return the solved segments above, between and below the cuts; None if one has no matching."""
    borders: list[Level | None] = [None, *cuts, None]
    parts: list[SolvedSegment] = []
    for upper, lower in pairwise(borders):
        start = upper.end if upper else 0
        end = lower.start if lower else len(field.points)
        if (start, end) not in known:
            if most is not None and end - start > most:
                raise TangledError
            segment = Segment(upper=upper, lower=lower, start=start, end=end)
            known[start, end] = solve(segment, field)
        part = known[start, end]
        if part is None:
            return None
        parts.append(part)
    return parts


def _realise_all(
    cuts: list[Level], solved: list[SolvedSegment], field: Field
) -> list[Pair] | Level:
    """Return all pairs, or a level that cannot be paired with its floaters."""
    pairs = [pair for part in solved for pair in part.pairs]
    sent: int | None = None
    for level, above, below in zip(cuts, solved, solved[1:], strict=False):
        floaters = [*above.down, *below.up]
        if sent is not None:
            floaters.append(sent)
        done = pair_level(level, floaters, field, sends=below.crossing)
        if done is None:
            return level
        found, sent = done
        pairs += found
    return pairs
