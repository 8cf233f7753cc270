"""One group of all players, with or without a final.

Source: tournament rules, Other formulas to ship, Single group.
"""

from typing import cast

from rules.formulas.base import FORMULAS, Choice, Formula, Games, Option, Options
from rules.formulas.choices import BEST_OF, LEGS
from rules.formulas.mutant_chronicles import final
from rules.plans.places import RankOf, start_places
from rules.plans.plan import ROUND_ROBIN, FormulaPlan, GroupPlan, StagePlan
from rules.wording import Sentence

KEY = "single-group"
FINALISTS = ("finalist 1", "finalist 2")


def _build(players: int, options: Options, games: Games) -> FormulaPlan:
    best_of = cast(int, options["final"])
    group = StagePlan(
        key="group",
        label=Sentence("Group"),
        kind=ROUND_ROBIN,
        groups=(GroupPlan(name="A", seats=start_places(players)),),
        legs=cast(int, options["legs"]),
        best_of=(games.match,),
        places=tuple(
            RankOf(name=name, group="A", rank=rank) for rank, name in enumerate(FINALISTS, start=1)
        )
        if best_of
        else (),
        interchangeable=(FINALISTS,) if best_of else (),
    )
    stages = (group, final(best_of=best_of, timed=True)) if best_of else (group,)
    return FormulaPlan(formula=KEY, players=players, stages=stages)


SINGLE_GROUP = FORMULAS.add(
    Formula(
        key=KEY,
        label=Sentence("Single group"),
        about=Sentence(
            "Everybody meets everybody once or twice; the first two may then play a final."
        ),
        minimum=2,
        options=(
            Option(
                key="legs",
                label=Sentence("How often each pair meets"),
                kind="choice",
                default=1,
                choices=LEGS,
            ),
            Option(
                key="final",
                label=Sentence("Final between the first two"),
                kind="choice",
                default=0,
                choices=(Choice(value=0, label=Sentence("none")), *BEST_OF),
            ),
        ),
        build=_build,
    )
)
