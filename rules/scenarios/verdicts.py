"""Verdicts on a player: through, out or open, now and after each result of the next match.

With them, the places of a group that advance, who would advance if a table ended as it stands, and
whether a player plays on, or could if others leave.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction

from rules.advancement.from_groups import count_players_by_group, uneven_size_range
from rules.advancement.outcome import current_place_holders, replacement_candidates
from rules.plans import ComparedRankPlace, RankPlace
from rules.results import Outcome, PlayerId, Result
from rules.scenarios.remaining import OUTCOME_OF, pair_all_rounds
from rules.stages.base import StageState, stage_kind
from rules.stages.knockout import players_with_match


class Verdict(StrEnum):
    """Whether a player advances: certainly, certainly not, or still open."""

    THROUGH = "through"
    OUT = "out"
    OPEN = "open"


class VerdictDependency(StrEnum):
    """What an open verdict depends on.

    RESULTS: results of others; SCORES: scores and later tiebreakers.
    """

    RESULTS = "results"
    SCORES = "scores"


class MarginMeasure(StrEnum):
    """The quantity that a margin measures, in one match or between two.

    MADE: points scored; MARGIN: score difference; LEAD: points scored minus another player's;
    MARGIN_LEAD: score difference minus another player's.
    """

    MADE = "made"
    MARGIN = "margin"
    LEAD = "lead"
    MARGIN_LEAD = "margin_lead"


Bound = tuple[int | None, int | None]
"""Minimum and maximum; with neither, every score with that result suffices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """The scores with which a player certainly advances (``through``) or is certainly ``out``.

    Each bound is (minimum, maximum) of ``measure`` for the player ``of``, for a lead against
    ``than``. It holds whatever all other results and scores are, provided that the player's own
    match ends as its score says; between the bounds the verdict is open.
    """

    measure: MarginMeasure
    of: PlayerId
    than: PlayerId | None = None
    through: Bound | None = None
    out: Bound | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidingResult:
    """A result of a match between others that decides about a player who has finished.

    ``result`` is "win", "draw" or "loss" for the first of the ``players``. The verdict, never open,
    holds whatever the other open results are.
    """

    players: tuple[PlayerId, PlayerId]
    result: str
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """A player's chances of advancing: the verdict now, and after each result of the next match.

    ``opponent`` and ``after`` (by "win", "draw", "loss") are empty without a match to come; at a
    multiplayer table there is no single opponent. ``depends`` maps the same keys, and "now" for the
    verdict, to what open verdicts depend on; ``margins``, with the same keys, to the sufficient
    scores if they decide in the last match of the player or of a rival. ``exact`` is False if there
    are too many outcomes to enumerate: through and out are then still certain, but an open verdict
    may already be decided. ``places`` are those in the group that the player may end on among those
    who have not left, from the best to the worst; empty if not enumerated. ``deciders`` are known
    for a player without a match to come whose verdict is open.
    """

    player: PlayerId
    verdict: Verdict
    opponent: PlayerId | None = None
    after: Mapping[str, Verdict] = field(default_factory=dict)
    depends: Mapping[str, frozenset[VerdictDependency]] = field(default_factory=dict)
    margins: Mapping[str, tuple[Margin, ...]] = field(default_factory=dict)
    exact: bool = True
    places: range = range(0)
    deciders: tuple[DecidingResult, ...] = ()

    @property
    def is_known(self) -> bool:
        """Return whether anything is known: everything, or some certain verdicts."""
        return self.exact or any(
            verdict is not Verdict.OPEN for verdict in (self.verdict, *self.after.values())
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvancingRanks:
    """The ranks that advance, by group name (``sure``), and those compared across groups.

    ``compared`` maps a rank to (names of its groups, how many of its players advance). ``uneven``
    are the compared ranks for which some matches of larger groups will be ignored; which ones is
    unknown until the groups end.
    """

    sure: Mapping[str, frozenset[int]]
    compared: Mapping[int, tuple[tuple[str, ...], int]]
    uneven: frozenset[int]

    def ranks(self, group: str) -> frozenset[int]:
        """Return the compared ranks of a group."""
        return frozenset(rank for rank, (names, _n) in self.compared.items() if group in names)


def advancing_ranks(state: StageState, used: frozenset[str]) -> AdvancingRanks:
    """Return the ranks of each group that lead to a place in a later stage.

    ``used`` are the names of the places that later stages seat.
    """
    plan, sizes = state.plan, count_players_by_group(state)
    taken = [place for place in plan.places if place.name in used]
    ranks = [place for place in taken if isinstance(place, RankPlace)]
    best = [place for place in taken if isinstance(place, ComparedRankPlace)]
    sure = {
        group.name: {place.rank for place in ranks if place.group == group.name}
        for group in plan.groups
    }
    groups = {place.rank: place.groups for place in best}
    counted = Counter(place.rank for place in best)
    compared = {}
    for rank, count in counted.items():
        if count >= len(groups[rank]):
            for group in groups[rank]:
                sure[group].add(rank)
        else:
            compared[rank] = (groups[rank], count)
    return AdvancingRanks(
        sure={group: frozenset(found) for group, found in sure.items()},
        compared=compared,
        uneven=frozenset(
            rank
            for rank, (names, _count) in compared.items()
            if plan.without_last and uneven_size_range(sizes, names)
        ),
    )


class CutSide(StrEnum):
    """A player's side of the cut line; MAYBE on a rank compared across groups."""

    THROUGH = "through"
    MAYBE = "maybe"
    OUT = "out"


def cut_sides(
    players: Sequence[PlayerId], group: str, leads: AdvancingRanks, withdrawn: Collection[PlayerId]
) -> dict[PlayerId, CutSide]:
    """Return the side of the cut of each player of a group; empty if nobody advances.

    ``players`` are best first, ``leads`` the ranks that advance. Withdrawn players are out, and the
    next one takes their place.
    """
    sure, compared = leads.sure[group], leads.ranks(group)
    if not sure and not compared:
        return {}
    found: dict[PlayerId, CutSide] = {}
    place = 0
    for player in players:
        if player in withdrawn:
            found[player] = CutSide.OUT
            continue
        place += 1
        if place in sure:
            found[player] = CutSide.THROUGH
        else:
            found[player] = CutSide.MAYBE if place in compared else CutSide.OUT
    return found


def is_eliminated_by_points(
    made: Mapping[PlayerId, int | Fraction], player: PlayerId, group: str, leads: AdvancingRanks
) -> bool:
    """Return whether a player without a match to come is certainly out by the points so far.

    ``made`` are the points of each player of the group who has not withdrawn, ``leads`` the ranks
    that advance; nobody loses points.
    """
    reach = {each: (points, points) for each, points in made.items()}
    return verdicts_by_points(reach, group, leads).get(player) is Verdict.OUT


def verdicts_by_points(
    reach: Mapping[PlayerId, tuple[int | Fraction, int | Fraction]],
    group: str,
    leads: AdvancingRanks,
) -> dict[PlayerId, Verdict]:
    """Return the verdicts on the players of a group who are certainly through or out.

    Points must be the first tiebreaker. ``reach`` maps players who have not withdrawn to their
    (fewest, most) points at the end, ``leads`` are the ranks that advance. Others may be certain
    too, as matches between players are ignored.
    """
    sure = leads.sure[group]
    leading = sure | leads.ranks(group)
    if not leading:
        return {}
    last = max(leading)
    places = range(1, len(reach) + 1)
    safe = next((place - 1 for place in places if place not in sure), len(reach))
    least = sorted(low for low, _high in reach.values())
    most = sorted(high for _low, high in reach.values())
    found: dict[PlayerId, Verdict] = {}
    for player, (low, high) in reach.items():
        ahead = len(least) - bisect_right(least, high)
        level = len(most) - bisect_left(most, low) - 1
        if ahead >= last:
            found[player] = Verdict.OUT
        elif level < safe:
            found[player] = Verdict.THROUGH
    return found


def points_to_advance(
    reach: Mapping[PlayerId, tuple[int, int]], sure: Collection[int], results: Collection[int]
) -> int | None:
    """Return the fewest points that are certainly enough to advance; None if there are none.

    ``reach`` maps players who have not withdrawn to their (fewest, most) points at the end,
    ``sure`` are the ranks that advance, ``results`` the points that a match may give. Only points
    that a player may end with are considered. None too if all advance, or if all who advance have
    them.
    """
    number = len(sure)
    if not number or set(sure) != set(range(1, number + 1)) or number >= len(reach):
        return None
    above = sorted((high for _low, high in reach.values()), reverse=True)[number]
    least = sorted((low for low, _high in reach.values()), reverse=True)[number - 1]
    steps = {max(results) - each for each in results} - {0}
    ends = [_least_above(above, span, steps) for span in reach.values() if span[1] > above]
    return min(ends) if ends and least <= above else None


def _least_above(limit: int, span: tuple[int, int], steps: Collection[int]) -> int:
    """Return the fewest points above ``limit`` that matches worth less by ``steps`` lead to."""
    low, high = span
    found, new = {high}, {high}
    while new:
        lower = {points - step for points in new for step in steps}
        new = {points for points in lower if points > limit and points >= low} - found
        found |= new
    return min(found)


class FutureMatches(StrEnum):
    """Whether a player will have a match after the round in progress."""

    SURE = "sure"
    UNSURE = "unsure"
    NO = "no"


def players_with_future_round(state: StageState) -> frozenset[PlayerId]:
    """Return the players of an open stage with a match in a round not made yet.

    In a bracket an undecided match counts too. Withdrawn players count as present.
    """
    kind = stage_kind(state.plan)
    if kind.has_bracket:
        return players_with_match(state)
    if not kind.all_meet:
        return kind.with_round_to_come(state)
    to_come = pair_all_rounds(state).rounds[len(state.rounds) :]
    gone = state.withdrawn | state.struck
    return frozenset(
        player
        for played in to_come
        for pairing, _result in played
        for player in pairing.seats
        if not gone.intersection(pairing.seats) - {player}
    )


def future_matches(
    state: StageState,
    player: PlayerId,
    *,
    to_come: Collection[PlayerId],
    used: frozenset[str],
    prospect: Prospect | None,
) -> FutureMatches:
    """Return whether a seated player who has not left will have another match.

    ``to_come``: the result of :func:`players_with_future_round`. ``used``: names of the places
    that later stages seat. ``prospect``: the player's chances, None if unknown. Assumes that every
    match is won or drawn and nobody drops.
    """
    if player in to_come:
        return FutureMatches.SURE
    if stage_kind(state.plan).has_bracket:
        if player in current_place_holders(state, used).values():
            return FutureMatches.SURE
        return (
            FutureMatches.UNSURE
            if player in replacement_candidates(state, used)
            else FutureMatches.NO
        )
    if not used:
        return FutureMatches.NO
    verdict = prospect.verdict if prospect else Verdict.OPEN
    known = {Verdict.THROUGH: FutureMatches.SURE, Verdict.OUT: FutureMatches.NO}
    return known.get(verdict, FutureMatches.UNSURE)


def has_match_after_losing(state: StageState, player: PlayerId) -> bool:
    """Return whether a bracket player would have another match after losing the open one."""
    rounds = tuple(
        tuple(
            (pairing, replace(result, outcome=_lost_by(result, player)))
            if player in pairing.seats and not result.is_played
            else (pairing, result)
            for pairing, result in played
        )
        for played in state.rounds
    )
    return player in players_with_match(replace(state, rounds=rounds))


def _lost_by(result: Result, player: PlayerId) -> Outcome:
    return OUTCOME_OF["loss" if result.seats[0] == player else "win"]


def count_needed_drops(state: StageState, prospect: Prospect, used: frozenset[str]) -> int:
    """Return how many players ahead must drop, at least, for an eliminated one to advance.

    ``prospect`` are the player's chances; it counts from the best place still possible. 0 if
    unknown: without known places in the group, or if other groups decide. On a rank compared across
    groups one is enough.
    """
    leads = advancing_ranks(state, used)
    group = next(name for name in state.seats if prospect.player in state.seated(name))
    if not prospect.places:
        return 0
    if compared := leads.ranks(group):
        return 1 if prospect.places.start in compared else 0
    leading = [rank for rank in leads.sure[group] if rank < prospect.places.start]
    return prospect.places.start - max(leading) if leading else 0
