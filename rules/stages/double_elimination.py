"""Double elimination: a player who loses twice is out.

Source: tournament rules, Other formulas to ship; bracket and crossings:
``rules.brackets``.
"""

from collections.abc import Iterator
from functools import lru_cache

from rules.brackets import BracketMatch, BracketPart, double_elimination_bracket
from rules.plans import StagePlan
from rules.stages.base import (
    APART,
    SECOND_FINAL,
    STAGE_KINDS,
    ConfiguredStage,
    Matches,
    Pairing,
    StageKind,
    StageState,
    bracket_matches,
    require_results,
)
from rules.stages.knockout import (
    Progress,
    bracket_pairing,
    bracket_progress,
    games_label,
    match_sides,
    possible_matches,
)
from rules.wording import Sentence
from rules.wording import gettext_noop as _

BEST_OF = {BracketPart.FINAL: 0, BracketPart.AGAIN: 0, BracketPart.UPPER: 2, BracketPart.LOWER: 3}
"""Index into ``best_of`` by part; the finals of both brackets use the second."""


MOST = 128
"""Maximum number of players in custom formulas, which check every number of players."""
BOTH = "%(upper)s · %(lower)s"
GAME_PARTS = (
    Sentence("Grand final"),
    Sentence("Finals of the two brackets"),
    Sentence("Upper bracket"),
    Sentence("Lower bracket"),
)


class DoubleElimination(StageKind):
    """The kind of stage with an upper and a lower bracket and a grand final; one group."""

    key = "double_elimination"
    label = Sentence("Double elimination")
    settings = (SECOND_FINAL, APART)
    most = MOST
    has_bracket = True
    two_brackets = True
    games_asked = len(GAME_PARTS)

    def next_round(self, state: StageState) -> tuple[Pairing, ...]:
        """Return the next matches between two players, () when there are none.

        Players without an opponent advance without a match, and rounds without matches are
        skipped; byes are included in the first round only. Raises RuleError ``results_missing``.
        """
        require_results(state)
        progress, shape = bracket_progress(state), bracket_matches(state.plan)
        open_ = [m.round for m in shape if not progress[m.number].decided]
        number = min(open_, default=0)
        pairings = (_pairing(state, m, progress) for m in shape if m.round == number)
        return tuple(pairing for pairing in pairings if pairing is not None)

    def total_rounds(self, state: StageState) -> int:
        """Return the number of rounds made and to come, a possible second final included."""
        return len(state.rounds) + len({match.round for match in possible_matches(state)})

    def describe_round(self, state: StageState, number: int) -> Sentence:
        """Return a round's label: the rounds of the brackets that are played in it."""
        named: dict[BracketPart | None, BracketMatch] = {}
        for match in _matches_of_round(state, number):
            named.setdefault(match.part, match)
        labels = [round_label(state.plan, match) for match in named.values()]
        if len(labels) == 2:
            return Sentence(BOTH, {"upper": labels[0], "lower": labels[1]})
        return labels[0] if labels else Sentence("Round %(number)s", {"number": number})

    def matches(self, plan: StagePlan) -> Matches:
        """Return the matches of both brackets and of the grand final."""
        return double_elimination_bracket(len(plan.groups[0].seats), plan.second_final)

    def named_matches(self, seats: int, stage: ConfiguredStage) -> Matches:
        """Return the matches; the two of the grand final count as one."""
        return _matches_named_by_places(min(seats, MOST))

    def game_parts(self, asked: int) -> tuple[Sentence, ...]:
        """Return the labels of the grand final, the bracket finals, and the brackets."""
        return GAME_PARTS

    def describe(self, plan: StagePlan, rounds: int) -> Iterator[Sentence]:
        """Yield the facts of a double elimination; a second final is no round of its own."""
        yield from super().describe(plan, rounds - plan.second_final)
        yield games_label(Sentence("Grand final"), plan)
        if plan.second_final:
            yield Sentence("The winner of the lower bracket must win the grand final twice")
        if not plan.timed:
            yield Sentence("No time limit")


@lru_cache(maxsize=MOST)
def _matches_named_by_places(seats: int) -> Matches:
    return double_elimination_bracket(seats, second_final=False)


def round_label(plan: StagePlan, match: BracketMatch) -> Sentence:
    """Return the label of a match's round within its bracket of a double elimination."""
    if match.part in (BracketPart.FINAL, BracketPart.AGAIN):
        return match.label
    upper = match.part is BracketPart.UPPER
    if match.to_go == 0:
        return Sentence(_("Upper bracket, final") if upper else _("Lower bracket, final"))
    if match.to_go == 1:
        return Sentence(
            _("Upper bracket, semi-finals") if upper else _("Lower bracket, semi-final")
        )
    levels = sorted({other.level for other in bracket_matches(plan) if other.part is match.part})
    values = {"round": levels.index(match.level) + 1}
    if upper:
        return Sentence("Upper bracket, round %(round)s", values)
    return Sentence("Lower bracket, round %(round)s", values)


def part_label(match: BracketMatch) -> Sentence:
    """Return the label of the part of a double elimination that a match belongs to."""
    if match.part is BracketPart.UPPER:
        return Sentence("Upper bracket")
    return Sentence("Lower bracket") if match.part is BracketPart.LOWER else match.label


def _matches_of_round(state: StageState, number: int) -> list[BracketMatch]:
    """Return the bracket's matches in a round of the stage, made or to come."""
    shape = bracket_matches(state.plan)
    if number <= len(state.rounds):
        made = {pairing.number for pairing, _result in state.rounds[number - 1]}
        return [match for match in shape if match.number in made]
    left = sorted({match.round for match in possible_matches(state)})
    index = number - len(state.rounds) - 1
    return [match for match in shape if index < len(left) and match.round == left[index]]


def _pairing(state: StageState, match: BracketMatch, progress: Progress) -> Pairing | None:
    """Return the pairing of a match whose sides are decided, None if nobody plays.

    Byes are matches of the first round only.
    """
    (one, _sure), (other, _also) = match_sides(state, match, progress)
    if match.round > 1 and None in (one, other):
        return None
    return bracket_pairing(state, match, one, other, _best_of(state.plan, match))


def _best_of(plan: StagePlan, match: BracketMatch) -> int:
    part = match.part or BracketPart.UPPER
    index = (
        1 if match.to_go == 0 and part in (BracketPart.UPPER, BracketPart.LOWER) else BEST_OF[part]
    )
    return plan.best_of[min(index, len(plan.best_of) - 1)]


DOUBLE_ELIMINATION = STAGE_KINDS.add(DoubleElimination())
