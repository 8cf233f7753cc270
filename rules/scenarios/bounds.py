"""Prospects of groups with too many outcomes to enumerate: what points alone make certain.

A player whom too few others can still reach is through; a player who cannot reach enough others
is out. Dependencies between players' points are ignored, except for two players whose only open
match is against each other; so verdicts are always correct, but some may be missed.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.history.group_history import History
from rules.results import PlayerId, Points
from rules.scenarios.remaining import WINNERS, Remaining
from rules.scenarios.verdicts import AdvancingRanks, DependsOn, Prospect, Verdict

Table = Mapping[PlayerId, "Reach"]


@dataclass(frozen=True, slots=True)
class Reach:
    """A player's minimum and maximum points at the end."""

    least: int
    most: int

    def makes(self, mark: int, *, surely: bool) -> bool:
        """Return whether a number of points is reached: certainly (``surely``), or at best."""
        return (self.least if surely else self.most) >= mark


@dataclass(frozen=True, slots=True)
class Duel:
    """Two players whose only open match is the one against each other.

    ``surely`` are the points that the lower and the higher of the two have at least, however their
    match ends, ``at_best`` those that they have at most.
    """

    players: tuple[PlayerId, PlayerId]
    surely: tuple[int, int]
    at_best: tuple[int, int]

    def making(self, mark: int, *, surely: bool) -> int:
        """Return the number of the two who reach these points: (certainly, at best)."""
        lower, higher = self.surely if surely else self.at_best
        return (lower >= mark) + (higher >= mark)


class BoundedGroup:
    """A group ranked by points first."""

    def __init__(
        self,
        name: str,
        players: Sequence[PlayerId],
        staying: frozenset[PlayerId],
        remaining: Remaining,
        points: Points,
        leads: AdvancingRanks,
    ) -> None:
        self.staying = [player for player in players if player in staying]
        self.remaining = remaining
        self.points = points
        self.sure = leads.sure[name]
        self.compared = leads.ranks(name)
        history = History(players=tuple(players), results=remaining.settled, points=points)
        self.so_far = history.points_by_player
        self.reach = {player: self._reach(player) for player in self.staying}
        self.duels = dict(self._duels())
        self._verdicts: dict[tuple[object, ...], Verdict] = {}
        alone = [reach for player, reach in self.reach.items() if player not in self.duels]
        pairs = set(self.duels.values())
        self.surely = sorted(
            [one.least for one in alone] + [n for two in pairs for n in two.surely]
        )
        self.at_best = sorted(
            [one.most for one in alone] + [n for two in pairs for n in two.at_best]
        )

    def prospect(self, player: PlayerId) -> Prospect:
        """Return the prospects of a player who has not withdrawn."""
        now = {"now": self.verdict(player)}
        found = Prospect(
            player=player, verdict=now["now"], depends=_dependencies_of(now), exact=False
        )
        other = self.remaining.next_of.get(player)
        if other is None:
            return found
        after = {
            result: self._verdict(
                player,
                {player: self._reach_after(player, own), other: self._reach_after(other, theirs)},
            )
            for result, own, theirs in self._possible_results()
        }
        return replace(found, opponent=other, after=after, depends=_dependencies_of(now | after))

    def verdict(self, player: PlayerId) -> Verdict:
        """Return the verdict of a player who has not withdrawn, as in their prospects.

        Players of one reach have one verdict, and those of equal duels, with opponents of one.
        """
        duel = self.duels.get(player)
        others = [self.reach[other] for other in duel.players if other != player] if duel else []
        key = (self.reach[player], *others, *((duel.surely, duel.at_best) if duel else ()))
        if key not in self._verdicts:
            self._verdicts[key] = self._verdict(player, {})
        return self._verdicts[key]

    def _possible_results(self) -> tuple[tuple[str, int, int], ...]:
        return tuple((own, *self.points.by_winner[winner]) for own, winner in WINNERS.items())

    def _verdict(self, player: PlayerId, held: Table) -> Verdict:
        """Return a player's verdict, with the reach of some players given by ``held``."""
        own = held.get(player, self.reach[player])
        best = 1 + self._number_of_others_reaching(player, held, own.most + 1, surely=True)
        worst = 1 + self._number_of_others_reaching(player, held, own.least, surely=False)
        places = range(best, worst + 1)
        if self.sure.issuperset(places):
            return Verdict.THROUGH
        leading = self.sure.union(self.compared)
        return Verdict.OPEN if leading.intersection(places) else Verdict.OUT

    def _number_of_others_reaching(
        self, player: PlayerId, held: Table, mark: int, *, surely: bool
    ) -> int:
        """Return the number of other players who reach these points: (certainly, at best)."""
        found = self._number_reaching(mark, surely=surely)
        touched = {player, *held} & self.reach.keys()
        duels = {self.duels[one] for one in touched if one in self.duels}
        found -= sum(duel.making(mark, surely=surely) for duel in duels)
        found -= sum(
            self.reach[one].makes(mark, surely=surely) for one in touched if one not in self.duels
        )
        again = touched.union(*(duel.players for duel in duels)) - {player}
        return found + sum(
            held.get(one, self.reach[one]).makes(mark, surely=surely) for one in again
        )

    def _number_reaching(self, mark: int, *, surely: bool) -> int:
        """Return the number of players of the group reaching these points: (certainly, at best)."""
        ends = self.surely if surely else self.at_best
        return len(ends) - bisect_left(ends, mark)

    def _reach(self, player: PlayerId, known: int = 0, gained: int = 0) -> Reach:
        """Return a player's reach if ``known`` open matches have gained ``gained`` points."""
        each = (self.points.win, self.points.draw, self.points.loss)
        left = self.remaining.left[player] + self.remaining.rounds - known
        fixed = self.so_far[player] + gained
        return Reach(fixed + left * min(each), fixed + left * max(each))

    def _reach_after(self, player: PlayerId, gained: int) -> Reach:
        return self._reach(player, 1, gained)

    def _duels(self) -> Iterator[tuple[PlayerId, Duel]]:
        """Yield each player of a match that is the only open one of both players."""
        if self.remaining.rounds:
            return
        left = self.remaining.left
        for a, b in self.remaining.open:
            if {a, b} - self.reach.keys() or left[a] + left[b] > 2:
                continue
            ends = [
                sorted((self.so_far[a] + one, self.so_far[b] + other))
                for _result, one, other in self._possible_results()
            ]
            lower, higher = zip(*ends, strict=True)
            duel = Duel((a, b), (min(lower), min(higher)), (max(lower), max(higher)))
            yield from dict.fromkeys((a, b), duel).items()


class Prospects(Mapping[PlayerId, Prospect]):
    """Prospects by player; those by points alone are computed when a player is looked up."""

    def __init__(self, known: Mapping[PlayerId, Prospect], groups: Sequence[BoundedGroup]) -> None:
        self._known = dict(known)
        self._bounded = {player: group for group in groups for player in group.staying}

    def __getitem__(self, player: PlayerId) -> Prospect:
        if player not in self._known:
            self._known[player] = self._bounded[player].prospect(player)
        return self._known[player]

    def verdict(self, player: PlayerId) -> Verdict:
        """Return a player's verdict, without the rest of their prospects."""
        known = self._known.get(player)
        return known.verdict if known else self._bounded[player].verdict(player)

    def __iter__(self) -> Iterator[PlayerId]:
        return iter(dict.fromkeys((*self._bounded, *self._known)))

    def __len__(self) -> int:
        return len(self._bounded.keys() | self._known.keys())


def _dependencies_of(verdicts: Mapping[str, Verdict]) -> dict[str, frozenset[DependsOn]]:
    return {
        key: frozenset(DependsOn) if verdict is Verdict.OPEN else frozenset()
        for key, verdict in verdicts.items()
    }
