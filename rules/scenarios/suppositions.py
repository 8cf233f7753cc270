"""The scores of a group with something supposed of the score of a rival's last match."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from rules.results import PlayerId
from rules.scenarios.remaining import Remaining
from rules.scenarios.score_spans import MADE, Score, Scores, Span, plus
from rules.scenarios.verdicts import Measure


class Supposition(NamedTuple):
    """Something that may be supposed: between which numbers it lies, and the scores with it.

    ``helps`` says whether more of it is better for the player; else it is worse.
    """

    measure: Measure
    of: PlayerId
    than: PlayerId | None
    legal: Span
    scores: Callable[[Span], Scores]
    helps: bool = True


class LevelWith(NamedTuple):
    """Who is level with the player in an end, and whether the score of any of them is fixed.

    That may also be somebody of another group, where a rank is compared.
    """

    players: tuple[PlayerId, ...]
    any_fixed: bool


Rivals = Sequence[LevelWith]
"""The rivals in each of the ends that scores decide."""


class Asked(NamedTuple):
    """The scores as far as they are known, and what beside can decide against some rivals.

    The ``opponent`` is that of the player's own match; what is known of it counts for both.
    """

    scores: Scores
    opponent: PlayerId | None
    suppositions: Callable[[Rivals], Iterator[Supposition]]


class Limits(NamedTuple):
    """The highest score that a match may have of which something is supposed, and any other."""

    highest: int
    reach: int

    def without_one(self, score: Score) -> Score:
        """Return a score without one of the matches to come."""
        (low, high), (least, most) = score.made, score.difference
        return Score(
            made=(low, high - self.reach), difference=(least + self.reach, most - self.reach)
        )


def of_rivals(remaining: Remaining, scores: Scores, limits: Limits, first: str) -> Asked:
    """Return what may be supposed of the last matches of rivals, the player having none."""

    def suppositions(rivals: Rivals) -> Iterator[Supposition]:
        for rival in always(rivals):
            if remaining.left[rival] == 1:
                yield _alone(rival, scores, limits, first)

    return Asked(scores, None, suppositions)


def always(rivals: Rivals) -> list[PlayerId]:
    """Return who is level with the player wherever scores decide."""
    first, *others = (one.players for one in rivals)
    return [player for player in first if all(player in one for one in others)]


def _alone(rival: PlayerId, scores: Scores, limits: Limits, first: str) -> Supposition:
    """Return what a rival's last match brings them."""
    top, before, whole = limits.highest, limits.without_one(scores.of[rival]), scores.of[rival]

    def by_made(span: Span) -> Scores:
        score = Score(made=plus(before.made, span), difference=whole.difference)
        return Scores(of={**scores.of, rival: score})

    def by_margin(span: Span) -> Scores:
        score = Score(made=whole.made, difference=plus(before.difference, span))
        return Scores(of={**scores.of, rival: score})

    if first == MADE:
        return Supposition(Measure.MADE, rival, None, (0, top), by_made, helps=False)
    return Supposition(Measure.MARGIN, rival, None, (-top, top), by_margin, helps=False)
