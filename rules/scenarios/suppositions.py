"""Assumptions about the score of a rival's last match."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from rules.results import PlayerId
from rules.scenarios.remaining import Remaining
from rules.scenarios.score_spans import MADE, ScoreRanges, Scores, Span, plus
from rules.scenarios.verdicts import Measure


class Supposition(NamedTuple):
    """An assumption with a numeric range, and the scores of the group under it.

    ``helps``: higher numbers are better for the player; otherwise they are worse.
    """

    measure: Measure
    of: PlayerId
    than: PlayerId | None
    legal: Span
    scores: Callable[[Span], Scores]
    helps: bool = True


class LevelWith(NamedTuple):
    """The players level with the player in an outcome, and whether one of their scores is fixed.

    They may belong to other groups if a rank is compared across groups.
    """

    players: tuple[PlayerId, ...]
    any_fixed: bool


Rivals = Sequence[LevelWith]
"""The rivals in each outcome that scores decide."""


class Assumptions(NamedTuple):
    """The known scores, and the assumptions that can be made about rivals.

    ``opponent`` is that of the player's own match; what is known of it applies to both.
    """

    scores: Scores
    opponent: PlayerId | None
    suppositions: Callable[[Rivals], Iterator[Supposition]]


class Limits(NamedTuple):
    """The highest score of the match under assumption, and of any other."""

    highest: int
    reach: int

    def without_one(self, score: ScoreRanges) -> ScoreRanges:
        """Return a score range without one open match."""
        (low, high), (least, most) = score.made, score.difference
        return ScoreRanges(
            made=(low, high - self.reach), difference=(least + self.reach, most - self.reach)
        )


def of_rivals(remaining: Remaining, scores: Scores, limits: Limits, first: str) -> Assumptions:
    """Return the assumptions about rivals' last matches, for a player without a match to come."""

    def suppositions(rivals: Rivals) -> Iterator[Supposition]:
        for rival in always_level(rivals):
            if remaining.left[rival] == 1:
                yield _about_rival(rival, scores, limits, first)

    return Assumptions(scores, None, suppositions)


def always_level(rivals: Rivals) -> list[PlayerId]:
    """Return the players level with the player in every outcome that scores decide."""
    first, *others = (one.players for one in rivals)
    return [player for player in first if all(player in one for one in others)]


def _about_rival(rival: PlayerId, scores: Scores, limits: Limits, first: str) -> Supposition:
    """Return the assumption about a rival's last match."""
    top, before, whole = limits.highest, limits.without_one(scores.of[rival]), scores.of[rival]

    def by_made(span: Span) -> Scores:
        score = ScoreRanges(made=plus(before.made, span), difference=whole.difference)
        return Scores(of={**scores.of, rival: score})

    def by_margin(span: Span) -> Scores:
        score = ScoreRanges(made=whole.made, difference=plus(before.difference, span))
        return Scores(of={**scores.of, rival: score})

    if first == MADE:
        return Supposition(Measure.MADE, rival, None, (0, top), by_made, helps=False)
    return Supposition(Measure.MARGIN, rival, None, (-top, top), by_margin, helps=False)
