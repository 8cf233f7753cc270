"""One group of all players, with or without a final.

In ``fully_advancing_groups`` everybody goes on, so that the matches put nobody out.

Source: tournament rules, Other formulas to ship, round robin.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from rules.formulas.base import BEST_OF, FORMULAS, LEGS, Choice, DefaultGames, Option, Options
from rules.formulas.mutant_chronicles import FINALISTS, final_stage, single_group_stage
from rules.plans import FormulaPlan, RankPlace, StagePlan, start_places
from rules.stages.base import stage_kind
from rules.wording import Sentence

KEY = "single-group"


def _build(players: int, options: Options, games: DefaultGames) -> FormulaPlan:
    best_of = cast(int, options["final"])
    names = FINALISTS if best_of else ()
    group = single_group_stage(start_places(players), names, cast(int, options["legs"]))
    group = replace(group, best_of=(games.match,))
    stages = (group, final_stage(best_of=best_of, timed=True)) if best_of else (group,)
    return FormulaPlan(formula=KEY, players=players, stages=stages)


def _ways(players: int, games: DefaultGames) -> Iterator[Options]:
    """Yield one leg or two, with and without a final of as many games as the game plays."""
    yield {"final": games.final}
    yield {"legs": 2}
    yield {"legs": 2, "final": games.final}


SINGLE_GROUP = FORMULAS.define(
    key=KEY,
    label=Sentence("Round robin"),
    about=Sentence("Everybody plays everybody, then an optional final."),
    always=(),
    minimum=2,
    options=(
        Option(
            key="legs",
            label=Sentence("Matches per pair"),
            kind="choice",
            default=1,
            choices=LEGS,
        ),
        Option(
            key="final",
            label=Sentence("Final between the top two"),
            kind="choice",
            default=0,
            choices=(Choice(value=0, label=Sentence("No final")), *BEST_OF),
        ),
    ),
    build=_build,
    ways=_ways,
)


def fully_advancing_groups(plan: FormulaPlan) -> Iterator[tuple[StagePlan, int]]:
    """Yield (stage, group size) of groups whose players all advance.

    Each size once per stage.
    """
    for index, stage in enumerate(plan.stages):
        if not stage_kind(stage).has_table:
            continue
        used = plan.used_places(index)
        going = [
            place.group
            for place in stage.places
            if isinstance(place, RankPlace) and place.name in used
        ]
        sizes = {
            len(group.seats)
            for group in stage.groups
            if 1 < len(group.seats) <= going.count(group.name)
        }
        yield from ((stage, size) for size in sorted(sizes))
