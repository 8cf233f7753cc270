"""Who goes on from groups: places by rank, and places by comparing groups."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from rules.history import History
from rules.places import NthAmong, RankOf
from rules.plan import StagePlan
from rules.results import PlayerId
from rules.stages.base import StageState
from rules.standings import Standings
from rules.ties import Classes, Decisions, classes_of, ranked_across
from rules.uneven_groups import Counted, counted

Uses = frozenset[Hashable]


@dataclass(frozen=True, slots=True, kw_only=True)
class Advancement:
    """The standings of a stage of groups, read for the places that later stages seat."""

    state: StageState
    standings: Mapping[str, Standings]
    used: frozenset[str]

    @property
    def plan(self) -> StagePlan:
        """Return the stage's plan."""
        return self.state.plan

    @property
    def withdrawn(self) -> frozenset[PlayerId]:
        """Return who has left."""
        return self.state.withdrawn

    def compare(
        self, histories: Mapping[str, History], criteria: Sequence[str], decided: Decisions
    ) -> dict[int, Standings]:
        """Return the standings of those on each rank that is compared across groups.

        A rank is missing while some group's tie leaves open who is on it, or which matches count.
        """
        compared = {}
        for rank, groups in self._compared_groups().items():
            holders = [(group, self._on_rank(group, rank)) for group in groups]
            counting = self._counted(histories, groups)
            if all(len(players) < 2 for _group, players in holders) and not counting.open:
                candidates = [
                    (player, counting.histories[group]) for group, on in holders for player in on
                ]
                compared[rank] = ranked_across(candidates, criteria, decided)
        return compared

    def _counted(self, histories: Mapping[str, History], groups: Sequence[str]) -> Counted:
        """Return what counts of each group where some are compared."""
        if not self.plan.without_last:
            return Counted(histories=histories)
        return counted(histories, self.standings, groups, self.state)

    def places(self, compared: Mapping[int, Standings]) -> dict[str, PlayerId]:
        """Return who holds which place, as far as ties leave it decided."""
        found: dict[str, PlayerId] = {}
        for place in self.plan.places:
            classes: Classes = ()
            position = 0
            if isinstance(place, RankOf):
                classes, position = self._staying(self.standings[place.group]), place.rank
                uses = self._uses_of_rank(place.group)
            elif isinstance(place, NthAmong) and place.rank in compared:
                classes, position = classes_of(compared[place.rank]), place.nth
                uses = self._uses_of_nth(place.rank)
            else:
                continue
            level, index = _at(classes, position)
            if len(level) == 1 or (level and not _matters(uses, position - index, len(level))):
                found[place.name] = level[index]
        return found

    def lots_needed(
        self, histories: Mapping[str, History], compared: Mapping[int, Standings]
    ) -> Classes:
        """Return the tied sets on which a seat depends, within groups before across them."""
        needed = [
            tied
            for group, standings in self.standings.items()
            for tied in self._undecided(standings, self._uses_of_rank(group))
        ]
        for groups in self._compared_groups().values():
            needed += [tied for tied in self._counted(histories, groups).open if tied not in needed]
        for rank, standings in compared.items():
            needed.extend(self._undecided(standings, self._uses_of_nth(rank)))
        return tuple(needed)

    def left_out(self) -> tuple[PlayerId, ...]:
        """Return who has left on a rank that would have taken them on."""
        gone = []
        for group, standings in self.standings.items():
            uses = self._uses_of_rank(group)
            gone += [
                row.player
                for position, row in enumerate(standings.rows, start=1)
                if row.player in self.withdrawn and uses.get(position)
            ]
        return tuple(gone)

    def _undecided(self, standings: Standings, uses: Mapping[int, Uses]) -> Classes:
        undecided = []
        position = 1
        for tied in classes_of(standings):
            staying = [player for player in tied if player not in self.withdrawn]
            if len(staying) > 1 and _matters(uses, position, len(staying)):
                undecided.append(tied)
            position += len(staying)
        return tuple(undecided)

    def _staying(self, standings: Standings) -> Classes:
        """Return the classes without those who have left."""
        kept = [
            tuple(player for player in level if player not in self.withdrawn)
            for level in classes_of(standings)
        ]
        return tuple(level for level in kept if level)

    def _on_rank(self, group: str, rank: int) -> tuple[PlayerId, ...]:
        level, _index = _at(self._staying(self.standings[group]), rank)
        return level

    def _compared_groups(self) -> dict[int, tuple[str, ...]]:
        return {
            place.rank: place.groups
            for place in self.plan.places
            if isinstance(place, NthAmong) and place.name in self.used
        }

    def _uses_of_rank(self, group: str) -> dict[int, Uses]:
        """Return what each rank of a group leads to; equal uses can be swapped."""
        uses: dict[int, Uses] = {}
        for place in self.plan.places:
            if isinstance(place, RankOf) and place.group == group and place.name in self.used:
                uses[place.rank] = uses.get(place.rank, frozenset()) | {self._token(place.name)}
        for rank, groups in self._compared_groups().items():
            if group in groups:
                uses[rank] = uses.get(rank, frozenset()) | {rank}
        return uses

    def _uses_of_nth(self, rank: int) -> dict[int, Uses]:
        return {
            place.nth: frozenset({self._token(place.name)})
            for place in self.plan.places
            if isinstance(place, NthAmong) and place.rank == rank and place.name in self.used
        }

    def _token(self, name: str) -> Hashable:
        return next((names for names in self.plan.interchangeable if name in names), name)


def _at(classes: Classes, position: int) -> tuple[tuple[PlayerId, ...], int]:
    """Return the class that covers a position, from 1, and the index in it."""
    before = 0
    for level in classes:
        if position <= before + len(level):
            return level, position - before - 1
        before += len(level)
    return (), 0


def _matters(uses: Mapping[int, Uses], position: int, count: int) -> bool:
    """Say whether the order of players on consecutive positions changes who goes where."""
    return len({uses.get(position + step, frozenset()) for step in range(count)}) > 1
