"""Evaluation of an outcome for a player: what scores decide, and ranks compared across groups.

A ``TiedPlayers`` is a class of players that results alone do not separate; a ``ScoreAssumption`` is
about the score of a rival's last match.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import takewhile
from typing import NamedTuple

from rules.results import PlayerId
from rules.scenarios.remaining import RemainingMatches
from rules.scenarios.verdicts import AdvancingRanks, MarginMeasure, Verdict, VerdictDependency

BY_RESULTS = frozenset(
    {
        *("points", "opponents_points", "head_to_head", "wins", "opponents_match_win"),
        *("buchholz_cut1", "buchholz_median", "sonneborn_berger"),
    }
)
"""Criteria that depend only on who won each match."""

QUICK = frozenset({"points", "opponents_points", "head_to_head"})
"""Those among them computed without ranking: sums and mini-tables."""

Values = tuple[int | Fraction, ...]


class TiedPlayers(NamedTuple):
    """Players whom results alone leave tied, without withdrawn ones.

    ``above`` is the number of players ranked higher, ``values`` are those of the tiebreakers that
    results decide.
    """

    players: tuple[PlayerId, ...]
    above: int
    values: Values


Reached = tuple[TiedPlayers, int]
"""A possible level, and the bitmask of next results that may lead to it.

Three bits per seat: whether the player's next match may be won, drawn, lost.
"""


class PossibleStanding(NamedTuple):
    """A possible final standing of a player.

    ``level`` is the set of tied players that the player is in, ``places`` are those the player may
    end on. ``own`` are the results of the player's next match with which this is possible, as bits
    (win, draw, loss); ``nexts`` those of all players' next matches, three bits each.
    """

    level: TiedPlayers
    own: int
    places: range
    nexts: int


def leading_criteria(criteria: Sequence[str]) -> tuple[str, ...]:
    """Return the tiebreakers before the first one that depends on more than who won."""
    return tuple(takewhile(BY_RESULTS.__contains__, criteria))


MADE, DIFFERENCE = "score_for", "score_difference"
SCORES = (MADE, DIFFERENCE)

FAR = 1_000_000
"""Exceeds any real score: the maximum of a match without a score limit."""

Span = tuple[int, int]
"""Minimum and maximum of a number."""
Gaps = Mapping[tuple[PlayerId, str], Span]
"""Range of a player's lead over another by a criterion."""
NO_GAPS: Gaps = {}


class ScoreRanges(NamedTuple):
    """The ranges of a player's final score (``made``) and score difference.

    Each is (lowest, highest).
    """

    made: Span
    difference: Span

    def of(self, key: str) -> Span:
        """Return the range under a criterion."""
        return self.made if key == MADE else self.difference


class GroupScoreRanges(NamedTuple):
    """The score ranges of a group's players, by player.

    ``gaps`` are leads over another player that are known more precisely, by (other player,
    tiebreaker).
    """

    of: Mapping[PlayerId, ScoreRanges]
    gaps: Gaps = NO_GAPS

    def before(self, player: PlayerId, other: PlayerId, keys: Sequence[str]) -> list[Span]:
        """Return the range of the player's lead over another, by each criterion."""
        own, theirs, gaps = self.of[player], self.of[other], self.gaps
        return [
            gaps.get((other, key)) or subtract_ranges(own.of(key), theirs.of(key)) for key in keys
        ]

    def order(self, player: PlayerId, other: PlayerId, keys: Sequence[str]) -> int:
        """Return 1 if the player is certainly ahead of another, -1 if behind, else 0."""
        own, theirs, gaps = self.of[player], self.of[other], self.gaps
        ahead = behind = True
        for key in keys:
            low, high = gaps.get((other, key)) or subtract_ranges(own.of(key), theirs.of(key))
            if ahead and low > 0:
                return 1
            if behind and high < 0:
                return -1
            ahead, behind = ahead and low == 0, behind and high == 0
            if not ahead and not behind:
                break
        return 0


def next_score_criteria(criteria: Sequence[str]) -> tuple[str, ...]:
    """Return the score-based tiebreakers that directly follow the leading ones, in order."""
    return tuple(takewhile(SCORES.__contains__, criteria[len(leading_criteria(criteria)) :]))


def player_score_ranges(
    remaining: RemainingMatches, players: Sequence[PlayerId], reach: int
) -> dict[PlayerId, ScoreRanges]:
    """Return each player's range of scores at the end.

    Settled matches count as they ended, each open one may add up to ``reach``.
    """
    made = dict.fromkeys(players, 0)
    conceded = dict.fromkeys(players, 0)
    for result in remaining.settled:
        score = result.score
        if score is not None and len(result.seats) == 2 and result.counts:
            for player, own, theirs in zip(result.seats, score, reversed(score), strict=True):
                made[player] += own
                conceded[player] += theirs
    found = {}
    for player in players:
        most = remaining.left[player] * reach
        own, difference = made[player], made[player] - conceded[player]
        found[player] = ScoreRanges(
            made=(own, own + most), difference=(difference - most, difference + most)
        )
    return found


def is_certainly_ahead(one: ScoreRanges, other: ScoreRanges, keys: Sequence[str]) -> bool:
    """Return whether one player is ahead of another by scores, however open matches end.

    ``keys`` are score-based tiebreakers.
    """
    for key in keys:
        low = one.of(key)[0] - other.of(key)[1]
        if low:
            return low > 0
    return False


def subtract_ranges(one: Span, other: Span) -> Span:
    """Return the range of a difference of two ranges."""
    return one[0] - other[1], one[1] - other[0]


def add_ranges(one: Span, other: Span) -> Span:
    """Return the range of a sum of two ranges."""
    return one[0] + other[0], one[1] + other[1]


def possible_places(
    level: TiedPlayers, player: PlayerId, scores: GroupScoreRanges, keys: Sequence[str]
) -> range:
    """Return the places, from 1, on which a player of a tied set (``level``) may end.

    ``scores`` are the group's score ranges, ``keys`` score-based tiebreakers.
    """
    if len(level.players) == 1:
        return range(level.above + 1, level.above + 2)
    orders = [scores.order(player, other, keys) for other in level.players if other != player]
    ahead, behind = orders.count(-1), orders.count(1)
    return range(level.above + 1 + ahead, level.above + len(level.players) - behind + 1)


class ScoreAssumption(NamedTuple):
    """An assumption about a score: that of player ``of``, or its lead over that of ``than``.

    ``legal`` is its range; ``scores`` returns the group's score ranges if it is within a given
    range. ``helps``: higher numbers are better for the player evaluated; otherwise they are worse.
    """

    measure: MarginMeasure
    of: PlayerId
    than: PlayerId | None
    legal: Span
    scores: Callable[[Span], GroupScoreRanges]
    helps: bool = True


class TiedRivals(NamedTuple):
    """The players tied with a player in an outcome, and whether one of their scores is fixed.

    They may belong to other groups if a rank is compared across groups.
    """

    players: tuple[PlayerId, ...]
    any_fixed: bool


Rivals = Sequence[TiedRivals]
"""The rivals in each outcome that scores decide."""


class RivalAssumptions(NamedTuple):
    """The known score ranges, and the assumptions that can be made about rivals' scores.

    ``opponent`` is that of the player's own match, if the assumptions are about it.
    ``suppositions`` yields them for the rivals in each outcome.
    """

    scores: GroupScoreRanges
    opponent: PlayerId | None
    suppositions: Callable[[Rivals], Iterator[ScoreAssumption]]


class ScoreLimits(NamedTuple):
    """The highest score of the match assumed about (``highest``), and of any other (``reach``)."""

    highest: int
    reach: int

    def without_one(self, score: ScoreRanges) -> ScoreRanges:
        (low, high), (least, most) = score.made, score.difference
        return ScoreRanges(
            made=(low, high - self.reach), difference=(least + self.reach, most - self.reach)
        )


def rival_assumptions(
    remaining: RemainingMatches, scores: GroupScoreRanges, limits: ScoreLimits, first: str
) -> RivalAssumptions:
    """Return the assumptions about rivals' last matches, for a player who has none to come.

    ``first`` is the first score-based tiebreaker.
    """

    def suppositions(rivals: Rivals) -> Iterator[ScoreAssumption]:
        for rival in always_tied_rivals(rivals):
            if remaining.left[rival] == 1:
                yield _about_rival(rival, scores, limits, first)

    return RivalAssumptions(scores, None, suppositions)


def always_tied_rivals(rivals: Rivals) -> list[PlayerId]:
    """Return the rivals tied with the player in all outcomes."""
    first, *others = (one.players for one in rivals)
    return [player for player in first if all(player in one for one in others)]


def _about_rival(
    rival: PlayerId, scores: GroupScoreRanges, limits: ScoreLimits, first: str
) -> ScoreAssumption:
    """Return the assumption about a rival's last match."""
    top, before, whole = limits.highest, limits.without_one(scores.of[rival]), scores.of[rival]

    def by_made(span: Span) -> GroupScoreRanges:
        score = ScoreRanges(made=add_ranges(before.made, span), difference=whole.difference)
        return GroupScoreRanges(of={**scores.of, rival: score})

    def by_margin(span: Span) -> GroupScoreRanges:
        score = ScoreRanges(made=whole.made, difference=add_ranges(before.difference, span))
        return GroupScoreRanges(of={**scores.of, rival: score})

    if first == MADE:
        return ScoreAssumption(MarginMeasure.MADE, rival, None, (0, top), by_made, helps=False)
    return ScoreAssumption(MarginMeasure.MARGIN, rival, None, (-top, top), by_margin, helps=False)


class OutcomeVerdict(NamedTuple):
    """The verdict on a player in one or several outcomes, and what it depends on (``on``)."""

    verdict: Verdict
    on: frozenset[VerdictDependency] = frozenset()


THROUGH, OUT = OutcomeVerdict(Verdict.THROUGH), OutcomeVerdict(Verdict.OUT)
UNKNOWN = OutcomeVerdict(Verdict.OPEN, frozenset(VerdictDependency))


def combine_verdicts(cases: Sequence[OutcomeVerdict], between: VerdictDependency) -> OutcomeVerdict:
    """Return the verdict common to all cases; if they differ, open and dependent on ``between``."""
    verdicts = {case.verdict for case in cases}
    if verdicts == {Verdict.THROUGH}:
        return THROUGH
    if verdicts == {Verdict.OUT}:
        return OUT
    on = frozenset().union(*(case.on for case in cases))
    return OutcomeVerdict(Verdict.OPEN, on | {between} if len(verdicts) > 1 else on)


class RankCandidates:
    """The possible scores of the players who may end on one rank of a group.

    ``scores`` maps the values of the tiebreakers that results alone decide, such as points, to
    score ranges.
    """

    def __init__(self, scores: Mapping[Values, frozenset[ScoreRanges]]) -> None:
        self.scores = scores
        self.best, self.worst = max(scores, default=()), min(scores, default=())

    def all_ahead(self, values: Values, score: ScoreRanges, keys: Sequence[str]) -> bool:
        """Return whether all of them certainly rank before a player of another group."""
        if self.worst != values:
            return self.worst > values
        return all(is_certainly_ahead(other, score, keys) for other in self.scores[values])

    def all_behind(self, values: Values, score: ScoreRanges, keys: Sequence[str]) -> bool:
        """Return whether all of them certainly rank behind a player of another group."""
        if self.best != values:
            return self.best < values
        return all(is_certainly_ahead(score, other, keys) for other in self.scores[values])

    def what_decides(self, values: Values) -> Iterator[VerdictDependency]:
        """Yield what still decides the order with a player of these values: results, scores."""
        if len(self.scores) > 1:
            yield VerdictDependency.RESULTS
        if values in self.scores:
            yield VerdictDependency.SCORES


_MOST, _LEAST = (9 * FAR, 9 * FAR), (-9 * FAR, -9 * FAR)
BEST, WORST = ScoreRanges(_MOST, _MOST), ScoreRanges(_LEAST, _LEAST)
"""Scores better and worse than any possible one."""

Ranks = Mapping[str, RankCandidates]
"""Candidates of a rank, by group."""


class AdvancementEvaluator:
    """Decides who advances from a group by scores, where results alone leave it open.

    ``leads`` are the ranks that advance. ``keys`` are the score-based tiebreakers within the group,
    ``across`` those between groups. ``candidates`` are those of the compared ranks that can be
    evaluated, by rank and group.
    """

    def __init__(
        self,
        name: str,
        leads: AdvancingRanks,
        keys: Sequence[str],
        across: Sequence[str],
        candidates: Mapping[int, Ranks],
    ) -> None:
        self.name = name
        self.sure = leads.sure[name]
        self.compared = {
            rank: count for rank, (names, count) in leads.compared.items() if name in names
        }
        self.keys = keys
        self.across = across
        self.candidates = candidates
        self.known: dict[tuple[int, Values, ScoreRanges], OutcomeVerdict] = {}

    def case(
        self, level: TiedPlayers, player: PlayerId, scores: GroupScoreRanges
    ) -> OutcomeVerdict:
        return self.case_over(
            possible_places(level, player, scores, self.keys), level, scores.of[player]
        )

    def is_sure(
        self, verdict: Verdict, level: TiedPlayers, player: PlayerId, scores: GroupScoreRanges
    ) -> bool:
        """Return whether an outcome gives a player this verdict on every place they may end on."""
        places = possible_places(level, player, scores, self.keys)
        worst_first = places if verdict is Verdict.OUT else reversed(places)
        score = scores.of[player]
        return all(
            self._case_at(place, level.values, score).verdict is verdict for place in worst_first
        )

    def gaps(
        self, level: TiedPlayers, player: PlayerId, scores: GroupScoreRanges
    ) -> Iterator[Span]:
        """Yield the player's possible leads over each rival, score by score, as ranges."""
        for other in level.players:
            if other != player:
                yield from scores.before(player, other, self.keys)
        if not self.meets(level):
            return
        own = scores.of[player]
        for rank in self.compared.keys() & self.candidates.keys():
            for theirs in self.candidates[rank].values():
                for score in theirs.scores.get(level.values, ()):
                    yield from (subtract_ranges(own.of(key), score.of(key)) for key in self.across)

    def may_be(self, verdict: Verdict, stand: PossibleStanding) -> bool:
        """Return whether the best possible score makes this verdict true; for OUT, the worst."""
        out = verdict is Verdict.OUT
        place, score = (stand.places[-1], WORST) if out else (stand.places[0], BEST)
        return self._case_at(place, stand.level.values, score).verdict is verdict

    def meets(self, level: TiedPlayers) -> bool:
        """Return whether scores may decide between a level and players of other groups."""
        places = range(level.above + 1, level.above + len(level.players) + 1)
        return any(
            self._case_at(place, level.values, BEST) != self._case_at(place, level.values, WORST)
            for place in places
            if place in self.compared
        )

    def case_over(self, places: range, level: TiedPlayers, score: ScoreRanges) -> OutcomeVerdict:
        if len(places) == 1:
            return self._case_at(places[0], level.values, score)
        return combine_verdicts(
            [self._case_at(place, level.values, score) for place in places],
            VerdictDependency.SCORES,
        )

    def _case_at(self, place: int, values: Values, score: ScoreRanges) -> OutcomeVerdict:
        if place in self.sure:
            return THROUGH
        if place not in self.compared:
            return OUT
        if place not in self.candidates:
            return UNKNOWN
        key = place, values, score
        if key not in self.known:
            self.known[key] = self._compare_with(self.candidates[place], self.compared[place], key)
        return self.known[key]

    def _compare_with(
        self, others: Ranks, count: int, own: tuple[int, Values, ScoreRanges]
    ) -> OutcomeVerdict:
        """Return the case on a rank compared across groups, of which the best ``count`` advance."""
        _place, values, score = own
        surely = 0
        undecided = []
        for name, theirs in others.items():
            if name == self.name or not theirs.scores:
                continue
            if theirs.all_ahead(values, score, self.across):
                surely += 1
            elif not theirs.all_behind(values, score, self.across):
                undecided.append(theirs)
        if surely + len(undecided) < count:
            return THROUGH
        if surely >= count:
            return OUT
        on = frozenset(on for theirs in undecided for on in theirs.what_decides(values))
        return OutcomeVerdict(Verdict.OPEN, on)
