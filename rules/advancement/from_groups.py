"""Who goes on from a group stage: by rank in a group, or by comparison across groups.

Groups of different sizes are compared over equal numbers of matches: a larger group is counted
without its last player, whose matches are ignored, also in opponents' points. Withdrawn players
rank behind all others; struck players count as absent. ``separate_groups`` seats a bracket such
that players of one earlier group meet as late as possible.

Source: tournament rules, Standings order (players of different groups); Other formulas to ship,
Groups and knock-out; Points (withdrawn players do not advance); docs/rules-sources.md.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import cast

from rules.brackets import bracket_order, first_lower_round
from rules.history.group_history import GroupHistory, History
from rules.plans import ComparedRankPlace, RankPlace, StagePlan
from rules.results import PlayerId
from rules.stages.base import StageState
from rules.standings.table import Standings
from rules.ties.decisions import (
    Classes,
    Decisions,
    Uses,
    class_at_position,
    classes_of_present_players,
    holder_of_position,
    place_identity,
    rank_across_groups_with_decisions,
    tied_classes,
    undecided_ties,
)

Level = tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparableHistories:
    """Histories by group name for a comparison across groups, with equal group sizes.

    ``open`` are tied sets that leave open who is the last player of a larger group; no comparison
    is possible until they are decided.
    """

    histories: Mapping[str, GroupHistory]
    open: tuple[Level, ...] = ()


def group_sizes(plan: StagePlan) -> dict[str, int]:
    """Return the number of seats of each planned group, by group name."""
    return {group.name: len(group.seats) for group in plan.groups}


def count_players_by_group(state: StageState) -> dict[str, int]:
    """Return the number of players by group name.

    Vacant seats and players whose matches were all voided (``struck``) are not counted.
    """
    return {
        name: sum(player is not None and player not in state.struck for player in seats)
        for name, seats in state.seats.items()
    }


def uneven_size_range(sizes: Mapping[str, int], groups: Iterable[str]) -> tuple[int, int] | None:
    """Return (smallest, largest) size of the named groups; None if all are equal.

    ``sizes`` maps group names to numbers of players.
    """
    found = [sizes[group] for group in groups if group in sizes]
    return (min(found), max(found)) if found and min(found) < max(found) else None


def comparable_histories(
    histories: Mapping[str, GroupHistory],
    standings: Mapping[str, Standings],
    groups: Sequence[str],
    state: StageState,
) -> ComparableHistories:
    """Return the histories of the named groups, the larger ones without their last players.

    All then have as many players as the smallest group. ``histories`` and ``standings`` are by
    group name.
    """
    sizes = count_players_by_group(state)
    size = min((sizes[group] for group in groups), default=0)
    found: dict[str, GroupHistory] = {}
    unknown: list[Level] = []
    for group in groups:
        kept: list[PlayerId] = []
        for level, tied in _best_first(standings[group], state):
            room = size - len(kept)
            if 0 < room < len(level):
                unknown.append(tied)
            kept += level[: max(room, 0)]
        history = cast(History, histories[group])  # tables are of one group, compared with no other
        found[group] = history.among_players(frozenset(kept))
    return ComparableHistories(histories=found, open=tuple(unknown))


def _best_first(standings: Standings, state: StageState) -> Iterator[tuple[Level, Level]]:
    """Yield level players, withdrawn ones last, each with the level they are part of."""
    classes = tied_classes(standings)
    there = [player for player in state.players if player not in state.struck]
    for gone in (False, True):
        counting = frozenset(player for player in there if (player in state.withdrawn) is gone)
        for tied in classes:
            if level := tuple(player for player in tied if player in counting):
                yield level, tied


@dataclass(frozen=True, slots=True, kw_only=True)
class Advancement:
    """Which players advance from a group stage, derived from its standings.

    ``standings`` are by group name; ``used`` are the names of the places that later stages seat.
    """

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
                    class_at_position(
                        classes_of_present_players(self.standings[group], self.state.withdrawn),
                        rank,
                    )[0],
                )
                for group in groups
            ]
            counting = self._comparable_histories(histories, groups)
            if all(len(players) < 2 for _group, players in holders) and not counting.open:
                candidates = [
                    (player, counting.histories[group]) for group, on in holders for player in on
                ]
                compared[rank] = rank_across_groups_with_decisions(candidates, criteria, decided)
        return compared

    def _comparable_histories(
        self, histories: Mapping[str, GroupHistory], groups: Sequence[str]
    ) -> ComparableHistories:
        if not self.state.plan.without_last:
            return ComparableHistories(histories=histories)
        return comparable_histories(histories, self.standings, groups, self.state)

    def places(self, compared: Mapping[int, Standings]) -> dict[str, PlayerId]:
        """Return the holders of places, as far as ties allow."""
        found: dict[str, PlayerId] = {}
        for place in self.state.plan.places:
            classes: Classes = ()
            position = 0
            if isinstance(place, RankPlace):
                classes = classes_of_present_players(
                    self.standings[place.group], self.state.withdrawn
                )
                position = place.rank
                uses = self._uses_of_rank(place.group)
            elif isinstance(place, ComparedRankPlace) and place.rank in compared:
                classes, position = tied_classes(compared[place.rank]), place.nth
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
            if isinstance(place, ComparedRankPlace) and place.name in self.used
        }

    def _uses_of_rank(self, group: str) -> dict[int, Uses]:
        """Return the later uses of each rank of a group; equal uses are interchangeable."""
        uses: dict[int, Uses] = {}
        for place in self.state.plan.places:
            if isinstance(place, RankPlace) and place.group == group and place.name in self.used:
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
            if isinstance(place, ComparedRankPlace)
            and place.rank == rank
            and place.name in self.used
        }


def minimum_cost_assignment(costs: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the column assigned to each row of a square matrix at minimum total cost.

    The Hungarian algorithm with potentials, in O(n³), on integers of any size: costs reach 127 bits
    for 64 players and 307 bits in a double elimination. ``rustworkx.max_weight_matching`` is
    limited to 128 bits and loses precision below that; ``scipy`` uses floating point. Among
    assignments of equal cost the choice is deterministic, and stored brackets depend on it.
    """
    size = len(costs)
    row_potential, column_potential = [0] * (size + 1), [0] * (size + 1)
    row_of = [size] * (size + 1)  # by column; index ``size`` stands for "none" on both sides
    for row in range(size):
        row_of[size] = row
        least: list[int | None] = [None] * size
        came_from = [size] * size
        done: set[int] = set()
        column = size
        while row_of[column] != size:
            done.add(column)
            here = row_of[column]
            for other in set(range(size)) - done:
                cost = costs[here][other] - row_potential[here] - column_potential[other]
                known = least[other]
                if known is None or cost < known:
                    least[other], came_from[other] = cost, column
            step, following = min(
                (cost, other)
                for other, cost in enumerate(least)
                if cost is not None and other not in done
            )
            for visited in done:
                row_potential[row_of[visited]] += step
                column_potential[visited] -= step
            least = [
                cost - step if cost is not None and other not in done else cost
                for other, cost in enumerate(least)
            ]
            column = following
        while column != size:
            row_of[column] = row_of[came_from[column]]
            column = came_from[column]
    columns = {row: column for column, row in enumerate(row_of[:size])}
    return tuple(columns[row] for row in range(size))


MOST_CHANGED = 32
"""Maximum players of one band swapped pairwise: more would take minutes."""

Seats = dict[PlayerId, int]
Band = list[tuple[int, PlayerId]]


def separate_groups(
    seeds: Sequence[PlayerId | None], groups: Mapping[PlayerId, str], *, double: bool = False
) -> tuple[PlayerId | None, ...]:
    """Return the players in seat order of a bracket such that players of one group meet late.

    ``seeds`` are best first (None: vacant), ``groups`` maps players to the names of their earlier
    groups. The best of each group keep their seats; the second best swap seats among themselves, so
    do the third best …: first minimising early meetings within a group (one early meeting outweighs
    any number of later ones), then the sum of squared moves. Only a player who would still meet
    somebody of their own group in the first match swaps with one of another rank.

    In a ``double`` elimination this applies to the upper bracket; among equally good seatings, one
    is chosen whose players of one group also meet late in the lower bracket.
    """
    found = list(seeds)
    bracket = _SeatSearch(seeds, groups, double=double)
    if len(bracket.mates) < 2:  # such as after Swiss rounds: all players are of one group
        return tuple(seeds)
    seats = bracket.arranged()
    if double:  # never worse in the upper bracket than in a single elimination
        seats = min(seats, _SeatSearch(seeds, groups).arranged(), key=bracket.cost)
    for player, seat in seats.items():
        found[seat] = player
    return tuple(found)


class _SeatSearch:
    """A bracket, and the cost of meetings within groups."""

    def __init__(
        self,
        seeds: Sequence[PlayerId | None],
        groups: Mapping[PlayerId, str],
        *,
        double: bool = False,
    ) -> None:
        self.slots = {seed - 1: slot for slot, seed in enumerate(bracket_order(len(seeds)))}
        self.rounds = (len(self.slots) - 1).bit_length()
        self.weight = len(seeds) ** 3 + 1
        self.lower_rounds = 2 * self.rounds - 2 if double else 0
        self.lower_prices = self._prices_below()
        self.above: int = self.weight**self.lower_rounds
        self.group_of = {
            player: groups[player] for player in seeds if player is not None and player in groups
        }
        self.own = {
            player: seat
            for seat, player in enumerate(seeds)
            if player is not None and player in groups
        }
        self.mates: dict[str, list[PlayerId]] = {}
        self.bands: list[Band] = []
        for player, seat in self.own.items():
            mates = self.mates.setdefault(groups[player], [])
            if len(mates) == len(self.bands):
                self.bands.append([])
            self.bands[len(mates)].append((seat, player))
            mates.append(player)

    def arranged(self) -> Seats:
        """Return each player's seat.

        Each band in turn takes its cheapest seats, repeatedly while that helps. If a group still
        meets earlier than it would alone, two players of a band are swapped and the other bands
        rearranged, until no swap helps.
        """
        seats: Seats = {}
        for band in self.bands:
            seats |= self._cheapest_seats_of(band, seats)
        if len(self.bands) > 2:
            seats = self._local_optimum(seats, self.bands[1:])
            while (better := next(self._cheaper_seats(seats), None)) is not None:
                seats = better
        while (better := self._without_rematch(seats)) is not None:
            seats = better
        return seats

    def _without_rematch(self, seats: Seats) -> Seats | None:
        """Return the seats with one first match within a group fewer, by the least move.

        For players who meet their own group wherever their band sits, such as the only second of
        four. They swap with a player of another band. None if no swap helps.
        """
        in_slot = {self.slots[seat]: self.group_of[player] for player, seat in seats.items()}
        least = 0, 0
        exchanges: list[tuple[PlayerId, PlayerId]] = []
        for player in self._players_with_rematch(seats):
            for other in seats:
                change = self._effect_of_swap(in_slot, seats, player, other)
                if change[0] < 0 and change <= least:
                    exchanges = [*(exchanges if change == least else ()), (player, other)]
                    least = change
        changed = [seats | {one: seats[other], other: seats[one]} for one, other in exchanges]
        return min(changed, key=self.cost, default=None)

    def _effect_of_swap(
        self, in_slot: Mapping[int, str], seats: Seats, one: PlayerId, other: PlayerId
    ) -> tuple[int, int]:
        """Return the first matches within groups that a swap adds, and the squared moves."""
        here, there = self.slots[seats[one]], self.slots[seats[other]]
        own, its = in_slot[here], in_slot[there]
        first = 0
        if here ^ there > 1:
            met, meets = in_slot.get(here ^ 1), in_slot.get(there ^ 1)
            first = (its == met) + (own == meets) - (own == met) - (its == meets)
        moves = sum(
            (self.own[player] - seats[after]) ** 2 - (self.own[player] - seats[player]) ** 2
            for player, after in ((one, other), (other, one))
        )
        return first, moves

    def _players_with_rematch(self, seats: Seats) -> list[PlayerId]:
        """Return the worse placed of each two players of a group who meet in the first round."""
        return [
            second
            for mates in self.mates.values()
            for first, second in combinations(mates, 2)
            if self._round_of_meeting(seats[first], seats[second]) == 1
        ]

    def _cheaper_seats(self, seats: Seats) -> Iterator[Seats]:
        """Yield cheaper seats that start with a swap within one band."""
        early = {
            group
            for group in self.mates
            if self._cost_of_group(group, seats) > self._least_cost_of_group(group)
        }
        cost = self.cost(seats) if early else 0
        small = [band for band in self.bands[1:] if len(band) <= MOST_CHANGED]
        for band in sorted(small, key=len) if early else ():
            others = [other for other in self.bands[1:] if other is not band]
            for (_own, one), (_its, other) in combinations(band, 2):
                if early.isdisjoint((self.group_of[one], self.group_of[other])):
                    continue
                changed = seats | {one: seats[other], other: seats[one]}
                found = self._local_optimum(changed, [*others, band])
                if self.cost(found) < cost:
                    yield found

    def _local_optimum(self, seats: Seats, bands: Sequence[Band]) -> Seats:
        """Return seats that no band can improve by itself; the bands take turns in this order."""
        cost = None
        while (now := self.cost(seats)) != cost:
            cost = now
            for band in bands:
                seats = seats | self._cheapest_seats_of(band, seats)
        return seats

    def _cheapest_seats_of(self, band: Band, seats: Seats) -> Seats:
        """Return the cheapest seats of a band with all others fixed."""
        costs = []
        for own, player in band:
            mates = [
                (seats[mate], self._weight_of_pair(player, mate))
                for mate in self.mates[self.group_of[player]]
                if mate in seats and mate != player
            ]
            costs.append(
                [
                    (own - seat) ** 2
                    + sum(self._cost_of_meeting(seat, its, importance) for its, importance in mates)
                    for seat, _player in band
                ]
            )
        columns = minimum_cost_assignment(costs)
        return {player: band[at][0] for (_own, player), at in zip(band, columns, strict=True)}

    def cost(self, seats: Seats) -> int:
        """Return the cost to be minimised: meetings within groups, then moved players."""
        moves = sum((self.own[player] - seat) ** 2 for player, seat in seats.items())
        return moves + sum(
            self._cost_of_meeting(seats[one], seats[other], self._weight_of_pair(one, other))
            for mates in self.mates.values()
            for one, other in combinations(mates, 2)
        )

    def _cost_of_group(self, group: str, seats: Seats) -> int:
        where: Collection[int] = [seats[player] for player in self.mates[group]]
        return sum(
            self._price_of_round(self._round_of_meeting(*two)) for two in combinations(where, 2)
        )

    def _cost_of_meeting(self, one: int, other: int, importance: int) -> int:
        """Return the cost of two players of one group on these seats, with their weight."""
        number = self._round_of_meeting(one, other)
        upper = self._price_of_round(number) + self.weight * importance * (self.rounds - number)
        if not self.lower_rounds:
            return upper
        return upper * self.above + self.lower_prices[self.slots[one] ^ self.slots[other]]

    def _prices_below(self) -> tuple[int, ...]:
        """Return the cost of a meeting in the lower bracket, by the XOR of two slots."""
        if not self.lower_rounds:
            return ()
        return tuple(
            int(self.weight ** (1 + self.lower_rounds - first_lower_round(self.rounds, apart)))
            for apart in range(2**self.rounds)
        )

    def _weight_of_pair(self, one: PlayerId, other: PlayerId) -> int:
        """Return the weight of a late meeting of two players of one group: higher for the best."""
        mates = self.mates[self.group_of[one]]
        first, second = sorted((mates.index(one), mates.index(other)))
        return 0 if first else len(mates) - second

    def _round_of_meeting(self, one: int, other: int) -> int:
        """Return the round in which the holders of two seats can meet."""
        return (self.slots[one] ^ self.slots[other]).bit_length()

    def _price_of_round(self, number: int) -> int:
        return int(self.weight ** (2 + self.rounds - number))

    def _least_cost_of_group(self, group: str) -> int:
        """Return the cost of a group spread optimally, ignoring all others."""

        def spread(players: int, number: int) -> int:
            half = players // 2
            if not half:
                return 0
            across = half * (players - half) * self._price_of_round(number)
            return across + spread(half, number - 1) + spread(players - half, number - 1)

        return spread(len(self.mates[group]), self.rounds)
