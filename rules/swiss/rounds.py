"""One Swiss round: pairs, bye and reasons.

The pairing has minimum cost: segments between big levels are solved exactly, with stand-ins for
these levels, the big levels are paired, and the cost is certified.

Any pairing of the whole field can be cut at the big levels that its pairs reach into or cross. As
(x + y)² is at least x² + y², the pieces of a segment never cost more than the part of the pairs
that they come from. So the minimum-cost matching of each segment, with the number of pieces into
adjacent big levels that parity requires, gives a lower bound for every pairing.

Source: tournament rules, Other formulas to ship (Swiss).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import NamedTuple

import rustworkx

from rules.results import PlayerId
from rules.swiss.lineup import (
    AvoidedPairs,
    Entrant,
    Lineup,
    Pair,
    PairingField,
    ScoreGroup,
    build_lineup,
    can_pair_within,
    score_groups,
)
from rules.wording import Sentence
from rules.wording import gettext_noop as _

Edge = tuple[int, int, int]
"""Two nodes and the cost of matching them, an integer of at most about 90 bits."""


def perfect_matching(nodes: int, edges: Iterable[Edge]) -> list[Pair] | None:
    """Return a minimum-cost perfect matching of a graph, None if there is none.

    ``edges`` are (node, node, cost), nodes count from 0. Deterministic for the same edges in the
    same order; each pair has the smaller node first.
    """
    known = list(edges)
    top = max((cost for _a, _b, cost in known), default=0) + 1
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from([(a, b, top - cost) for a, b, cost in known])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < nodes:
        return None
    return sorted((a, b) if a < b else (b, a) for a, b in found)


def pair_score_group(
    level: ScoreGroup, floaters: Sequence[int], field: PairingField, *, sends: bool
) -> tuple[list[Pair], int | None] | None:
    """Return (pairs of a score group, index of its floater); None if it cannot be paired.

    ``level`` is the group. Each of the ``floaters`` from other groups meets a member; with
    ``sends`` one member floats down, else the floater is None. A greedy pass over the members in
    random order is tried first, then an exact matching.
    """
    return _realise_greedily(level, floaters, field, sends=sends) or _realise_exactly(
        level, floaters, field, sends=sends
    )


def _realise_greedily(
    level: ScoreGroup, floaters: Sequence[int], field: PairingField, *, sends: bool
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
    level: ScoreGroup, floaters: Sequence[int], field: PairingField, *, sends: bool
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


HISTORY = 1 << 44  # one previous float outweighs the noise of the whole field
POINTS = 1 << 64  # one squared point outweighs all previous floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """The players ``start`` … ``end`` - 1 between two big score groups.

    ``upper`` and ``lower`` are these groups, None at an end of the field. An odd number of players
    above a border means an odd number of pairs across it.
    """

    upper: ScoreGroup | None
    lower: ScoreGroup | None
    start: int
    end: int

    @property
    def from_upper(self) -> bool:
        """Return whether an additional piece reaches into the upper level."""
        return self.upper is not None and self.start % 2 == 1

    @property
    def into_lower(self) -> bool:
        """Return whether an additional piece reaches into the lower level."""
        return self.lower is not None and self.end % 2 == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedSegment:
    """The minimum-cost pairing of a segment, and its total cost.

    ``up`` and ``down``: players who float into the big group above and below. ``crossing``: a
    member of the group above meets one of the group below.
    """

    pairs: tuple[tuple[int, int], ...] = ()
    up: tuple[int, ...] = ()
    down: tuple[int, ...] = ()
    crossing: bool = False
    cost: int = 0


def solve_segment(segment: Segment, field: PairingField) -> SolvedSegment | None:
    """Return the minimum-cost matching of a segment, None if there is none."""
    if segment.start == segment.end:
        return _empty_segment(segment)
    size = segment.end - segment.start
    upper = size if segment.from_upper else None
    lower = size + segment.from_upper if segment.into_lower else None
    nodes = size + segment.from_upper + segment.into_lower
    found = perfect_matching(nodes, _edges(segment, field, upper, lower))
    return None if found is None else _solution_from(segment, field, found, upper, lower)


def _empty_segment(segment: Segment) -> SolvedSegment:
    """Return a segment without players, which one pair crosses if a player above is left over.

    No pair crosses a segment with players: it costs more than one of them in each level.
    """
    if segment.upper is None or segment.lower is None or not segment.from_upper:
        return SolvedSegment()
    return SolvedSegment(crossing=True, cost=(segment.upper.points - segment.lower.points) ** 2)


def _edges(
    segment: Segment, field: PairingField, upper: int | None, lower: int | None
) -> list[Edge]:
    edges: list[Edge] = []
    points, avoid, floats, noise = field.points, field.avoid, field.floats, field.noise
    for a in range(segment.start, segment.end):
        for b in range(a + 1, segment.end):
            gap = points[a] - points[b]
            if b in avoid[a]:
                away = _cost_of_floating_both(segment, points[a], points[b])
                if away is None:
                    continue
                cost = away[0] * POINTS + (floats[a] + floats[b]) * HISTORY
            else:
                cost = gap * gap * POINTS + ((floats[a] + floats[b]) * HISTORY if gap else 0)
            edges.append((a - segment.start, b - segment.start, cost + (noise[a] ^ noise[b])))
        for node, level in ((upper, segment.upper), (lower, segment.lower)):
            if node is not None and level is not None:
                cost = (points[a] - level.points) ** 2 * POINTS + floats[a] * HISTORY + noise[a]
                edges.append((a - segment.start, node, cost))
    return edges


def _cost_of_floating_both(segment: Segment, one: int, other: int) -> tuple[int, bool] | None:
    """Return the cost of floating two barred players into one big level, and whether up."""
    ways = [
        ((level.points - one) ** 2 + (level.points - other) ** 2, level is segment.upper)
        for level in (segment.upper, segment.lower)
        if level is not None
    ]
    return min(ways, default=None)


def _solution_from(
    segment: Segment,
    field: PairingField,
    found: list[tuple[int, int]],
    upper: int | None,
    lower: int | None,
) -> SolvedSegment:
    pairs: list[tuple[int, int]] = []
    up: list[int] = []
    down: list[int] = []
    cost = 0
    for a, b in found:
        one, other = a + segment.start, b + segment.start
        if b == upper and segment.upper is not None:
            up.append(one)
            cost += (field.points[one] - segment.upper.points) ** 2
        elif b == lower and segment.lower is not None:
            down.append(one)
            cost += (field.points[one] - segment.lower.points) ** 2
        elif other in field.avoid[one]:
            price, upwards = _cost_of_floating_both(
                segment, field.points[one], field.points[other]
            ) or (
                0,
                True,
            )
            (up if upwards else down).extend((one, other))
            cost += price
        else:
            pairs.append((one, other))
            cost += (field.points[one] - field.points[other]) ** 2
    return SolvedSegment(pairs=tuple(pairs), up=tuple(up), down=tuple(down), cost=cost)


class MatchingTooSlowError(Exception):
    """An exact matching would take too long."""


def minimum_cost_pairing(
    field: PairingField, *, big: list[ScoreGroup] | None = None, most: int | None = None
) -> tuple[Pair, ...] | None:
    """Return a minimum-cost pairing without rematches or avoided pairs, None if none exists.

    The cost is the sum of squared point differences. ``big`` are the score groups at which the
    field is split, by default those that can certainly be paired within themselves. A group that
    turns out not to be merges with its neighbours and the search restarts; without any, the field
    is matched as a whole, so the answer is always exact. Raises MatchingTooSlowError if more than
    ``most`` players would have to be matched at once.
    """
    levels = [one for one in score_groups(field.points) if can_pair_within(one, field.avoid)]
    cuts = levels if big is None else list(big)
    known: dict[tuple[int, int], SolvedSegment | None] = {}
    while True:
        solved = _solve_all(cuts, field, known, most)
        if solved is None:
            return None
        found = _realise_all(cuts, solved, field)
        if isinstance(found, ScoreGroup):
            cuts.remove(found)
            continue
        if field.cost(found) != sum(part.cost for part in solved):
            raise AssertionError("A pairing must cost what its segments do.")
        return tuple(found)


def _solve_all(
    cuts: list[ScoreGroup],
    field: PairingField,
    known: dict[tuple[int, int], SolvedSegment | None],
    most: int | None,
) -> list[SolvedSegment] | None:
    """Return the solved segments above, between and below the cuts; None if one has no matching."""
    borders: list[ScoreGroup | None] = [None, *cuts, None]
    parts: list[SolvedSegment] = []
    for upper, lower in pairwise(borders):
        start = upper.end if upper else 0
        end = lower.start if lower else len(field.points)
        if (start, end) not in known:
            if most is not None and end - start > most:
                raise MatchingTooSlowError
            segment = Segment(upper=upper, lower=lower, start=start, end=end)
            known[start, end] = solve_segment(segment, field)
        part = known[start, end]
        if part is None:
            return None
        parts.append(part)
    return parts


def _realise_all(
    cuts: list[ScoreGroup], solved: list[SolvedSegment], field: PairingField
) -> list[Pair] | ScoreGroup:
    """Return all pairs, or a level that cannot be paired with its floaters."""
    pairs = [pair for part in solved for pair in part.pairs]
    sent: int | None = None
    for level, above, below in zip(cuts, solved, solved[1:], strict=False):
        floaters = [*above.down, *below.up]
        if sent is not None:
            floaters.append(sent)
        done = pair_score_group(level, floaters, field, sends=below.crossing)
        if done is None:
            return level
        found, sent = done
        pairs += found
    return pairs


def pairing_with_fewest_conflicts(field: PairingField, barred: AvoidedPairs) -> tuple[Pair, ...]:
    """Return the pairing with the fewest rematches, then fewest avoided pairs, then lowest cost.

    The cost is the sum of squared point differences.
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


REMATCH = Sentence("Rematch: this round could not be paired without rematches.")
LEVEL = _("Both players’ points: %(points)s.")
WISH = Sentence("Players to be kept apart: this round could not be paired without this match.")


def pairing_reasons(points: Sequence[int], pairs: Sequence[Pair]) -> list[Sentence]:
    """Return the reason for each pair, as a message; players are indexes sorted by points.

    Of the players who float down from a score group, one does because the group (with floaters from
    above) is odd; the others because they have met everybody left in it. Pairs within one group
    share their message.
    """
    levels = score_groups(points)
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
            "Paired down from %(points)s to %(lower)s points: no unplayed opponent was "
            "left at %(points)s points."
        )
        if odd[own]:
            odd[own] = False
            template = _(
                "Paired down from %(points)s to %(lower)s points: there was an odd number "
                "of players at %(points)s points."
            )
        found.append(Sentence(template, {"points": own, "lower": lower}))
    return found


MOST_NODES = 600  # limit of one exact matching: larger ones take seconds


class SwissPair(NamedTuple):
    """A pair of a Swiss round, the player with more points first; ``b`` None means a bye."""

    a: PlayerId
    b: PlayerId | None
    reason: Sentence

    @property
    def seats(self) -> tuple[PlayerId, ...]:
        """Return the players, one for a bye."""
        return tuple(player for player in self[:2] if player is not None)


def pair_round(entrants: Iterable[Entrant], *, seed: str) -> tuple[SwissPair, ...]:
    """Return the pairs of a Swiss round by points in descending order, the bye last.

    No rematch and no pair kept apart while such a pairing exists, then the minimum sum of squared
    differences of points, exactly. Remaining freedom is resolved by the seed. With an odd number of
    players the bye goes to the lowest of those with the fewest byes with whom the others can be
    paired so; if there are none, to the lowest of all with the fewest byes.
    """
    lineup = build_lineup(entrants, seed)
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
        if minimum_cost_pairing(rest.field(rest.barred().met)) is not None:
            return (*_pair_lineup(rest), _bye_of(resting))
    return None


def _bye_of(resting: Entrant) -> SwissPair:
    reason = (
        _("Bye: the lowest-ranked player who hasn’t had one, if the others can still be paired.")
        if not resting.byes
        else _("Bye: every available player has already had one.")
    )
    return SwissPair(a=resting.player, b=None, reason=Sentence(reason))


def _without_violation(lineup: Lineup) -> tuple[SwissPair, ...] | None:
    """Return the minimum-cost pairing without violations, None if there is none.

    If pairs kept apart make the search too slow they are given up.
    """
    barred = lineup.barred()
    field = lineup.field(barred.both())
    try:
        found = minimum_cost_pairing(field, most=MOST_NODES)
    except MatchingTooSlowError:
        found = minimum_cost_pairing(replace(field, avoid=barred.met))
    return None if found is None else _with_players_and_reasons(lineup, found, barred)


def _pair_lineup(lineup: Lineup) -> tuple[SwissPair, ...]:
    found = _without_violation(lineup)
    if found is not None:
        return found
    barred = lineup.barred()
    return _with_players_and_reasons(
        lineup, pairing_with_fewest_conflicts(lineup.field(barred.both()), barred), barred
    )


def add_reasons(
    entrants: Iterable[Entrant], pairs: Iterable[SwissPair], *, seed: str
) -> tuple[SwissPair, ...]:
    """Return these pairs of a Swiss round in order, byes last, each with its reason."""
    lineup = build_lineup(entrants, seed)
    resting = [pair for pair in pairs if len(pair.seats) == 1]
    for pair in resting:
        lineup = lineup.without(next(one for one in lineup.entrants if one.player in pair.seats))
    at = {one.player: index for index, one in enumerate(lineup.entrants)}
    played = [(at[one], at[other]) for one, other, _why in pairs if other is not None]
    return (*_with_players_and_reasons(lineup, played, lineup.barred()), *resting)


def _with_players_and_reasons(
    lineup: Lineup, pairs: Sequence[Pair], barred: AvoidedPairs
) -> tuple[SwissPair, ...]:
    placed = sorted([(a, b) if a < b else (b, a) for a, b in pairs])
    why = pairing_reasons([one.points for one in lineup.entrants], placed)
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
