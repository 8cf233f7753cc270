"""Why players rank as they do: the criteria applied to each set of level players, and in words.

They are read from the splits that produced the standings, so that explanation and ranking cannot
differ.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from rules.criteria import Criterion
from rules.criteria.base import Number
from rules.results import PlayerId
from rules.standings.table import CriterionStep, RankProof, Standing, Standings
from rules.ties.decisions import LOTS, tiebreaker_by_key
from rules.wording import Sentence

CriterionNamed = Callable[[str], Criterion]
"""Finds the criterion that a key stands for in standings of one sort: of events, of series."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TiebreakerTrace:
    """A tiebreaker applied to tied players (``level``), for display.

    ``values`` is the value of each, empty for a random draw that is still to be made; ``order`` the
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
    """Players tied under the first tiebreaker, their values, and the steps that followed."""

    criterion: str
    values: tuple[Number, ...]
    players: tuple[PlayerId, ...]
    steps: tuple[TiebreakerTrace, ...]


def trace_standings(standings: Standings) -> tuple[TiedSet, ...]:
    """Return the sets that the first tiebreaker leaves tied, best first, each with its steps."""
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


def _traced_step(step: CriterionStep) -> TiebreakerTrace:
    separates = len(step.split.classes) > 1
    unknown = step.criterion == LOTS and not separates
    return TiebreakerTrace(
        criterion=step.criterion,
        level=step.level,
        values={} if unknown else {one: step.split.figures[one] for one in step.level},
        order=step.split.classes,
    )


def explain_rank(
    standing: Standing,
    names: Mapping[PlayerId, str],
    named: CriterionNamed = tiebreaker_by_key,
) -> Sentence | None:
    """Return the message that explains the rank of a row; None for the first row.

    It names the tiebreaker that separated the player from the previous one and the values of all
    players tied at that point, best first. ``names`` are those of players; ``named`` finds a
    tiebreaker of these standings by key.
    """
    proof = standing.proof
    if proof is None:
        return None
    criterion = named(proof.criterion)
    best_first = sorted(
        proof.level, key=partial(_values_of, proof), reverse=not criterion.lowest_first
    )
    return Sentence(
        "Behind the player above on %(criterion)s: %(figures)s.",
        {
            "criterion": criterion.label,
            "figures": tuple(_values_in_words(proof, player, names) for player in best_first),
        },
    )


def _values_of(proof: RankProof, player: PlayerId) -> tuple[Fraction, ...]:
    return proof.figures.get(player) or (proof.values[player],)


def _values_in_words(proof: RankProof, player: PlayerId, names: Mapping[PlayerId, str]) -> str:
    numbers = " / ".join(str(number) for number in _values_of(proof, player))
    return f"{names[player]} {numbers}"
