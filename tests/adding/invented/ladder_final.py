"""A formula: a ladder of four rungs, then its best two play a final."""

from rules.formulas.base import FORMULAS, DefaultGames, Formula, Options
from rules.plans import (
    KNOCKOUT,
    FormulaPlan,
    GroupPlan,
    LoserPlace,
    RankPlace,
    StagePlan,
    WinnerPlace,
    start_places,
)
from rules.wording import Sentence

FINALISTS = ("finalist 1", "finalist 2")


def _build(players: int, _options: Options, games: DefaultGames) -> FormulaPlan:
    ladder = StagePlan(
        key="ladder",
        label=Sentence("Ladder"),
        kind="ladder",
        groups=(GroupPlan(name="A", seats=start_places(players)),),
        best_of=(games.match,),
        places=tuple(
            RankPlace(name=name, group="A", rank=rank) for rank, name in enumerate(FINALISTS, 1)
        ),
        interchangeable=(FINALISTS,),
        own=(("rungs", 4),),
    )
    final = StagePlan(
        key="final",
        label=Sentence("Final"),
        kind=KNOCKOUT,
        groups=(GroupPlan(name="final", seats=FINALISTS),),
        best_of=(games.final,),
        places=(WinnerPlace(name="W1", match=1), LoserPlace(name="L1", match=1)),
    )
    return FormulaPlan(formula="ladder-final", players=players, stages=(ladder, final))


LADDER_FINAL = FORMULAS.add(
    Formula(
        key="ladder-final",
        label=Sentence("Ladder and final"),
        about=Sentence("Neighbours meet on a ladder; the best two play a final."),
        minimum=3,
        options=(),
        build=_build,
    )
)
