"""Single elimination, with byes for the top seeds.

Source: tournament rules, Other formulas to ship.
"""

from collections.abc import Iterator

from rules.formulas.base import FORMULAS, DefaultGames, Options
from rules.formulas.knockout_stage import GAMES, THIRD_PLACE, knockout_stage
from rules.plans.places import start_places
from rules.plans.plan import FormulaPlan
from rules.wording import Sentence

SINGLE_KEY = "single-elimination"


def _build(players: int, options: Options, games: DefaultGames) -> FormulaPlan:
    stage = knockout_stage(start_places(players), options, games, apart=False)
    return FormulaPlan(formula=SINGLE_KEY, players=players, stages=(stage,))


def _ways(players: int, games: DefaultGames) -> Iterator[Options]:
    """Yield the bracket without the match for third place."""
    yield {"third_place": False}


SINGLE_ELIMINATION = FORMULAS.define(
    key=SINGLE_KEY,
    label=Sentence("Single elimination"),
    about=Sentence(
        "A player who loses is out. Where the bracket is not full, the top seeds have a bye."
    ),
    minimum=2,
    options=(THIRD_PLACE, GAMES),
    build=_build,
    ways=_ways,
)
