"""One group of all players, with or without a final.

Source: tournament rules, Other formulas to ship, Single group.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from rules.formulas.base import FORMULAS, Choice, DefaultGames, Option, Options
from rules.formulas.choices import BEST_OF, LEGS
from rules.formulas.mutant_chronicles import FINALISTS, final, one_group
from rules.plans.places import start_places
from rules.plans.plan import FormulaPlan
from rules.wording import Sentence

KEY = "single-group"


def _build(players: int, options: Options, games: DefaultGames) -> FormulaPlan:
    best_of = cast(int, options["final"])
    names = FINALISTS if best_of else ()
    group = one_group(start_places(players), names, cast(int, options["legs"]))
    group = replace(group, best_of=(games.match,))
    stages = (group, final(best_of=best_of, timed=True)) if best_of else (group,)
    return FormulaPlan(formula=KEY, players=players, stages=stages)


def _ways(players: int, games: DefaultGames) -> Iterator[Options]:
    """Yield one leg or two, with and without a final of as many games as the game plays."""
    yield {"final": games.final}
    yield {"legs": 2}
    yield {"legs": 2, "final": games.final}


SINGLE_GROUP = FORMULAS.define(
    key=KEY,
    label=Sentence("Single group"),
    about=Sentence(
        "Everybody meets everybody one to four times; the first two may then play a final."
    ),
    always=(),
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
    ways=_ways,
)
