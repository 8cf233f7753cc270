"""Prospects by points alone: of groups with too many outcomes to enumerate, and at tables.

In a group a player whom too few others can still reach is through; a player who cannot reach enough
others is out. Dependencies between players' points are ignored, except for two players whose only
open match is against each other; so verdicts are always correct, but some may be missed.

At a table a player may still make nothing to the points of a table won alone at every table to
come. At one table not everybody makes them: what the seats make together are the points of one of
its results. Again verdicts are always right; some may be missing.

Source: tables, 12 (example 14).
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import le
from typing import cast

from rules.history.group_history import History
from rules.history.table_history import TableHistory
from rules.results import Places, PlayerId, Points, Result, outcome_by_places
from rules.scenarios.remaining import WINNERS, RemainingMatches
from rules.scenarios.verdicts import (
    AdvancingRanks,
    Prospect,
    Verdict,
    VerdictDependency,
    advancing_ranks,
)
from rules.stages.base import StageState, stage_kind
from rules.tables.results import UNITS, TablePoints, places_without_winner
from rules.ties.decisions import (
    Lots,
    Penalties,
    add_random_draw,
    classes_of_present_players,
    group_histories,
    rank_with_decisions,
    recorded_decisions,
)

Table = Mapping[PlayerId, "PointsRange"]


@dataclass(frozen=True, slots=True)
class PointsRange:
    """The fewest and the most points that a player can have at the end of a stage."""

    least: int
    most: int

    def makes(self, mark: int, *, surely: bool) -> bool:
        """Return whether a number of points is reached: certainly (``surely``), or at best."""
        return (self.least if surely else self.most) >= mark


@dataclass(frozen=True, slots=True)
class OpenPair:
    """Two players whose only open match is the one against each other.

    Both fields hold points as (of the lower, of the higher of the two): ``surely`` what they have
    at least, however their match ends, ``at_best`` what they have at most.
    """

    players: tuple[PlayerId, PlayerId]
    surely: tuple[int, int]
    at_best: tuple[int, int]

    def making(self, mark: int, *, surely: bool) -> int:
        """Return the number of the two who reach these points: (certainly, at best)."""
        lower, higher = self.surely if surely else self.at_best
        return (lower >= mark) + (higher >= mark)


class GroupPointsBounds:
    """Computes chances of advancing in a group from the fewest and most points possible.

    For groups whose first tiebreaker is points.
    """

    def __init__(
        self,
        name: str,
        players: Sequence[PlayerId],
        staying: frozenset[PlayerId],
        remaining: RemainingMatches,
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

    def _reach(self, player: PlayerId, known: int = 0, gained: int = 0) -> PointsRange:
        """Return a player's reach if ``known`` open matches have gained ``gained`` points."""
        each = (self.points.win, self.points.draw, self.points.loss)
        left = self.remaining.left[player] + self.remaining.rounds - known
        fixed = self.so_far[player] + gained
        return PointsRange(fixed + left * min(each), fixed + left * max(each))

    def _reach_after(self, player: PlayerId, gained: int) -> PointsRange:
        return self._reach(player, 1, gained)

    def _duels(self) -> Iterator[tuple[PlayerId, OpenPair]]:
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
            duel = OpenPair((a, b), (min(lower), min(higher)), (max(lower), max(higher)))
            yield from dict.fromkeys((a, b), duel).items()


class Prospects(Mapping[PlayerId, Prospect]):
    """Chances of advancing by player; those by points alone are computed on access."""

    def __init__(
        self, known: Mapping[PlayerId, Prospect], groups: Sequence[GroupPointsBounds]
    ) -> None:
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


def _dependencies_of(verdicts: Mapping[str, Verdict]) -> dict[str, frozenset[VerdictDependency]]:
    return {
        key: frozenset(VerdictDependency) if verdict is Verdict.OPEN else frozenset()
        for key, verdict in verdicts.items()
    }


SCORES = {"now": frozenset({VerdictDependency.SCORES})}
RESULTS = ("win", "draw", "loss")
"""The own results at a table: first alone, first with others, and all others."""


Ending = tuple[int, tuple[int, ...]]
"""The points of one seat after a result of its table, and those of the others, sorted."""


def table_prospects(
    state: StageState,
    *,
    criteria: Sequence[str],
    used: frozenset[str],
    lots: Lots = (),
    penalties: Penalties | None = None,
) -> Mapping[PlayerId, Prospect]:
    """Return the chances of advancing in a stage of multiplayer tables, by player.

    Players who have left are omitted. With an open table or rounds to come the chances follow from
    points, if these rank first; else from the standings, and players whom only a random draw
    separates are open. ``used`` are the names of the places that later stages seat.
    """
    ((group, made),) = group_histories(state, state.points, penalties or {}).items()
    history = cast(TableHistory, made)
    staying = [player for player in history.players if player not in state.withdrawn]
    sure = advancing_ranks(state, used).sure[group]
    rounds = stage_kind(state.plan).total_rounds(state) - len(state.rounds)
    tables = list(_open_tables(state))
    if rounds <= 0 and not tables:
        found = rank_with_decisions(
            history, add_random_draw(criteria), recorded_decisions(lots, state.tiebreaker_rounds)
        )
        return dict(_settled(classes_of_present_players(found, state.withdrawn), sure))
    if criteria[0] != "points":
        return {one: Prospect(player=one, verdict=Verdict.OPEN, exact=False) for one in staying}
    bounded = TablePointsBounds(history, staying, tables, max(rounds, 0), sure)
    return {player: bounded.prospect(player) for player in staying}


class TablePointsBounds:
    """Computes chances of advancing at multiplayer tables from the points still possible.

    Points are counted in units of 1 / ``UNITS``.
    """

    def __init__(
        self,
        history: TableHistory,
        staying: Sequence[PlayerId],
        tables: Sequence[tuple[PlayerId, ...]],
        rounds: int,
        sure: frozenset[int],
    ) -> None:
        self.points, self.sure, self.staying = history.points, sure, staying
        self.made = history.points_by_player
        self.in_order = sorted(self.made[one] for one in staying)
        self.to_come = rounds * max(self.points.most, UNITS * self.points.bye)
        self.table_of = {one: table for table in tables for one in table}
        self.company: dict[tuple[PlayerId, ...], list[PlayerId]] = defaultdict(list)
        for one in staying:
            self.company[self.table_of.get(one, ())].append(one)
        self._reaching: dict[int, int] = {}

    def prospect(self, player: PlayerId) -> Prospect:
        """Return the prospects of a player: now, and after each result of the own open table.

        Where points are by place only the first place alone has a verdict.
        """
        endings = table_endings(self.points, len(self.table_of.get(player, ())))
        every = tuple(one for each in endings.values() for one in each)
        most = (self.points.most if every else 0) + self.to_come
        verdicts = {"now": self._verdict(player, 0, most, every)}
        for result, each in endings.items():
            if not self.points.by_place or result == "win":
                gained = [own for own, _others in each]
                least, most = min(gained), max(gained) + self.to_come
                shared = UNITS * self.points.drawn if result == "draw" else 0
                verdicts[result] = self._verdict(player, least, most, each, shared)
        return Prospect(
            player=player,
            verdict=verdicts["now"],
            after={result: verdict for result, verdict in verdicts.items() if result != "now"},
            depends={
                key: frozenset(VerdictDependency)
                for key, verdict in verdicts.items()
                if verdict is Verdict.OPEN
            },
            exact=False,
        )

    def _verdict(
        self,
        player: PlayerId,
        least: int,
        most: int,
        endings: Sequence[Ending],
        shared: int = 0,
    ) -> Verdict:
        """Return a verdict if the player still makes ``least`` to ``most`` points.

        ``endings`` are those of the player's own open table that are looked at; in all of them at
        least one more makes the ``shared`` points.
        """
        made = self.made[player]
        above = len(self.in_order) - bisect_right(self.in_order, made + most)
        above += self._whoever_shares_passes(player, made + most, shared)
        places = range(above + 1, 2 + self._others_reaching(made + least, player, endings))
        if self.sure.issuperset(places):
            return Verdict.THROUGH
        return Verdict.OPEN if self.sure.intersection(places) else Verdict.OUT

    def _whoever_shares_passes(self, player: PlayerId, mark: int, shared: int) -> bool:
        """Return whether any one beside a player would come above a mark by these points."""
        table = self.table_of.get(player, ())
        beside = [self.made[one] for one in self.company[table] if one != player]
        somebody_left = len(beside) < len(table) - 1  # and may be the one who shares
        passes = shared > 0 and not somebody_left
        return passes and all(made <= mark < made + shared for made in beside)

    def _others_reaching(self, mark: int, player: PlayerId, endings: Sequence[Ending]) -> int:
        """Return how many others can reach a number of points, all at once."""
        found = self._everybody_reaching(mark)
        own = self.table_of.get(player, ())
        if not own:
            return found - (self.made[player] + self.to_come >= mark)
        needs = self._needs([one for one in self.company[own] if one != player], mark)
        beside = max(_number_with(needs, others) for _own, others in endings)
        return found - self._reaching_at(own, mark) + beside

    def _everybody_reaching(self, mark: int) -> int:
        """Return how many players of the stage can reach a number of points, all at once."""
        if mark not in self._reaching:
            self._reaching[mark] = sum(self._reaching_at(table, mark) for table in self.company)
        return self._reaching[mark]

    def _reaching_at(self, table: tuple[PlayerId, ...], mark: int) -> int:
        needs = self._needs(self.company[table], mark)
        if not table:
            return bisect_right(needs, 0)
        return max(
            _number_with(needs, gained) for gained in possible_points(self.points, len(table))
        )

    def _needs(self, players: Iterable[PlayerId], mark: int) -> list[int]:
        return sorted(mark - self.made[one] - self.to_come for one in players)


@cache
def possible_points(points: TablePoints, size: int) -> tuple[tuple[int, ...], ...]:
    """Return the points that the seats of a multiplayer table can get, each lowest first.

    ``size`` is the number of seats. Left out are those to which others are at least equal at every
    seat.
    """
    return _best([tuple(sorted(points.of(result))) for result in _results(size)])


@cache
def table_endings(points: TablePoints, size: int) -> Mapping[str, tuple[Ending, ...]]:
    """Return how a multiplayer table can end for one seat, by its result.

    Results are "win", "draw" and "loss"; each ending is (the seat's points, those of the others).
    {} for ``size`` 0.
    """
    found: dict[str, list[Ending]] = defaultdict(list)
    for table in _results(size) if size else ():
        places, gained = table.places or (), points.of(table)
        for seat, place in enumerate(places):
            first = "win" if places.count(1) == 1 else "draw"
            others = tuple(sorted((*gained[:seat], *gained[seat + 1 :])))
            found[first if place == 1 else "loss"].append((gained[seat], others))
    return {result: tuple(dict.fromkeys(found[result])) for result in RESULTS if found[result]}


def _best(gained: Iterable[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Return points of seats, without those of which others have as many at every seat."""
    known = dict.fromkeys(gained)
    return tuple(
        one
        for one in known
        if not any(other != one and all(map(le, one, other)) for other in known)
    )


def _open_tables(state: StageState) -> Iterator[tuple[PlayerId, ...]]:
    """Yield the players of each table without a result."""
    for played in state.rounds:
        for _pairing, result in played:
            if not result.is_played:
                yield result.seats


def _results(size: int) -> list[Result]:
    """Return the results of a table that differ in more than who has which place."""
    seats = tuple(range(size))
    found = [_result(seats, places_without_winner(size))]
    for cuts in range(2 ** (size - 1)):  # where a new place begins
        starts = [seat for seat in seats if seat == 0 or cuts >> (seat - 1) & 1]
        places = tuple(1 + max(start for start in starts if start <= seat) for seat in seats)
        found.append(_result(seats, places))
    return found


def _result(seats: tuple[int, ...], places: Places) -> Result:
    return Result(seats=seats, outcome=outcome_by_places(places, seats=len(seats)))


def _number_with(needs: Sequence[int], gained: Sequence[int]) -> int:
    """Return how many of these needs can be met by different seats; both the least first."""
    met = 0
    for points in gained:
        met += met < len(needs) and points >= needs[met]
    return met


def _settled(
    classes: Sequence[Sequence[PlayerId]], sure: frozenset[int]
) -> Iterator[tuple[PlayerId, Prospect]]:
    """Yield the prospects of players whose standings are final, in classes, best first."""
    above = 0
    for level in classes:
        places = range(above + 1, above + len(level) + 1)
        inside = sure.intersection(places)
        verdict = Verdict.OPEN if inside else Verdict.OUT
        verdict = Verdict.THROUGH if sure.issuperset(places) else verdict
        depends = SCORES if verdict is Verdict.OPEN else {}
        for player in level:
            yield player, Prospect(player=player, verdict=verdict, depends=depends, places=places)
        above += len(level)
