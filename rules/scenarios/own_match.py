"""Assumptions about the score of a player's own last match, consistent with its result."""

from collections.abc import Iterator
from functools import partial
from operator import or_

from rules.results import PlayerId
from rules.scenarios.remaining import Remaining
from rules.scenarios.score_spans import (
    DIFFERENCE,
    MADE,
    NO_GAPS,
    Gaps,
    ScoreRanges,
    Scores,
    Span,
    minus,
    plus,
)
from rules.scenarios.suppositions import Assumptions, Limits, Rivals, Supposition, always_level
from rules.scenarios.verdicts import Measure


class OwnMatch:
    """A player's last match, the assumptions about its score, and the rivals it affects."""

    def __init__(
        self, player: PlayerId, remaining: Remaining, scores: Scores, limits: Limits, first: str
    ) -> None:
        self.player = player
        self.left = remaining.left
        self.opponent = remaining.next_of[player]
        self.scores = scores
        self.limits = limits
        self.first = first
        self.before = limits.without_one(scores.of[player])
        theirs = limits.without_one(scores.of[self.opponent])
        self.made = minus(self.before.made, theirs.made)
        self.difference = minus(self.before.difference, theirs.difference)

    def assumptions_for(self, result: str) -> Assumptions:
        """Return known scores and assumptions for a result of the match."""
        top, reach = self.limits.highest, self.limits.reach
        made, margin = {
            "win": ((1, reach), (1, top)),
            "draw": ((0, reach), (0, 0)),
            "loss": ((0, reach), (-top, -1)),
        }[result]
        suppositions = partial(self._suppositions, made, margin)
        return Assumptions(self._scores_with(made, margin), self.opponent, suppositions)

    def _suppositions(self, made: Span, margin: Span, rivals: Rivals) -> Iterator[Supposition]:
        """Yield the assumptions that can decide, within these ranges of the match's score."""

        def by_margin(span: Span) -> Scores:
            return self._scores_with((max(made[0], span[0]), made[1]), span)

        def by_made(span: Span) -> Scores:
            return self._scores_with(span, (margin[0], min(margin[1], span[1])))

        by_opponent = [self.opponent in one.players for one in rivals]
        by_fixed = [one.any_fixed for one in rivals]
        each = all(map(or_, by_opponent, by_fixed))
        if self.first == DIFFERENCE or (each and any(by_opponent)):
            yield Supposition(Measure.MARGIN, self.player, None, margin, by_margin)
        if self.first == MADE and each and any(by_fixed):
            legal = made[0], self.limits.highest + min(margin[1], 0)
            yield Supposition(Measure.MADE, self.player, None, legal, by_made)
        for rival in always_level(rivals):
            if self.left[rival] == 1 and rival != self.opponent:
                yield self._compared_with_rival(rival, made, margin)

    def _compared_with_rival(self, rival: PlayerId, made: Span, margin: Span) -> Supposition:
        """Return the assumption that compares the match with a rival's last one."""
        top, theirs = self.limits.highest, self.limits.without_one(self.scores.of[rival])
        so_far = minus(self.before.of(self.first), theirs.of(self.first))
        lead = rival, self.first
        if self.first == MADE:

            def by_lead(span: Span) -> Scores:
                return self._scores_with(
                    (max(made[0], span[0]), made[1]), margin, {lead: plus(so_far, span)}
                )

            legal = made[0] - top, top
            return Supposition(Measure.LEAD, self.player, rival, legal, by_lead)

        def by_margins(span: Span) -> Scores:
            return self._scores_with(made, margin, {lead: plus(so_far, span)})

        legal = margin[0] - top, margin[1] + top
        return Supposition(Measure.MARGIN_LEAD, self.player, rival, legal, by_margins)

    def _scores_with(self, made: Span, margin: Span, known: Gaps = NO_GAPS) -> Scores:
        """Return the scores for these ranges of the match; its margin counts for both players."""
        own = ScoreRanges(
            made=plus(self.before.made, made), difference=plus(self.before.difference, margin)
        )
        twice = 2 * margin[0], 2 * margin[1]
        gaps = {
            (self.opponent, MADE): plus(self.made, margin),
            (self.opponent, DIFFERENCE): plus(self.difference, twice),
        }
        return Scores(of={**self.scores.of, self.player: own}, gaps={**gaps, **known})
