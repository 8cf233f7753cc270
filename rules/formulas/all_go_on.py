"""Groups from which everybody goes on, so that their matches put nobody out."""

from collections.abc import Iterator

from rules.plans.places import RankOf
from rules.plans.plan import FormulaPlan, StagePlan
from rules.stages.kind import kind_of


def groups_all_going_on(plan: FormulaPlan) -> Iterator[tuple[StagePlan, int]]:
    """Yield (stage, group size) where all players of a group advance, each size once a stage."""
    for index, stage in enumerate(plan.stages):
        if not kind_of(stage).has_table:
            continue
        used = plan.used_places(index)
        going = [
            place.group
            for place in stage.places
            if isinstance(place, RankOf) and place.name in used
        ]
        sizes = {
            len(group.seats)
            for group in stage.groups
            if 1 < len(group.seats) <= going.count(group.name)
        }
        yield from ((stage, size) for size in sorted(sizes))
