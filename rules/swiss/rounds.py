"""One Swiss round: pairs, bye and reasons.

Source: tournament rules, Other formulas to ship (Swiss).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from rules.results import PlayerId
from rules.swiss.field import Field, Pair, levels_of
from rules.swiss.lineup import BarredPairs, Entrant, Lineup, lined_up
from rules.swiss.matching import perfect_matching
from rules.swiss.search import TangledError, cheapest_pairs
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def least_broken(field: Field, barred: BarredPairs) -> tuple[Pair, ...]:
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


REMATCH = Sentence("They have met before: no pairing of this round avoids every rematch.")
LEVEL = _("Level on points: %(points)s.")
WISH = Sentence("They were to be kept apart: this round could not be paired so.")


def reasons(points: Sequence[int], pairs: Sequence[Pair]) -> list[Sentence]:
    """Return a reason for each pair; players are indexes, by points in descending order.

    Of the players who float down from a level, one does because the level (with floaters from
    above) is odd; the others because they have met everybody left in it. Pairs within one level
    share their sentence.
    """
    levels = levels_of(points)
    came = Counter([points[b] for a, b in pairs if points[a] != points[b]])
    odd = {one.points: (one.end - one.start - came[one.points]) % 2 == 1 for one in levels}
    within = {
        own: Sentence(LEVEL, {"points": own, "lower": own})
        for own in (one.points for one in levels)
    }
    found = []
    for a, b in pairs:
        own, lower = points[a], points[b]
        if own == lower:
            found.append(within[own])
            continue
        template = _(
            "Floated from %(points)s to %(lower)s: nobody left at %(points)s points whom "
            "they had not met."
        )
        if odd[own]:
            odd[own] = False
            template = _("Floated from %(points)s to %(lower)s: odd number at %(points)s points.")
        found.append(Sentence(template, {"points": own, "lower": lower}))
    return found


MOST_NODES = 600  # limit of one exact matching: larger ones take seconds


class SwissPair(NamedTuple):
    """A pair, the player with more points first; ``b`` None means a bye."""

    a: PlayerId
    b: PlayerId | None
    reason: Sentence

    @property
    def seats(self) -> tuple[PlayerId, ...]:
        """Return the players, one for a bye."""
        return tuple(player for player in self[:2] if player is not None)


def pair_round(entrants: Iterable[Entrant], *, seed: str) -> tuple[SwissPair, ...]:
    """Return the pairs of a round by points in descending order, the bye last.

    No rematch and no pair kept apart while such a pairing exists, then the minimum sum of squared
    differences, exactly. Remaining freedom is resolved by the seed. With an odd number of players
    the bye goes to the lowest of those with the fewest byes, if the others can be paired.
    """
    lineup = lined_up(entrants, seed)
    if len(lineup.entrants) % 2 == 0:
        return _pair_lineup(lineup)
    lowest_first = lineup.entrants[::-1]
    candidates = sorted(lowest_first, key=lambda one: one.byes)
    for _byes, level in groupby(candidates, key=lambda one: one.byes):
        found = _with_bye(lineup, list(level))
        if found is not None:
            return found
    resting = candidates[0]
    return (*_pair_lineup(lineup.without(resting)), _bye_of(resting))


def _with_bye(lineup: Lineup, level: Sequence[Entrant]) -> tuple[SwissPair, ...] | None:
    """Return the round with the first possible player of ``level`` resting, None if there is none.

    Keeping pairs apart is given up before a rematch or a second bye.
    """
    for resting in level:
        found = _without_violation(lineup.without(resting))
        if found is not None:
            return (*found, _bye_of(resting))
    if not any(one.apart for one in lineup.entrants):
        return None
    for resting in level:
        rest = lineup.without(resting)
        if cheapest_pairs(rest.field(rest.barred().met)) is not None:
            return (*_pair_lineup(rest), _bye_of(resting))
    return None


def _bye_of(resting: Entrant) -> SwissPair:
    reason = (
        _("Bye: the lowest without one so far who leaves the others a pairing.")
        if not resting.byes
        else _("Bye: everybody who could rest has had one.")
    )
    return SwissPair(a=resting.player, b=None, reason=Sentence(reason))


def _without_violation(lineup: Lineup) -> tuple[SwissPair, ...] | None:
    """Return the minimum-cost pairing without violations, None if there is none.

    If pairs kept apart make the search too slow they are given up.
    """
    barred = lineup.barred()
    field = lineup.field(barred.both())
    try:
        found = cheapest_pairs(field, most=MOST_NODES)
    except TangledError:
        found = cheapest_pairs(replace(field, avoid=barred.met))
    return None if found is None else _with_players_and_reasons(lineup, found.pairs, barred)


def _pair_lineup(lineup: Lineup) -> tuple[SwissPair, ...]:
    found = _without_violation(lineup)
    if found is not None:
        return found
    barred = lineup.barred()
    return _with_players_and_reasons(
        lineup, least_broken(lineup.field(barred.both()), barred), barred
    )


def with_reasons(
    entrants: Iterable[Entrant], pairs: Iterable[SwissPair], *, seed: str
) -> tuple[SwissPair, ...]:
    """Return pairs of these players in order, each with the reason that the rules give for it."""
    lineup = lined_up(entrants, seed)
    resting = [pair for pair in pairs if len(pair.seats) == 1]
    for pair in resting:
        lineup = lineup.without(next(one for one in lineup.entrants if one.player in pair.seats))
    at = {one.player: index for index, one in enumerate(lineup.entrants)}
    played = [(at[one], at[other]) for one, other, _why in pairs if other is not None]
    return (*_with_players_and_reasons(lineup, played, lineup.barred()), *resting)


def _with_players_and_reasons(
    lineup: Lineup, pairs: Sequence[Pair], barred: BarredPairs
) -> tuple[SwissPair, ...]:
    placed = sorted([(a, b) if a < b else (b, a) for a, b in pairs])
    why = reasons([one.points for one in lineup.entrants], placed)
    players = [one.player for one in lineup.entrants]
    met, apart = barred.met, barred.apart
    found = []
    for (a, b), reason in zip(placed, why, strict=True):
        if b in met[a]:
            reason = REMATCH
        elif b in apart[a]:
            reason = WISH
        # Same as SwissPair(…); bypassing the constructor halves the time.
        found.append(tuple.__new__(SwissPair, (players[a], players[b], reason)))
    return tuple(found)
