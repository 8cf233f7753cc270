"""Qualification from groups: places by rank, and by comparison across groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.advancement.uneven_groups import ComparableHistories, comparable_histories
from rules.history.of_any_size import GroupHistory
from rules.plans.places import NthAmong, RankOf
from rules.results import PlayerId
from rules.stages.base import StageState
from rules.standings.table import Standings
from rules.ties.decisions import Classes, Decisions, classes_of, ranked_across
from rules.ties.positions import (
    Uses,
    class_at,
    classes_without,
    holder_of_position,
    place_identity,
    undecided_ties,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Advancement:
    """The standings of a group stage, evaluated for the places that later stages seat."""

    state: StageState
    standings: Mapping[str, Standings]
    used: frozenset[str]

    def compare(
        self, histories: Mapping[str, GroupHistory], criteria: Sequence[str], decided: Decisions
    ) -> dict[int, Standings]:
        """Return the standings of the players on each rank compared across groups.

        A rank is missing while a tie in some group leaves open who is on it, or which matches
        count.
        """
        compared = {}
        for rank, groups in self._compared_groups().items():
            holders = [
                (
                    group,
                    class_at(classes_without(self.standings[group], self.state.withdrawn), rank)[0],
                )
                for group in groups
            ]
            counting = self._comparable_histories(histories, groups)
            if all(len(players) < 2 for _group, players in holders) and not counting.open:
                candidates = [
                    (player, counting.histories[group]) for group, on in holders for player in on
                ]
                compared[rank] = ranked_across(candidates, criteria, decided)
        return compared

    def _comparable_histories(
        self, histories: Mapping[str, GroupHistory], groups: Sequence[str]
    ) -> ComparableHistories:
        """Return the histories used for comparison across groups."""
        if not self.state.plan.without_last:
            return ComparableHistories(histories=histories)
        return comparable_histories(histories, self.standings, groups, self.state)

    def places(self, compared: Mapping[int, Standings]) -> dict[str, PlayerId]:
        """Return the holders of places, as far as ties allow."""
        found: dict[str, PlayerId] = {}
        for place in self.state.plan.places:
            classes: Classes = ()
            position = 0
            if isinstance(place, RankOf):
                classes = classes_without(self.standings[place.group], self.state.withdrawn)
                position = place.rank
                uses = self._uses_of_rank(place.group)
            elif isinstance(place, NthAmong) and place.rank in compared:
                classes, position = classes_of(compared[place.rank]), place.nth
                uses = self._uses_of_nth(place.rank)
            else:
                continue
            player = holder_of_position(classes, position, uses)
            if player is not None:
                found[place.name] = player
        return found

    def lots_needed(
        self, histories: Mapping[str, GroupHistory], compared: Mapping[int, Standings]
    ) -> Classes:
        """Return the tied sets that affect a seat, within groups before across groups."""
        needed = [
            tied
            for group, standings in self.standings.items()
            for tied in undecided_ties(standings, self._uses_of_rank(group), self.state.withdrawn)
        ]
        for groups in self._compared_groups().values():
            needed += [
                tied
                for tied in self._comparable_histories(histories, groups).open
                if tied not in needed
            ]
        for rank, standings in compared.items():
            needed.extend(undecided_ties(standings, self._uses_of_nth(rank), self.state.withdrawn))
        return tuple(needed)

    def left_out(self) -> tuple[PlayerId, ...]:
        """Return the withdrawn players on a rank that would have advanced."""
        gone = []
        for group, standings in self.standings.items():
            uses = self._uses_of_rank(group)
            gone += [
                row.player
                for position, row in enumerate(standings.rows, start=1)
                if row.player in self.state.withdrawn and uses.get(position)
            ]
        return tuple(gone)

    def _compared_groups(self) -> dict[int, tuple[str, ...]]:
        return {
            place.rank: place.groups
            for place in self.state.plan.places
            if isinstance(place, NthAmong) and place.name in self.used
        }

    def _uses_of_rank(self, group: str) -> dict[int, Uses]:
        """Return the later uses of each rank of a group; equal uses are interchangeable."""
        uses: dict[int, Uses] = {}
        for place in self.state.plan.places:
            if isinstance(place, RankOf) and place.group == group and place.name in self.used:
                uses[place.rank] = uses.get(place.rank, frozenset()) | {
                    place_identity(self.state.plan, place.name)
                }
        for rank, groups in self._compared_groups().items():
            if group in groups:
                uses[rank] = uses.get(rank, frozenset()) | {rank}
        return uses

    def _uses_of_nth(self, rank: int) -> dict[int, Uses]:
        return {
            place.nth: frozenset({place_identity(self.state.plan, place.name)})
            for place in self.state.plan.places
            if isinstance(place, NthAmong) and place.rank == rank and place.name in self.used
        }
