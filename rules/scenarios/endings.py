"""A group small enough to look at every way it can end."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rules.results import PlayerId, Points
from rules.scenarios.judging import Candidates, Case, Judge, Ranks, whole
from rules.scenarios.pairs import OUTCOMES, opponent_in
from rules.scenarios.places import Leads
from rules.scenarios.quick import QuickTable
from rules.scenarios.ranked import ranked_levels
from rules.scenarios.remaining import Remaining
from rules.scenarios.scores import Score, Scores, places_in, scores_next, scores_of
from rules.scenarios.table import QUICK, Level, Reached, Values, leading
from rules.scenarios.verdicts import On, Prospect
from rules.stages.base import StageState


class Stand(NamedTuple):
    """How a player may stand at the end, and after which results of their next match (bits)."""

    level: Level
    own: int
    places: range


class EndingGroup:
    """A group with every way it can end; there should not be too many."""

    def __init__(
        self,
        state: StageState,
        name: str,
        remaining: Remaining,
        criteria: Sequence[str],
        points: Points,
        highest: int,
        leads: Leads,
    ) -> None:
        self.name = name
        self.remaining = remaining
        self.players = tuple(player for player in state.seats[name] if player is not None)
        self.staying = frozenset(self.players) - state.withdrawn
        self.highest = highest
        self.scores = Scores(of=scores_of(remaining, self.players, highest))
        self.keys = scores_next(criteria)
        self.across = scores_next([key for key in criteria if key != "head_to_head"])
        self.stands = self._stands(self._levels(criteria, points, leads))

    def _levels(self, criteria: Sequence[str], points: Points, leads: Leads) -> Iterable[Reached]:
        given = self.players, self.remaining, criteria, points, self.staying
        if QUICK.issuperset(leading(criteria)):
            return QuickTable(*given, leads.ranks(self.name)).levels()
        return ranked_levels(*given)

    def _stands(self, reached: Iterable[Reached]) -> dict[PlayerId, list[Stand]]:
        digits = {player: 3 * seat for seat, player in enumerate(self.players)}
        found: dict[PlayerId, dict[Level, int]] = {
            player: {} for player in self.players if player in self.staying
        }
        for level, own in reached:
            for player in level.players:
                known = found[player]
                known[level] = known.get(level, 0) | own >> digits[player] & 7
        return {
            player: [
                Stand(level, own, places_in(level, player, self.scores, self.keys))
                for level, own in known.items()
            ]
            for player, known in found.items()
        }

    def candidates(self, rank: int) -> Candidates:
        """Return how whoever may be on a rank can stand."""
        found: dict[Values, set[Score]] = {}
        for player, stands in self.stands.items():
            for stand in stands:
                if rank in stand.places:
                    found.setdefault(stand.level.values, set()).add(self.scores.of[player])
        return Candidates({values: frozenset(scores) for values, scores in found.items()})

    def prospects(self, leads: Leads, candidates: Mapping[int, Ranks]) -> dict[PlayerId, Prospect]:
        """Return the prospects of the group's players.

        ``candidates`` are those of the ranks whose comparison can be looked at.
        """
        judge = Judge(self.name, leads, self.keys, self.across, candidates)
        return {player: self._prospect(player, judge) for player in self.stands}

    def _prospect(self, player: PlayerId, judge: Judge) -> Prospect:
        stands, score = self.stands[player], self.scores.of[player]
        cases = [judge.over(stand.places, stand.level, score) for stand in stands]
        match = self.remaining.next_of.get(player)
        by_result: dict[str, list[tuple[Case, Level]]] = {}
        by_result["now"] = [(case, stand.level) for case, stand in zip(cases, stands, strict=True)]
        if match is not None:
            for bit, result in enumerate(OUTCOMES):
                by_result[result] = [
                    (case, stand.level)
                    for case, stand in zip(cases, stands, strict=True)
                    if stand.own >> bit & 1
                ]
        found = {
            key: whole([case for case, _l in those], On.RESULTS) for key, those in by_result.items()
        }
        now = found["now"]
        return Prospect(
            player=player,
            verdict=now.verdict,
            opponent=opponent_in(match, player) if match is not None else None,
            after={result: found[result].verdict for result in OUTCOMES if result in found},
            depends={key: case.on for key, case in found.items()},
        )
