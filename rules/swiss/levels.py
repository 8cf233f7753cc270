"""Pairing of a big level: opponents for the floaters from both sides, and pairs within it."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from rules.swiss.field import Field, Level, Pair
from rules.swiss.matching import Edge, perfect_matching


def pair_level(
    level: Level, floaters: Sequence[int], field: Field, *, sends: bool
) -> tuple[list[Pair], int | None] | None:
    """Return the level's pairs and its floater to the next level, None if it cannot be paired.

    Each of the ``floaters`` meets a member; with ``sends`` one member floats down. A greedy pass
    over the members in random order is tried first, then an exact matching.
    """
    return _realise_greedily(level, floaters, field, sends=sends) or _realise_exactly(
        level, floaters, field, sends=sends
    )


def _realise_greedily(
    level: Level, floaters: Sequence[int], field: Field, *, sends: bool
) -> tuple[list[Pair], int | None] | None:
    avoid, noise, floats = field.avoid, field.noise, field.floats
    members = sorted(level.members, key=noise.__getitem__)
    pairs: list[Pair] = []
    sent: int | None = None
    if floaters or sends:
        free = sorted(
            members, key=floats.__getitem__
        )  # stable sort: keeps the random order within equal keys
        for floater in floaters:
            partner = next((one for one in free if one not in avoid[floater]), None)
            if partner is None:
                return None
            free.remove(partner)
            pairs.append((floater, partner))
        if sends:
            if not free:
                return None
            sent = free.pop(0)
        left = set(free)
        members = [one for one in members if one in left]
    within, waiting = _pair_greedily(members, avoid)
    if waiting and not _pair_by_splitting_pairs(within, waiting, avoid):
        return None
    return pairs + within, sent


def _pair_greedily(
    members: Sequence[int], avoid: Sequence[AbstractSet[int]]
) -> tuple[list[Pair], list[int]]:
    """Pair each member greedily with the first waiting one allowed; return pairs and unpaired."""
    pairs: list[Pair] = []
    waiting: list[int] = []
    for one in members:
        barred = avoid[one]
        for at, other in enumerate(waiting):
            if other not in barred:
                pairs.append((other, one))
                del waiting[at]
                break
        else:
            waiting.append(one)
    return pairs, waiting


def _pair_by_splitting_pairs(
    pairs: list[Pair], waiting: list[int], avoid: Sequence[AbstractSet[int]]
) -> bool:
    """Pair unpaired members with the partners of existing pairs; return whether all are paired."""
    while waiting:
        one, other = waiting.pop(), waiting.pop()
        for at, (a, b) in enumerate(pairs):
            if a not in avoid[one] and b not in avoid[other]:
                pairs[at : at + 1] = [(a, one), (b, other)]
                break
            if b not in avoid[one] and a not in avoid[other]:
                pairs[at : at + 1] = [(b, one), (a, other)]
                break
        else:
            return False
    return True


def _realise_exactly(
    level: Level, floaters: Sequence[int], field: Field, *, sends: bool
) -> tuple[list[Pair], int | None] | None:
    """Match the level and its floaters exactly; floaters meet members only."""
    players = [*level.members, *floaters]
    own = len(level.members)
    edges: list[Edge] = []
    for a in range(own):
        one = players[a]
        for b in range(a + 1, len(players)):
            other = players[b]
            if other not in field.avoid[one]:
                floats = field.floats[one] << 33 if b >= own else 0
                edges.append((a, b, floats + (field.noise[one] ^ field.noise[other])))
        if sends:
            edges.append((a, len(players), (field.floats[one] << 33) + field.noise[one]))
    found = perfect_matching(len(players) + sends, edges)
    if found is None:
        return None
    pairs = [(players[a], players[b]) for a, b in found if b < len(players)]
    sent = next((players[a] for a, b in found if b == len(players)), None)
    return pairs, sent
