"""Prospects of all players in a stage with a table.

A group with few open matches is enumerated, with assumptions about the score of a player's own last
match; of a group without any, the standings decide, under any criteria.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import or_

from rules.advancement.from_groups import Advancement
from rules.history.group_history import History
from rules.matches.match_rules import LARGEST_SCORE
from rules.plans import ComparedRankPlace
from rules.results import PlayerId, Points, Result
from rules.scenarios.bounds import GroupPointsBounds, Prospects, table_prospects
from rules.scenarios.fast_enumeration import FastEnumeration
from rules.scenarios.margins import Cases, score_margins
from rules.scenarios.remaining import (
    MOST_RANKED,
    MOST_WAYS,
    OUTCOMES,
    RemainingMatches,
    remaining_matches,
)
from rules.scenarios.verdict_evaluation import (
    DIFFERENCE,
    FAR,
    MADE,
    NO_GAPS,
    OUT,
    QUICK,
    THROUGH,
    AdvancementEvaluator,
    Gaps,
    GroupScoreRanges,
    OutcomeVerdict,
    PossibleStanding,
    RankCandidates,
    Ranks,
    Reached,
    RivalAssumptions,
    Rivals,
    ScoreAssumption,
    ScoreLimits,
    ScoreRanges,
    Span,
    TiedPlayers,
    Values,
    add_ranges,
    always_tied_rivals,
    combine_verdicts,
    leading_criteria,
    next_score_criteria,
    player_score_ranges,
    possible_places,
    rival_assumptions,
    subtract_ranges,
)
from rules.scenarios.verdicts import (
    AdvancingRanks,
    DecidingResult,
    Margin,
    MarginMeasure,
    Prospect,
    Verdict,
    VerdictDependency,
    advancing_ranks,
)
from rules.stages.base import StageState, has_multiplayer_tables, stage_kind
from rules.standings.table import Standings, rank_history
from rules.ties.decisions import (
    Classes,
    Lots,
    Penalties,
    add_random_draw,
    classes_of_present_players,
    players_who_dropped,
    rank_with_decisions,
    recorded_decisions,
    tied_classes,
)

LEVEL = OutcomeVerdict(Verdict.OPEN, frozenset({VerdictDependency.SCORES}))
"""The case of players separated only by lots or an extra match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledStandings:
    """What the standings of groups without open matches have decided.

    ``places`` maps group names to players and the places (from 1) they may hold: several if they
    are tied. ``compared`` maps each rank whose groups are all settled to the verdicts on its
    players.
    """

    places: Mapping[str, Mapping[PlayerId, range]] = field(default_factory=dict)
    compared: Mapping[int, Mapping[PlayerId, OutcomeVerdict]] = field(default_factory=dict)


def settled_standings(
    state: StageState,
    remaining: Mapping[str, RemainingMatches],
    leads: AdvancingRanks,
    *,
    criteria: Sequence[str],
    points: Points,
    lots: Lots,
    penalties: Penalties,
) -> SettledStandings:
    """Return the places that groups without open matches have decided.

    ``remaining`` are the matches by group name, ``leads`` the ranks that advance, ``lots`` all
    random draws of the event.
    """
    done = {name: left for name, left in remaining.items() if not left.open and not left.rounds}
    if not done:
        return SettledStandings()
    order, decided = add_random_draw(criteria), recorded_decisions(lots, state.tiebreaker_rounds)
    histories = {
        name: History(
            players=state.seated(name),
            results=left.settled,
            points=points,
            penalties=penalties,
            dropped=players_who_dropped(state),
        )
        for name, left in done.items()
    }
    standings = {
        name: rank_with_decisions(found, order, decided) for name, found in histories.items()
    }
    ranks = {rank for rank, (names, _n) in leads.compared.items() if done.keys() >= set(names)}
    asked = frozenset(
        place.name
        for place in state.plan.places
        if isinstance(place, ComparedRankPlace) and place.rank in ranks
    )
    advancement = Advancement(state=state, standings=standings, used=asked)
    compared = advancement.compare(histories, order, decided)
    return SettledStandings(
        places={
            name: dict(_places(classes_of_present_players(found, state.withdrawn)))
            for name, found in standings.items()
        },
        compared={
            rank: dict(_cases(found, leads.compared[rank][1])) for rank, found in compared.items()
        },
    )


def _places(classes: Classes) -> Iterator[tuple[PlayerId, range]]:
    """Yield each player of a ranking with the places they may hold."""
    above = 0
    for level in classes:
        places = range(above + 1, above + len(level) + 1)
        yield from ((player, places) for player in level)
        above += len(level)


def _cases(standings: Standings, count: int) -> Iterator[tuple[PlayerId, OutcomeVerdict]]:
    """Yield the case of each compared player, of whom the first ``count`` advance."""
    for player, places in _places(tied_classes(standings)):
        if places[-1] <= count:
            yield player, THROUGH
        else:
            yield player, OUT if places[0] > count else LEVEL


class LastMatch:
    """A player's last match, and the assumptions about its score that can decide.

    They are compared with the scores of opponent and rivals.
    """

    def __init__(
        self,
        player: PlayerId,
        remaining: RemainingMatches,
        scores: GroupScoreRanges,
        limits: ScoreLimits,
        first: str,
    ) -> None:
        self.player = player
        self.left = remaining.left
        self.opponent = remaining.next_of[player]
        self.scores = scores
        self.limits = limits
        self.first = first
        self.before = limits.without_one(scores.of[player])
        theirs = limits.without_one(scores.of[self.opponent])
        self.made = subtract_ranges(self.before.made, theirs.made)
        self.difference = subtract_ranges(self.before.difference, theirs.difference)

    def assumptions_for(self, result: str) -> RivalAssumptions:
        """Return known scores and assumptions for a result of the match."""
        top, reach = self.limits.highest, self.limits.reach
        made, margin = {
            "win": ((1, reach), (1, top)),
            "draw": ((0, reach), (0, 0)),
            "loss": ((0, reach), (-top, -1)),
        }[result]
        suppositions = partial(self._suppositions, made, margin)
        return RivalAssumptions(self._scores_with(made, margin), self.opponent, suppositions)

    def _suppositions(self, made: Span, margin: Span, rivals: Rivals) -> Iterator[ScoreAssumption]:
        """Yield the assumptions that can decide, within these ranges of the match's score."""

        def by_margin(span: Span) -> GroupScoreRanges:
            return self._scores_with((max(made[0], span[0]), made[1]), span)

        def by_made(span: Span) -> GroupScoreRanges:
            return self._scores_with(span, (margin[0], min(margin[1], span[1])))

        by_opponent = [self.opponent in one.players for one in rivals]
        by_fixed = [one.any_fixed for one in rivals]
        each = all(map(or_, by_opponent, by_fixed))
        if self.first == DIFFERENCE or (each and any(by_opponent)):
            yield ScoreAssumption(MarginMeasure.MARGIN, self.player, None, margin, by_margin)
        if self.first == MADE and each and any(by_fixed):
            legal = made[0], self.limits.highest + min(margin[1], 0)
            yield ScoreAssumption(MarginMeasure.MADE, self.player, None, legal, by_made)
        for rival in always_tied_rivals(rivals):
            if self.left[rival] == 1 and rival != self.opponent:
                yield self._compared_with_rival(rival, made, margin)

    def _compared_with_rival(self, rival: PlayerId, made: Span, margin: Span) -> ScoreAssumption:
        """Return the assumption that compares the match with a rival's last one."""
        top, theirs = self.limits.highest, self.limits.without_one(self.scores.of[rival])
        so_far = subtract_ranges(self.before.of(self.first), theirs.of(self.first))
        lead = rival, self.first
        if self.first == MADE:

            def by_lead(span: Span) -> GroupScoreRanges:
                return self._scores_with(
                    (max(made[0], span[0]), made[1]), margin, {lead: add_ranges(so_far, span)}
                )

            legal = made[0] - top, top
            return ScoreAssumption(MarginMeasure.LEAD, self.player, rival, legal, by_lead)

        def by_margins(span: Span) -> GroupScoreRanges:
            return self._scores_with(made, margin, {lead: add_ranges(so_far, span)})

        legal = margin[0] - top, margin[1] + top
        return ScoreAssumption(MarginMeasure.MARGIN_LEAD, self.player, rival, legal, by_margins)

    def _scores_with(self, made: Span, margin: Span, known: Gaps = NO_GAPS) -> GroupScoreRanges:
        """Return the scores for these ranges of the match; its margin counts for both players."""
        own = ScoreRanges(
            made=add_ranges(self.before.made, made),
            difference=add_ranges(self.before.difference, margin),
        )
        twice = 2 * margin[0], 2 * margin[1]
        gaps = {
            (self.opponent, MADE): add_ranges(self.made, margin),
            (self.opponent, DIFFERENCE): add_ranges(self.difference, twice),
        }
        return GroupScoreRanges(of={**self.scores.of, self.player: own}, gaps={**gaps, **known})


def ranked_tied_sets(
    players: Sequence[PlayerId],
    remaining: RemainingMatches,
    criteria: Sequence[str],
    points: Points,
    staying: frozenset[PlayerId],
    dropped: Collection[PlayerId] = (),
) -> Iterator[Reached]:
    """Yield the tied sets of each possible outcome of a group, ranking each one separately.

    Each comes with a bitmask of the results that players' next matches may have then: three bits
    per player, for win, draw, loss. ``staying`` are the players not withdrawn.
    """
    seats = {player: seat for seat, player in enumerate(players)}
    for outcomes in remaining.outcomes():
        own, results = 0, list(remaining.settled)
        for pair, outcome in zip(remaining.pairs, outcomes, strict=True):
            own |= pair.next_bits(outcome, seats)
            results += pair.results(outcome)
        for level in group_tied_sets(players, results, criteria, points, staying, dropped):
            yield level, own


def group_tied_sets(
    players: Sequence[PlayerId],
    results: Sequence[Result],
    criteria: Sequence[str],
    points: Points,
    staying: frozenset[PlayerId],
    dropped: Collection[PlayerId] = (),
) -> tuple[TiedPlayers, ...]:
    """Return the sets of tied players of a finished group, best first.

    Players tied with nobody are sets of their own. Only players in ``staying``, who have not
    withdrawn, are included.
    """
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
        found.append(TiedPlayers(tuple(level), above, values[rank]))
        above += len(level)
    return tuple(found)


NOW = "now"


class EnumeratedGroup:
    """A small group, of whose open matches all possible outcomes are enumerated."""

    def __init__(
        self,
        state: StageState,
        name: str,
        remaining: RemainingMatches,
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
        self.dropped = players_who_dropped(state)
        self.limits = ScoreLimits(highest=highest or LARGEST_SCORE, reach=highest or FAR)
        self.scores = GroupScoreRanges(
            of=player_score_ranges(remaining, self.players, self.limits.reach)
        )
        self.fixed = frozenset(
            player for player in self.players if highest or not remaining.left[player]
        )
        self.keys = next_score_criteria(criteria)
        self.across = next_score_criteria([key for key in criteria if key != "head_to_head"])
        self.stands = self._possible_standings(self._levels(criteria, points, leads))

    def _levels(
        self, criteria: Sequence[str], points: Points, leads: AdvancingRanks
    ) -> Iterable[Reached]:
        given = self.players, self.remaining, criteria, points, self.staying
        if QUICK.issuperset(leading_criteria(criteria)):
            return FastEnumeration(*given, leads.ranks(self.name)).levels()
        return ranked_tied_sets(*given, self.dropped)

    def _possible_standings(
        self, reached: Iterable[Reached]
    ) -> dict[PlayerId, list[PossibleStanding]]:
        digits = {player: 3 * seat for seat, player in enumerate(self.players)}
        found: dict[PlayerId, dict[TiedPlayers, int]] = {
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

    def _places(self, level: TiedPlayers, player: PlayerId) -> range:
        """Return the places on which a player of a level may end; one if nothing is open."""
        if self.ended is not None:
            return self.ended[player]
        return possible_places(level, player, self.scores, self.keys)

    def candidates(self, rank: int) -> RankCandidates:
        """Return the possible standings of all players who may end on a rank."""
        found: dict[Values, set[ScoreRanges]] = {}
        for player, stands in self.stands.items():
            for stand in stands:
                if rank in stand.places:
                    found.setdefault(stand.level.values, set()).add(self.scores.of[player])
        return RankCandidates({values: frozenset(scores) for values, scores in found.items()})

    def prospects(
        self, leads: AdvancingRanks, candidates: Mapping[int, Ranks]
    ) -> dict[PlayerId, Prospect]:
        """Return the prospects of the group's players.

        ``candidates`` are those of the ranks whose comparison across groups can be evaluated.
        """
        evaluator = AdvancementEvaluator(self.name, leads, self.keys, self.across, candidates)
        return {player: self._prospect(player, evaluator) for player in self.stands}

    def _prospect(self, player: PlayerId, evaluator: AdvancementEvaluator) -> Prospect:
        by_result = self._cases(player, evaluator)
        found = {
            key: combine_verdicts([case for case, _stand in cases], VerdictDependency.RESULTS)
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
        every = [stand.places for stand in self.stands[player]]
        return range(min(one.start for one in every), max(one.stop for one in every))

    def _deciders(
        self, player: PlayerId, cases: Cases, now: OutcomeVerdict
    ) -> Iterator[DecidingResult]:
        """Yield the single results of others that decide about a player who has played."""
        if now.verdict is not Verdict.OPEN or self.remaining.left[player]:
            return
        for pair in self.remaining.pairs:
            if pair.matches > 1 or not all(pair.is_next):
                continue
            shift = 3 * self.players.index(pair.players[0])
            for bit, result in enumerate(OUTCOMES):
                after = [case for case, stand in cases if stand.nexts >> shift + bit & 1]
                case = combine_verdicts(after, VerdictDependency.RESULTS)
                if case.verdict is not Verdict.OPEN:
                    yield DecidingResult(players=pair.players, result=result, verdict=case.verdict)

    def _cases(self, player: PlayerId, evaluator: AdvancementEvaluator) -> dict[str, Cases]:
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

    def _compared_case(self, player: PlayerId, stand: PossibleStanding) -> OutcomeVerdict | None:
        """Return the case of a player on a rank whose comparison is settled, else None."""
        if len(stand.places) > 1:
            return None
        return self.compared.get(stand.places[0], {}).get(player)

    def _margins(
        self,
        player: PlayerId,
        evaluator: AdvancementEvaluator,
        by_result: Mapping[str, Cases],
        found: Mapping[str, OutcomeVerdict],
    ) -> dict[str, tuple[Margin, ...]]:
        """Return sufficient scores by result, if scores decide and the next match is the last."""
        if self.ended is not None:
            return {}
        left = self.remaining.left[player]
        asked = [
            key
            for key in (OUTCOMES if left else (NOW,))
            if VerdictDependency.SCORES in found[key].on
        ]
        if left > 1 or not self.keys or not asked:
            return {}
        given = self.remaining, self.scores, self.limits, self.keys[0]
        own = LastMatch(player, *given) if left else None
        by_outcome = {
            key: score_margins(
                player,
                own.assumptions_for(key) if own else rival_assumptions(*given),
                evaluator,
                self.fixed,
                by_result[key],
            )
            for key in asked
        }
        return {key: some for key, some in by_outcome.items() if some}


def prospects(
    state: StageState,
    *,
    criteria: Sequence[str],
    points: Points,
    used: frozenset[str],
    most: int = MOST_WAYS,
    highest: int | None = None,
    lots: Lots = (),
    penalties: Penalties | None = None,
) -> Mapping[PlayerId, Prospect]:
    """Return the chances of advancing of all players of a stage who have not left.

    ``used`` are the names of the places that later stages seat. Groups with more than ``most``
    outcomes are evaluated by points only, and so are multiplayer tables; in a bracket nothing is
    known. ``highest`` is the maximum score of a match, None if unlimited. A group without open
    matches is decided by its standings; ``lots`` are all random draws of the event, as for
    :func:`rules.advancement.outcome.stage_outcome`, and ``penalties`` those given so far.
    """
    if not stage_kind(state.plan).has_table:
        return _unknown_prospects(frozenset(state.players) - state.withdrawn)
    if has_multiplayer_tables(state.plan):
        return table_prospects(state, criteria=criteria, used=used, lots=lots, penalties=penalties)
    leads = advancing_ranks(state, used)
    most = _most_outcomes(criteria, most)
    found: dict[PlayerId, Prospect] = {}
    bounded: list[GroupPointsBounds] = []
    small: list[EnumeratedGroup] = []
    remaining = remaining_matches(state)
    settled = settled_standings(
        state,
        remaining,
        leads,
        criteria=criteria,
        points=points,
        lots=lots,
        penalties=penalties or {},
    )
    for name, left in remaining.items():
        players = state.seated(name)
        staying = frozenset(players) - state.withdrawn
        if _is_small(left, most):
            ending = EnumeratedGroup(state, name, left, criteria, points, highest, leads, settled)
            small.append(ending)
        elif criteria[0] == "points":
            bounded.append(GroupPointsBounds(name, players, staying, left, points, leads))
        else:
            found |= _unknown_prospects(staying)
    by_name = {group.name: group for group in small}
    candidates = {
        rank: {name: by_name[name].candidates(rank) for name in names}
        for rank, (names, _count) in leads.compared.items()
        if by_name.keys() >= set(names) and rank not in leads.uneven
    }
    for group in small:
        found |= group.prospects(leads, candidates)
    return Prospects(found, bounded)


def is_enumerated(state: StageState, *, criteria: Sequence[str], most: int) -> bool:
    """Return whether ``prospects`` enumerates all outcomes of some group, which may be slow.

    It does up to ``most`` outcomes.
    """
    return not has_multiplayer_tables(state.plan) and any(
        _is_small(left, _most_outcomes(criteria, most))
        for left in remaining_matches(state).values()
    )


def _most_outcomes(criteria: Sequence[str], most: int) -> int:
    return most if QUICK.issuperset(leading_criteria(criteria)) else min(most, MOST_RANKED)


def _is_small(left: RemainingMatches, most: int) -> bool:
    return left.number_of_outcomes <= most and not left.rounds


def _unknown_prospects(players: Iterable[PlayerId]) -> dict[PlayerId, Prospect]:
    return {
        player: Prospect(player=player, verdict=Verdict.OPEN, exact=False) for player in players
    }
