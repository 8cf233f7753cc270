"""One Swiss round: who meets whom, who has the bye, and why.

Tournament rules, Other formulas to ship (Swiss).
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
    """Why players can't meet: whom each has met, and whom the organiser keeps them from."""

    met: Sequence[frozenset[int]]
    apart: Sequence[frozenset[int]]


def least_broken(field: Field, barred: Barred) -> tuple[Pair, ...]:
    """Return the pairing with the fewest rematches, then the fewest pairs kept apart.

    Among those the cheapest in points. A rematch is worse than any number of wishes.
    """
    size = len(field.points)
    spread = (max(field.points, default=0) - min(field.points, default=0)) ** 2
    wish = spread * size + 1  # dearer than the points of any pairing
    rematch = (wish + spread) * size + 1  # dearer than all wishes together
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
    """Return a reason for each pair; players are indexes, the most points first.

    Of those who leave a level downwards one does because the level, with those who came into it
    from above, is odd; the others because nobody was left there whom they had not met.
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


MOST_NODES = 600  # of one exact matching: a larger one takes seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A player to be paired: whole points, whom they have met and whom they are kept from.

    ``byes`` and ``floats`` count the byes, and the matches against other points, so far.
    """

    player: PlayerId
    points: int = 0
    met: frozenset[PlayerId] = frozenset()
    apart: frozenset[PlayerId] = frozenset()
    byes: int = 0
    floats: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SwissPair:
    """Two who are to meet, the one with more points first; ``b`` None is the bye."""

    a: PlayerId
    b: PlayerId | None
    reason: Sentence


def pair_round(entrants: Iterable[Entrant], *, seed: str) -> tuple[SwissPair, ...]:
    """Return the pairs of a round, the most points first, the bye last.

    No rematch and nobody who is kept apart while such a pairing exists, then the least squared
    differences of points, exactly. What the rules leave open follows from the seed. With an odd
    number the lowest of those with the fewest byes rests, if the others can be paired then.
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
    """Return the round where the first of these rests who leaves the others a pairing.

    A wish gives way before somebody meets the same opponent, or rests, once more.
    """
    for resting in level:
        found = _lawful([one for one in order if one is not resting], seed)
        if found is not None:
            return (*found, _bye(resting))
    if not any(one.apart for one in order):
        return None
    for resting in level:
        rest = [one for one in order if one is not resting]
        if _lawful([replace(one, apart=frozenset()) for one in rest], seed) is not None:
            return (*_paired(rest, seed), _bye(resting))
    return None


def _bye(resting: Entrant) -> SwissPair:
    reason = (
        _("Bye: the lowest without one so far who leaves the others a pairing.")
        if not resting.byes
        else _("Bye: everybody who could rest has had one.")
    )
    return SwissPair(a=resting.player, b=None, reason=Sentence(reason))


def _lawful(order: Sequence[Entrant], seed: str) -> tuple[SwissPair, ...] | None:
    """Return the cheapest pairing that breaks no rule, None where there is none.

    Where wishes tangle so many players that the search would take seconds they are given up.
    """
    field, barred = _field(order, seed)
    try:
        found = cheapest_pairs(field, most=MOST_NODES)
    except TangledError:
        field = replace(field, avoid=barred.met)
        found = cheapest_pairs(field)
    return None if found is None else _named(order, found.pairs, field, barred)


def _paired(order: Sequence[Entrant], seed: str) -> tuple[SwissPair, ...]:
    found = _lawful(order, seed)
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
    """Return a number of 32 bits that seed and player decide, and the player against ties."""
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
