"""Prospects of a group that is small enough to enumerate all outcomes of its open matches."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from rules.history.group_history import History
from rules.matches.match_rules import LARGEST_SCORE
from rules.results import PlayerId, Points, Result
from rules.scenarios.advancing_places import AdvancingRanks
from rules.scenarios.fast_enumeration import FastEnumeration
from rules.scenarios.levels import QUICK, Level, PossibleStanding, Reached, Values, leading_criteria
from rules.scenarios.margins import Cases, margins
from rules.scenarios.own_match import OwnMatch
from rules.scenarios.remaining import OUTCOMES, Remaining
from rules.scenarios.score_spans import FAR, ScoreRanges, Scores, places_in, scores_next, scores_of
from rules.scenarios.settled import SettledStandings
from rules.scenarios.suppositions import Limits, of_rivals
from rules.scenarios.verdict_evaluation import Candidates, Case, Evaluator, Ranks, combined_case
from rules.scenarios.verdicts import Decider, DependsOn, Margin, Prospect, Verdict
from rules.stages.base import StageState
from rules.standings.table import rank_history
from rules.ties.decisions import dropped_from


def ranked_levels(
    players: Sequence[PlayerId],
    remaining: Remaining,
    criteria: Sequence[str],
    points: Points,
    staying: frozenset[PlayerId],
    dropped: Collection[PlayerId] = (),
) -> Iterator[Reached]:
    """Yield the levels of each outcome of the group, ranking each one separately."""
    seats = {player: seat for seat, player in enumerate(players)}
    for outcomes in remaining.outcomes():
        own, results = 0, list(remaining.settled)
        for pair, outcome in zip(remaining.pairs, outcomes, strict=True):
            own |= pair.next_bits(outcome, seats)
            results += pair.results(outcome)
        for level in levels_of(players, results, criteria, points, staying, dropped):
            yield level, own


def levels_of(
    players: Sequence[PlayerId],
    results: Sequence[Result],
    criteria: Sequence[str],
    points: Points,
    staying: frozenset[PlayerId],
    dropped: Collection[PlayerId] = (),
) -> tuple[Level, ...]:
    """Return the levels of a finished group, best first, without withdrawn players."""
    history = History(
        players=tuple(players), results=tuple(results), points=points, dropped=dropped
    )
    keys = leading_criteria(criteria)
    standings = rank_history(history, criteria=keys)
    numeric = [key for key in keys if key != "head_to_head"]
    by_rank: dict[int, list[PlayerId]] = {}
    values: dict[int, Values] = {}
    for row in standings.rows:
        if row.player in staying:
            by_rank.setdefault(row.rank, []).append(row.player)
            values[row.rank] = tuple(row.values[key] for key in numeric)
    found, above = [], 0
    for rank, level in by_rank.items():
        found.append(Level(tuple(level), above, values[rank]))
        above += len(level)
    return tuple(found)


NOW = "now"


class EnumeratedGroup:
    """A group with all possible outcomes of its open matches, for groups with few of them."""

    def __init__(
        self,
        state: StageState,
        name: str,
        remaining: Remaining,
        criteria: Sequence[str],
        points: Points,
        highest: int | None,
        leads: AdvancingRanks,
        settled: SettledStandings,
    ) -> None:
        self.name = name
        self.ended, self.compared = settled.places.get(name), settled.compared
        self.remaining = remaining
        self.players = state.seated(name)
        self.staying = frozenset(self.players) - state.withdrawn
        self.dropped = dropped_from(state)
        self.limits = Limits(highest=highest or LARGEST_SCORE, reach=highest or FAR)
        self.scores = Scores(of=scores_of(remaining, self.players, self.limits.reach))
        self.fixed = frozenset(
            player for player in self.players if highest or not remaining.left[player]
        )
        self.keys = scores_next(criteria)
        self.across = scores_next([key for key in criteria if key != "head_to_head"])
        self.stands = self._possible_standings(self._levels(criteria, points, leads))

    def _levels(
        self, criteria: Sequence[str], points: Points, leads: AdvancingRanks
    ) -> Iterable[Reached]:
        given = self.players, self.remaining, criteria, points, self.staying
        if QUICK.issuperset(leading_criteria(criteria)):
            return FastEnumeration(*given, leads.ranks(self.name)).levels()
        return ranked_levels(*given, self.dropped)

    def _possible_standings(
        self, reached: Iterable[Reached]
    ) -> dict[PlayerId, list[PossibleStanding]]:
        digits = {player: 3 * seat for seat, player in enumerate(self.players)}
        found: dict[PlayerId, dict[Level, int]] = {
            player: {} for player in self.players if player in self.staying
        }
        for level, own in reached:
            for player in level.players:
                known = found[player]
                known[level] = known.get(level, 0) | own
        return {
            player: [
                PossibleStanding(level, own >> digits[player] & 7, self._places(level, player), own)
                for level, own in known.items()
            ]
            for player, known in found.items()
        }

    def _places(self, level: Level, player: PlayerId) -> range:
        """Return the places on which a player of a level may end; one if nothing is open."""
        if self.ended is not None:
            return self.ended[player]
        return places_in(level, player, self.scores, self.keys)

    def candidates(self, rank: int) -> Candidates:
        """Return the possible standings of all players who may end on a rank."""
        found: dict[Values, set[ScoreRanges]] = {}
        for player, stands in self.stands.items():
            for stand in stands:
                if rank in stand.places:
                    found.setdefault(stand.level.values, set()).add(self.scores.of[player])
        return Candidates({values: frozenset(scores) for values, scores in found.items()})

    def prospects(
        self, leads: AdvancingRanks, candidates: Mapping[int, Ranks]
    ) -> dict[PlayerId, Prospect]:
        """Return the prospects of the group's players.

        ``candidates`` are those of the ranks whose comparison across groups can be evaluated.
        """
        evaluator = Evaluator(self.name, leads, self.keys, self.across, candidates)
        return {player: self._prospect(player, evaluator) for player in self.stands}

    def _prospect(self, player: PlayerId, evaluator: Evaluator) -> Prospect:
        """Return a player's prospect."""
        by_result = self._cases(player, evaluator)
        found = {
            key: combined_case([case for case, _stand in cases], DependsOn.RESULTS)
            for key, cases in by_result.items()
        }
        return Prospect(
            player=player,
            verdict=found[NOW].verdict,
            opponent=self.remaining.next_of.get(player),
            after={result: found[result].verdict for result in OUTCOMES if result in found},
            depends={key: case.on for key, case in found.items()},
            margins=self._margins(player, evaluator, by_result, found),
            places=self._possible_places(player),
            deciders=tuple(self._deciders(player, by_result[NOW], found[NOW])),
        )

    def _possible_places(self, player: PlayerId) -> range:
        """Return the places from the best to the worst that a player may end on."""
        every = [stand.places for stand in self.stands[player]]
        return range(min(one.start for one in every), max(one.stop for one in every))

    def _deciders(self, player: PlayerId, cases: Cases, now: Case) -> Iterator[Decider]:
        """Yield the single results of others that decide about a player who has played."""
        if now.verdict is not Verdict.OPEN or self.remaining.left[player]:
            return
        for pair in self.remaining.pairs:
            if pair.matches > 1 or not all(pair.is_next):
                continue
            shift = 3 * self.players.index(pair.players[0])
            for bit, result in enumerate(OUTCOMES):
                after = [case for case, stand in cases if stand.nexts >> shift + bit & 1]
                case = combined_case(after, DependsOn.RESULTS)
                if case.verdict is not Verdict.OPEN:
                    yield Decider(players=pair.players, result=result, verdict=case.verdict)

    def _cases(self, player: PlayerId, evaluator: Evaluator) -> dict[str, Cases]:
        """Return the possible cases now, and after each result of the player's next match."""
        score = self.scores.of[player]
        cases = [
            (
                self._compared_case(player, stand)
                or evaluator.case_over(stand.places, stand.level, score),
                stand,
            )
            for stand in self.stands[player]
        ]
        found: dict[str, Cases] = {NOW: cases}
        if player in self.remaining.next_of:
            for bit, result in enumerate(OUTCOMES):
                found[result] = [one for one in cases if one[1].own >> bit & 1]
        return found

    def _compared_case(self, player: PlayerId, stand: PossibleStanding) -> Case | None:
        """Return the case of a player on a rank whose comparison is settled, else None."""
        if len(stand.places) > 1:
            return None
        return self.compared.get(stand.places[0], {}).get(player)

    def _margins(
        self,
        player: PlayerId,
        evaluator: Evaluator,
        by_result: Mapping[str, Cases],
        found: Mapping[str, Case],
    ) -> dict[str, tuple[Margin, ...]]:
        """Return sufficient scores by result, if scores decide and the next match is the last."""
        if self.ended is not None:
            return {}
        left = self.remaining.left[player]
        asked = [key for key in (OUTCOMES if left else (NOW,)) if DependsOn.SCORES in found[key].on]
        if left > 1 or not self.keys or not asked:
            return {}
        given = self.remaining, self.scores, self.limits, self.keys[0]
        own = OwnMatch(player, *given) if left else None
        by_outcome = {
            key: margins(
                player,
                own.assumptions_for(key) if own else of_rivals(*given),
                evaluator,
                self.fixed,
                by_result[key],
            )
            for key in asked
        }
        return {key: some for key, some in by_outcome.items() if some}
