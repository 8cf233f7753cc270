"""The criteria applied to each set of level players, and where they separated them.

Read from the splits that produced the standings, so that explanation and ranking cannot differ.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from rules.criteria.base import Number
from rules.results import PlayerId
from rules.standings.ordering import CriterionStep, Proof
from rules.standings.table import Standing, Standings
from rules.ties.decisions import LOTS
from rules.ties.extra_matches import criterion_named
from rules.wording import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedStep:
    """A criterion applied to level players.

    ``values`` is the value of each, empty for lots that have not been drawn; ``order`` the
    resulting classes, best first: one class if nobody is separated.
    """

    criterion: str
    level: tuple[PlayerId, ...]
    values: Mapping[PlayerId, tuple[Number, ...]]
    order: tuple[tuple[PlayerId, ...], ...]

    @property
    def separates(self) -> bool:
        """Return whether it separated any players."""
        return len(self.order) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TiedSet:
    """Players level under the first criterion, their values, and the steps that followed."""

    criterion: str
    values: tuple[Number, ...]
    players: tuple[PlayerId, ...]
    steps: tuple[TracedStep, ...]


def trace(standings: Standings) -> tuple[TiedSet, ...]:
    """Return the sets that the first criterion leaves level, best first, each with its steps."""
    if not standings.steps:
        return ()
    first, *rest = standings.steps
    class_of = {one: at for at, level in enumerate(first.split.classes) for one in level}
    asked: dict[int, list[CriterionStep]] = defaultdict(list)
    for step in rest:
        asked[class_of[step.level[0]]].append(step)
    return tuple(
        TiedSet(
            criterion=first.criterion,
            values=first.split.figures.get(players[0], ()),
            players=players,
            steps=tuple(map(_traced_step, asked[at])),
        )
        for at, players in enumerate(first.split.classes)
        if len(players) > 1
    )


def _traced_step(step: CriterionStep) -> TracedStep:
    separates = len(step.split.classes) > 1
    unknown = step.criterion == LOTS and not separates
    return TracedStep(
        criterion=step.criterion,
        level=step.level,
        values={} if unknown else {one: step.split.figures[one] for one in step.level},
        order=step.split.classes,
    )


def why(standing: Standing, names: Mapping[PlayerId, str]) -> Sentence | None:
    """Return the sentence that explains a row's rank; None for the first row.

    It names the criterion that separated the player from the previous one and the values of all
    players level at that point, best first.
    """
    proof = standing.proof
    if proof is None:
        return None
    criterion = criterion_named(proof.criterion)
    best_first = sorted(
        proof.level, key=partial(_values_of, proof), reverse=not criterion.lowest_first
    )
    return Sentence(
        "Behind the one before by %(criterion)s: %(figures)s.",
        {
            "criterion": criterion.label,
            "figures": tuple(_values_in_words(proof, player, names) for player in best_first),
        },
    )


def _values_of(proof: Proof, player: PlayerId) -> tuple[Fraction, ...]:
    return proof.figures.get(player) or (proof.values[player],)


def _values_in_words(proof: Proof, player: PlayerId, names: Mapping[PlayerId, str]) -> Sentence:
    numbers = " / ".join(str(number) for number in _values_of(proof, player))
    return Sentence("%(name)s %(numbers)s", {"name": names[player], "numbers": numbers})
