"""The verdict on each player of a stage of groups."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from rules.plan import ROUND_ROBIN
from rules.results import PlayerId, Points, Winner
from rules.scenarios.places import Leads, leads_of
from rules.scenarios.remaining import MOST_PATTERNS, Remaining, opponent_in, remaining_of
from rules.scenarios.table import (
    Level,
    Score,
    levels_of,
    places_in,
    scores_next,
    scores_of,
    surely_ahead,
)
from rules.stages.base import StageState


class Verdict(StrEnum):
    """Whether a player goes on: surely, surely not, or neither yet."""

    THROUGH = "through"
    OUT = "out"
    OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """A player's verdict, and what it would be after each result of their next match.

    ``opponent`` and ``after`` (by "win", "draw", "loss") are empty without a match to come.
    ``exact`` is False where there are too many patterns to look at.
    """

    player: PlayerId
    verdict: Verdict
    opponent: PlayerId | None = None
    after: Mapping[str, Verdict] = field(default_factory=dict)
    exact: bool = True


@dataclass(frozen=True, slots=True)
class _Key:
    """How somebody on a compared rank stands: values by results, and the score."""

    values: tuple[Fraction, ...]
    score: Score


Keys = Mapping[str, frozenset[_Key]]


def prospects(
    state: StageState, *, criteria: Sequence[str], points: Points, used: frozenset[str]
) -> dict[PlayerId, Prospect]:
    """Return the prospects of everybody in a stage of groups who has not left."""
    if state.plan.kind != ROUND_ROBIN:
        return {player: _unknown(player) for player in _staying(state)}
    remaining = remaining_of(state)
    leads = leads_of(state.plan, used)
    groups = {name: _Group(state, name, one, criteria, points) for name, one in remaining.items()}
    exact = all(group.is_small for group in groups.values())
    keys = {
        rank: {name: groups[name].keys_on(rank) for name in names}
        for rank, (names, _count) in leads.compared.items()
        if exact
    }
    found: dict[PlayerId, Prospect] = {}
    for group in groups.values():
        if group.is_small:
            found |= group.prospects(leads, keys if exact else None)
        else:
            found |= {player: _unknown(player) for player in group.staying}
    return found


def _staying(state: StageState) -> list[PlayerId]:
    return [player for player in state.players if player not in state.withdrawn]


def _unknown(player: PlayerId) -> Prospect:
    return Prospect(player=player, verdict=Verdict.OPEN, exact=False)


@dataclass(frozen=True, slots=True)
class _Ending:
    """One way for a group to end."""

    winners: tuple[Winner, ...]
    levels: tuple[Level, ...]


class _Group:
    """A group with every way it can end."""

    def __init__(
        self,
        state: StageState,
        name: str,
        remaining: Remaining,
        criteria: Sequence[str],
        points: Points,
    ) -> None:
        self.name = name
        self.remaining = remaining
        self.players = tuple(player for player in state.seats[name] if player is not None)
        self.staying = frozenset(self.players) - state.withdrawn
        self.scores = scores_of(remaining, self.players)
        self.keys = scores_next(criteria)
        across = [key for key in criteria if key != "head_to_head"]
        self.keys_across = scores_next(across)
        self.is_small = remaining.patterns <= MOST_PATTERNS
        self.endings = (
            [
                _Ending(winners, levels_of(self.players, results, criteria, points, self.staying))
                for winners, results in remaining.endings()
            ]
            if self.is_small
            else []
        )

    def keys_on(self, rank: int) -> frozenset[_Key]:
        """Return how whoever may be on a rank can stand."""
        return frozenset(
            _Key(level.values, self.scores[player])
            for ending in self.endings
            for level in ending.levels
            for player in level.players
            if rank in places_in(level, player, self.scores, self.keys)
        )

    def prospects(self, leads: Leads, keys: Mapping[int, Keys] | None) -> dict[PlayerId, Prospect]:
        """Return the prospects of the group's players."""
        verdicts: dict[PlayerId, list[Verdict]] = {player: [] for player in self.staying}
        for ending in self.endings:
            for level in ending.levels:
                for player in level.players:
                    verdicts[player].append(self._verdict(level, player, leads, keys))
        return {
            player: self._prospect(player, verdicts[player])
            for player in self.players
            if player in self.staying
        }

    def _prospect(self, player: PlayerId, verdicts: Sequence[Verdict]) -> Prospect:
        at = next(
            (
                index
                for index, match in enumerate(self.remaining.open)
                if player in (match.a, match.b)
            ),
            None,
        )
        if at is None:
            return Prospect(player=player, verdict=together(verdicts))
        match = self.remaining.open[at]
        by_result: dict[str, list[Verdict]] = {"win": [], "draw": [], "loss": []}
        for ending, verdict in zip(self.endings, verdicts, strict=True):
            by_result[_own(ending.winners[at], match.a == player)].append(verdict)
        return Prospect(
            player=player,
            verdict=together(verdicts),
            opponent=opponent_in(match, player),
            after={result: together(those) for result, those in by_result.items()},
        )

    def _verdict(
        self, level: Level, player: PlayerId, leads: Leads, keys: Mapping[int, Keys] | None
    ) -> Verdict:
        """Return what a way to end means for a player, over the places they may end on."""
        return together(
            self._at(place, level, player, leads, keys)
            for place in places_in(level, player, self.scores, self.keys)
        )

    def _at(
        self,
        place: int,
        level: Level,
        player: PlayerId,
        leads: Leads,
        keys: Mapping[int, Keys] | None,
    ) -> Verdict:
        if place in leads.sure[self.name]:
            return Verdict.THROUGH
        if place not in leads.compared or self.name not in leads.compared[place][0]:
            return Verdict.OUT
        if keys is None:
            return Verdict.OPEN
        own = _Key(level.values, self.scores[player])
        return self._compared(own, place, leads.compared[place][1], keys[place])

    def _compared(self, own: _Key, rank: int, count: int, keys: Keys) -> Verdict:
        """Return whether somebody on a compared rank is among the so many best of it."""
        surely = possibly = 0
        for name, theirs in keys.items():
            if name == self.name or not theirs:
                continue
            surely += all(_ahead(other, own, self.keys_across) for other in theirs)
            possibly += not all(_ahead(own, other, self.keys_across) for other in theirs)
        if possibly < count:
            return Verdict.THROUGH
        return Verdict.OUT if surely >= count else Verdict.OPEN


def _ahead(one: _Key, other: _Key, keys: Sequence[str]) -> bool:
    """Say whether one stands surely before the other, in another group."""
    if one.values != other.values:
        return one.values > other.values
    return surely_ahead(one.score, other.score, keys)


def _own(winner: Winner, is_a: bool) -> str:
    if winner is Winner.DRAW:
        return "draw"
    return "win" if (winner is Winner.A) == is_a else "loss"


def together(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict that holds in every case, OPEN where they differ."""
    found = set(verdicts)
    return found.pop() if len(found) == 1 else Verdict.OPEN
