"""A kind of stage: players meet their neighbours on a ladder, upwards and downwards in turn."""

from rules.stages.base import STAGE_KINDS, Pairing, Setting, StageKind, StageState, outcome_by_rule
from rules.wording import Sentence

RUNGS = Setting(key="rungs", label=Sentence("rungs of the ladder"), usual=2, least=1, most=9)
RETURN = Setting(key="way_back", label=Sentence("the way back"), usual=False)


class Ladder(StageKind):
    """As many rounds as rungs, twice as many with the way back."""

    key = "ladder"
    label = Sentence("Ladder")
    settings = (RUNGS, RETURN)
    most = 64

    def next_round(self, state: StageState) -> tuple[Pairing, ...]:
        """Return the pairs of neighbours, in every second round the first with the last."""
        made = len(state.rounds)
        if made >= self.total_rounds(state):
            return ()
        order, count = state.players, sum(len(played) for played in state.rounds)
        if made % 2:
            order = (order[0], order[-1], *order[1:-1])
        pairs = zip(order[::2], order[1::2], strict=False)
        return tuple(
            self._pairing(state, a, b, count + number) for number, (a, b) in enumerate(pairs, 1)
        )

    def _pairing(self, state: StageState, a: int | str, b: int | str, number: int) -> Pairing:
        return Pairing(
            group=state.plan.groups[0].name,
            number=number,
            seats=(a, b),
            best_of=state.plan.best_of[0],
            outcome=outcome_by_rule((a, b), state),
        )

    def total_rounds(self, state: StageState) -> int:
        """Return the rungs, once or twice."""
        there_and_back = 2 if self.value_of(state.plan, "way_back") else 1
        return self.value_of(state.plan, "rungs") * there_and_back

    def describe_round(self, state: StageState, number: int) -> Sentence:
        """Name a round by its rung."""
        return Sentence("Rung %(round)s", {"round": number})


LADDER = STAGE_KINDS.add(Ladder())
