"""Enumeration of the final levels for the usual criteria, without ranking each outcome.

Points and opponents' points are sums, and a mini-table depends only on the matches among its
players, so it is computed once for each of their outcomes.

All outcomes are encoded as integers: the points of all players are packed into one, each in its own
digits, above a code of the outcome of each pair's matches. Two halves of the matches are combined
by one addition; only codes that affect the ranking, which depends on the points, are kept.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, reduce
from itertools import accumulate, groupby
from operator import or_
from typing import NamedTuple

from rules.history.group_history import History
from rules.results import PlayerId, Points
from rules.scenarios.remaining import WINNERS, OpponentPair, PairOutcome, RemainingMatches
from rules.scenarios.verdict_evaluation import Reached, TiedPlayers, Values, leading_criteria
from rules.standings.table import rank_history
from rules.ties.decisions import tied_classes

Made = tuple[int, ...]
"""Points by seat."""
Class = tuple[int, ...]
"""Seats of level players."""
Half = list[tuple[int, int]]
"""Partial outcomes: (packed integer, bitmask of the players' next results)."""


Ends = dict[int, int]
"""Partial outcomes by code, with a bitmask of the players' next results (``next_bits``)."""


class EncodedOutcomes:
    """All outcomes of a group's open matches, encoded as integers with points by seat.

    A seat is a player's index in the group. Points are added to those so far (``so_far``, all ≥ 0).
    """

    def __init__(
        self,
        seats: Mapping[PlayerId, int],
        so_far: Made,
        pairs: Sequence[OpponentPair],
        points: Points,
    ) -> None:
        self.seats = seats
        self.so_far = so_far
        self.pairs = pairs
        self.worth = {own: points.by_winner[winner][0] for own, winner in WINNERS.items()}
        matches = sum(pair.matches for pair in pairs)
        self.digits = (max(so_far) + matches * max(self.worth.values())).bit_length()
        lengths = [(len(pair.outcomes) - 1).bit_length() for pair in pairs]
        *self.shifts, self.below = accumulate(lengths, initial=0)
        self.above = range(0, self.digits * len(so_far), self.digits)
        self.ones = [(1 << length) - 1 for length in lengths]

    def ends(self, matter: Callable[[int], Iterable[int]]) -> Iterator[tuple[int, Ends]]:
        """Yield the outcomes by points; ``matter`` returns the indexes of ``pairs`` that matter."""
        below, cut = self.below, (len(self.pairs) + 1) // 2
        mask = cache(lambda number: -1 << below | self.mask(matter(number)))
        start = sum(self._packed_points(seat, made) for seat, made in enumerate(self.so_far))
        halves = self._half(range(cut), start), self._half(range(cut, len(self.pairs)), 0)
        found: defaultdict[int, int] = defaultdict(int)
        for one, own in halves[0]:
            for other, also in halves[1]:
                number = one + other
                found[number & mask(number >> below)] |= own | also
        ones = (1 << below) - 1
        by_points: defaultdict[int, Ends] = defaultdict(dict)
        for number, own in found.items():
            by_points[number >> below][number & ones] = own
        yield from by_points.items()

    def made(self, number: int) -> Made:
        """Return the points by seat."""
        ones = (1 << self.digits) - 1
        return tuple([number >> shift & ones for shift in self.above])

    def outcome(self, codes: int, place: int) -> PairOutcome:
        """Return the outcome of a pair's matches."""
        return self.pairs[place].outcomes[codes >> self.shifts[place] & self.ones[place]]

    def gain(self, codes: int, place: int, player: PlayerId) -> int:
        side = self.pairs[place].players.index(player)
        return sum([self.worth[result] for result in self.outcome(codes, place).ended[side]])

    def mask(self, places: Iterable[int]) -> int:
        """Return the bitmask of some pairs' codes."""
        mask = 0
        for place in places:
            mask |= self.ones[place] << self.shifts[place]
        return mask

    def _half(self, places: Iterable[int], start: int) -> Half:
        half = [(start, 0)]
        for place in places:
            combinations = [
                self._packed_outcome(place, code) for code in range(len(self.pairs[place].outcomes))
            ]
            half = [(one + other, own | also) for one, own in half for other, also in combinations]
        return half

    def _packed_outcome(self, place: int, code: int) -> tuple[int, int]:
        """Return an outcome of a pair as a packed integer, and its bitmask of next results."""
        pair = self.pairs[place]
        outcome, number = pair.outcomes[code], code << self.shifts[place]
        for player, results in zip(pair.players, outcome.ended, strict=True):
            points = sum(self.worth[result] for result in results)
            number += self._packed_points(self.seats[player], points)
        return number, pair.next_bits(outcome, self.seats)

    def _packed_points(self, seat: int, points: int) -> int:
        return points << self.below + seat * self.digits


MINI_TABLE = "head_to_head"


class HeadToHeadTables:
    """The head-to-head tables of tied players, cached by the outcome of their open matches.

    ``history`` holds the settled matches.
    """

    def __init__(
        self, history: History, remaining: RemainingMatches, packed: EncodedOutcomes
    ) -> None:
        self.history = history
        self.players = history.players
        self.remaining = remaining
        self.packed = packed
        self.taken = _points_by_opponent(history)
        self.pairs: dict[Class, Sequence[int]] = {}
        self.parts: dict[tuple[Class, int], list[Class]] = {}

    def inside(self, level: Class) -> Sequence[int]:
        """Return the indexes of pairs of level players with open matches."""
        if level not in self.pairs:
            players = {self.players[seat] for seat in level}
            self.pairs[level] = [
                place
                for place, pair in enumerate(self.remaining.pairs)
                if players.issuperset(pair.players)
            ]
        return self.pairs[level]

    def mask(self, level: Class) -> int:
        return self.packed.mask(self.inside(level))

    def of(self, level: Class, codes: int) -> list[Class]:
        """Return level players split by head-to-head, given the codes of their open matches."""
        key = level, codes
        if key not in self.parts:
            asked = self._of_two if len(level) == 2 else self._of_more
            self.parts[key] = asked(level, codes)
        return self.parts[key]

    def _of_two(self, level: Class, codes: int) -> list[Class]:
        """Return two players ordered by points from their matches."""
        one, other = (self.players[seat] for seat in level)
        ahead = self.taken[one, other] - self.taken[other, one]
        for place in self.inside(level):
            ahead += self.packed.gain(codes, place, one) - self.packed.gain(codes, place, other)
        return [level] if ahead == 0 else [(seat,) for seat in level[:: 1 if ahead > 0 else -1]]

    def _of_more(self, level: Class, codes: int) -> list[Class]:
        seats = {self.players[seat]: seat for seat in level}
        results = [r for r in self.remaining.settled if seats.keys() >= set(r.seats)]
        for place in self.inside(level):
            outcome = self.packed.outcome(codes, place)
            results += self.remaining.pairs[place].results(outcome)
        history = replace(self.history, players=tuple(seats), results=tuple(results))
        ranked = tied_classes(rank_history(history, criteria=(MINI_TABLE,)))
        return [tuple(seats[player] for player in part) for part in ranked]


def _points_by_opponent(history: History) -> Counter[tuple[PlayerId, PlayerId]]:
    """Return the points that each player has gained against each other one."""
    found: Counter[tuple[PlayerId, PlayerId]] = Counter()
    for player in history.players:
        for meeting in history.meetings(player):
            if meeting.opponent is not None:
                found[player, meeting.opponent] += meeting.points
    return found


Found = defaultdict[tuple[Class, int, Values], int]


class PointsTable(NamedTuple):
    """Final points of a group by seat (index of the player), and the classes they make.

    ``classes`` are seats, best first, before head-to-head is applied.
    """

    made: Made
    classes: Sequence[Class]


class FastEnumeration:
    """Enumerates how a group can end that is ranked by points, opponents' points, head-to-head.

    ``staying`` are the players who have not withdrawn. Tiebreaker values are only recorded on the
    ``compared`` ranks.
    """

    def __init__(
        self,
        players: Sequence[PlayerId],
        remaining: RemainingMatches,
        criteria: Sequence[str],
        points: Points,
        staying: frozenset[PlayerId],
        compared: frozenset[int],
    ) -> None:
        self.players = tuple(players)
        self.staying = [player in staying for player in players]
        self.all_stay = all(self.staying)
        self.compared = compared
        self.keys = keys = leading_criteria(criteria)
        self.numeric = [key for key in keys if key != MINI_TABLE]
        self.asks_mini_table = MINI_TABLE in keys
        at = keys.index(MINI_TABLE) if self.asks_mini_table else len(keys)
        self.before, self.after = keys[:at], keys[at + 1 :]
        history = History(players=self.players, results=remaining.settled, points=points)
        seats = {player: seat for seat, player in enumerate(self.players)}
        self.met = [[seats[other] for other in history.opponents[one]] for one in self.players]
        for pair in remaining.pairs:
            a, b = (seats[player] for player in pair.players)
            self.met[a] += [b] * pair.matches
            self.met[b] += [a] * pair.matches
        so_far = tuple(history.points_made[: len(self.players)])
        self.packed = EncodedOutcomes(seats, so_far, remaining.pairs, points)
        self.tables: dict[int, PointsTable] = {}
        self.mini_tables = HeadToHeadTables(history, remaining, self.packed)

    def levels(self) -> Iterator[Reached]:
        """Yield the possible levels."""
        found: Found = defaultdict(int)
        for number, ends in self.packed.ends(self._pairs_in_mini_tables):
            self._add_outcomes(self.tables[number], ends, found)
        for (seats, above, values), own in found.items():
            yield TiedPlayers(tuple(self.players[seat] for seat in seats), above, values), own

    def _pairs_in_mini_tables(self, number: int) -> Iterator[int]:
        """Yield the pairs whose matches count in a mini-table, for packed points."""
        made = self.packed.made(number)
        classes = self._split_by_points(range(len(made)), self.before, made)
        self.tables[number] = PointsTable(made, classes)
        if self.asks_mini_table and len(classes) < len(made):
            for level in classes:
                yield from self.mini_tables.inside(level)

    def _add_outcomes(self, table: PointsTable, ends: Ends, found: Found) -> None:
        """Add to ``found`` each level that outcomes with these final points end in.

        ``ends``: their results inside mini-tables, each with the bitmask of next results.
        """
        above, anyhow = 0, reduce(or_, ends.values())
        for level in table.classes:
            if len(level) == 1:
                if self.staying[level[0]]:
                    above += 1
                    values = (
                        self._values_of_seat(level[0], table.made) if above in self.compared else ()
                    )
                    found[level, above - 1, values] |= anyhow
                continue
            for parts, own in self._final_splits(level, ends, table.made):
                self._add_levels(parts, above, table.made, own, found)
            above += sum([self.staying[seat] for seat in level])

    def _add_levels(
        self, parts: Sequence[Class], above: int, made: Made, own: int, found: Found
    ) -> None:
        """Add the parts that a level splits into, as levels that ``above`` players stand above."""
        for part in parts:
            players = part if self.all_stay else tuple([s for s in part if self.staying[s]])
            below = above + len(players)
            if players:
                is_compared = not self.compared.isdisjoint(range(above + 1, below + 1))
                values = self._values_of_seat(part[0], made) if is_compared else ()
                found[players, above, values] |= own
            above = below

    def _final_splits(
        self, level: Class, ends: Ends, made: Made
    ) -> Iterator[tuple[list[Class], int]]:
        """Yield the final split of level players, with the bitmasks of next results."""
        mask = self.mini_tables.mask(level) if self.asks_mini_table else 0
        merged: defaultdict[int, int] = defaultdict(int)
        for codes, own in ends.items():
            merged[codes & mask] |= own
        for codes, own in merged.items():
            parts = self.mini_tables.of(level, codes) if self.asks_mini_table else [level]
            if self.after:
                parts = [
                    final
                    for part in parts
                    for final in self._split_by_points(part, self.after, made)
                ]
            yield parts, own

    def _values_of_seat(self, seat: int, made: Made) -> tuple[int, ...]:
        return tuple(
            [
                made[seat] if key == "points" else self._opponents_points(seat, made)
                for key in self.numeric
            ]
        )

    def _opponents_points(self, seat: int, made: Made) -> int:
        return sum([made[other] for other in self.met[seat]])

    def _split_by_points(
        self, level: Iterable[int], keys: Sequence[str], made: Made
    ) -> list[Class]:
        """Return players split by points and opponents' points, in descending order."""
        classes = [tuple(level)]
        for key in keys:
            parts: list[Class] = []
            for one in classes:
                if len(one) == 1:
                    parts.append(one)
                    continue
                figure = (
                    made.__getitem__
                    if key == "points"
                    else {seat: self._opponents_points(seat, made) for seat in one}.__getitem__
                )
                ordered = sorted(one, key=figure, reverse=True)
                parts += [tuple(part) for _figure, part in groupby(ordered, figure)]
            classes = parts
        return classes
