"""One Swiss round: pairs, bye and reasons.

Source: tournament rules, Other formulas to ship (Swiss).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby

from rules.results import PlayerId
from rules.swiss.field import Field, Pair, levels_of
from rules.swiss.matching import perfect_matching
from rules.swiss.search import TangledError, cheapest_pairs
from rules.wording import Sentence
from rules.wording import gettext_noop as _


@dataclass(frozen=True, slots=True, kw_only=True)
class Barred:
    """Pairs to avoid: players who have met, and players whom the organiser keeps apart."""

    met: Sequence[frozenset[int]]
    apart: Sequence[frozenset[int]]


def least_broken(field: Field, barred: Barred) -> tuple[Pair, ...]:
    """Return the pairing with the fewest rematches, then the fewest pairs kept apart.

    Among those, the one of minimum cost. One rematch outweighs any number of pairs kept apart.
    """
    size = len(field.points)
    spread = (max(field.points, default=0) - min(field.points, default=0)) ** 2
    wish = spread * size + 1  # exceeds the cost of any pairing
    rematch = (wish + spread) * size + 1  # exceeds the cost of all pairs kept apart together
    edges = []
    for a in range(size):
        for b in range(a + 1, size):
            cost = (field.points[a] - field.points[b]) ** 2
            cost += rematch * (b in barred.met[a]) + wish * (b in barred.apart[a])
            edges.append((a, b, (cost << 33) + (field.noise[a] ^ field.noise[b])))
    return tuple(perfect_matching(size, edges) or ())


REMATCH = Sentence(_("They have met before: no pairing of this round avoids every rematch."))
WISH = Sentence(_("They were to be kept apart: this round could not be paired so."))


def reasons(points: Sequence[int], pairs: Sequence[Pair]) -> list[Sentence]:
    """Return a reason for each pair; players are indexes, by points in descending order.

    Of the players who float down from a level, one does because the level (with floaters from
    above) is odd; the others because they have met everybody left in it.
    """
    came = Counter(points[b] for a, b in pairs if points[a] != points[b])
    odd = {
        level.points: (level.end - level.start - came[level.points]) % 2 == 1
        for level in levels_of(points)
    }
    found = []
    for a, b in pairs:
        values = {"points": points[a], "lower": points[b]}
        if points[a] == points[b]:
            template = _("Level on points: %(points)s.")
        elif odd[points[a]]:
            odd[points[a]] = False
            template = _("Floated from %(points)s to %(lower)s: odd number at %(points)s points.")
        else:
            template = _(
                "Floated from %(points)s to %(lower)s: nobody left at %(points)s points whom "
                "they had not met."
            )
        found.append(Sentence(template, values))
    return found


MOST_NODES = 600  # limit of one exact matching: larger ones take seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player to pair: points, players met, and players kept apart from.

    ``byes`` and ``floats`` count byes, and matches against players with other points, so far.
    """

    player: PlayerId
    points: int = 0
    met: frozenset[PlayerId] = frozenset()
    apart: frozenset[PlayerId] = frozenset()
    byes: int = 0
    floats: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SwissPair:
    """A pair, the player with more points first; ``b`` None means a bye."""

    a: PlayerId
    b: PlayerId | None
    reason: Sentence


def pair_round(entrants: Iterable[Entrant], *, seed: str) -> tuple[SwissPair, ...]:
    """Return the pairs of a round by points in descending order, the bye last.

    No rematch and no pair kept apart while such a pairing exists, then the minimum sum of squared
    differences, exactly. Remaining freedom is resolved by the seed. With an odd number of players
    the bye goes to the lowest of those with the fewest byes, if the others can be paired.
    """
    order = sorted(entrants, key=lambda one: (-one.points, _noise(seed, one.player)))
    if len(order) % 2 == 0:
        return _paired(order, seed)
    lowest_first = order[::-1]
    candidates = sorted(lowest_first, key=lambda one: one.byes)
    for _byes, level in groupby(candidates, key=lambda one: one.byes):
        found = _with_bye(order, list(level), seed)
        if found is not None:
            return found
    resting = candidates[0]
    return (*_paired([one for one in order if one is not resting], seed), _bye(resting))


def _with_bye(
    order: Sequence[Entrant], level: Sequence[Entrant], seed: str
) -> tuple[SwissPair, ...] | None:
    """Return the round with the first possible player of ``level`` resting, None if there is none.

    Keeping pairs apart is given up before a rematch or a second bye.
    """
    for resting in level:
        found = _without_violation([one for one in order if one is not resting], seed)
        if found is not None:
            return (*found, _bye(resting))
    if not any(one.apart for one in order):
        return None
    for resting in level:
        rest = [one for one in order if one is not resting]
        if _without_violation([replace(one, apart=frozenset()) for one in rest], seed) is not None:
            return (*_paired(rest, seed), _bye(resting))
    return None


def _bye(resting: Entrant) -> SwissPair:
    reason = (
        _("Bye: the lowest without one so far who leaves the others a pairing.")
        if not resting.byes
        else _("Bye: everybody who could rest has had one.")
    )
    return SwissPair(a=resting.player, b=None, reason=Sentence(reason))


def _without_violation(order: Sequence[Entrant], seed: str) -> tuple[SwissPair, ...] | None:
    """Return the minimum-cost pairing without violations, None if there is none.

    If pairs kept apart make the search too slow they are given up.
    """
    field, barred = _field(order, seed)
    try:
        found = cheapest_pairs(field, most=MOST_NODES)
    except TangledError:
        field = replace(field, avoid=barred.met)
        found = cheapest_pairs(field)
    return None if found is None else _named(order, found.pairs, field, barred)


def _paired(order: Sequence[Entrant], seed: str) -> tuple[SwissPair, ...]:
    found = _without_violation(order, seed)
    if found is not None:
        return found
    field, barred = _field(order, seed)
    return _named(order, least_broken(field, barred), field, barred)


def _field(order: Sequence[Entrant], seed: str) -> tuple[Field, Barred]:
    at = {one.player: index for index, one in enumerate(order)}
    met = [frozenset(at[other] for other in one.met if other in at) for one in order]
    apart = [frozenset(at[other] for other in one.apart if other in at) for one in order]
    field = Field(
        points=[one.points for one in order],
        avoid=[one | other for one, other in zip(met, apart, strict=True)],
        floats=[one.floats for one in order],
        noise=[_noise(seed, one.player)[0] for one in order],
    )
    return field, Barred(met=met, apart=apart)


def _noise(seed: str, player: PlayerId) -> tuple[int, str]:
    """Return a 32-bit number derived from seed and player, and the player as tie-break."""
    digest = sha256(f"{seed}:{player}".encode()).digest()
    return int.from_bytes(digest[:4], "big"), str(player)


def _named(
    order: Sequence[Entrant], pairs: Sequence[Pair], field: Field, barred: Barred
) -> tuple[SwissPair, ...]:
    placed = sorted((min(pair), max(pair)) for pair in pairs)
    why = reasons(field.points, placed)
    found = []
    for (a, b), reason in zip(placed, why, strict=True):
        if b in barred.met[a]:
            reason = REMATCH
        elif b in barred.apart[a]:
            reason = WISH
        found.append(SwissPair(a=order[a].player, b=order[b].player, reason=reason))
    return tuple(found)
