"""Descriptions of plans in sentences, stage by stage."""

from collections.abc import Iterator, Mapping

from rules.advancement.from_groups import seats_in, uneven_sizes
from rules.plans import FormulaPlan, NthAmong, StagePlan
from rules.stages.kind import full_state, is_of_tables, kind_of
from rules.wording import Sentence


def describe(plan: FormulaPlan) -> tuple[Sentence, ...]:
    """Return the plan in words: players, rounds, and who advances."""
    return tuple(
        sentence
        for index, stage in enumerate(plan.stages)
        for sentence in _describe_stage(stage, plan.used_places(index))
    )


def sizes_compared(
    stage: StagePlan, used: frozenset[str], sizes: Mapping[str, int] | None = None
) -> tuple[int, int] | None:
    """Return the smallest and largest group whose players are compared, None if equal.

    ``sizes`` are the actual sizes of the groups, by default the plan's.
    """
    groups = {
        group
        for place in stage.places
        if isinstance(place, NthAmong) and place.name in used
        for group in place.groups
    }
    return uneven_sizes(seats_in(stage) if sizes is None else sizes, groups)


def uneven_comparison_words(stage: StagePlan, sizes: tuple[int, int]) -> Sentence:
    """Return a sentence on the comparison of groups of ``sizes[0]`` to ``sizes[1]`` players."""
    values = {"smallest": sizes[0], "largest": sizes[1]}
    if stage.without_last:
        return Sentence(
            "The groups compared have %(smallest)s to %(largest)s players: the matches against "
            "the last of the larger groups do not count there.",
            values,
        )
    return Sentence(
        "The groups compared have %(smallest)s to %(largest)s players: all matches count, so "
        "the larger groups have more of them.",
        values,
    )


def rounds_in(stage: StagePlan) -> int:
    """Return the number of rounds of a stage with all seats taken."""
    return kind_of(stage).total_rounds(full_state(stage))


def _describe_stage(stage: StagePlan, used: frozenset[str]) -> Iterator[Sentence]:
    values: dict[str, object] = {
        "stage": stage.label,
        "players": stage.size,
        "rounds": rounds_in(stage),
    }
    if kind_of(stage).has_bracket:
        yield from kind_of(stage).describe(stage, rounds_in(stage))
        return
    is_swiss = kind_of(stage).pairs_by_points and not is_of_tables(stage)
    if is_swiss and stage.label != kind_of(stage).label:
        yield Sentence("%(stage)s: Swiss, %(players)s players. Rounds: %(rounds)s.", values)
    elif len(stage.groups) == 1 and not kind_of(stage).all_meet:
        yield Sentence("%(stage)s: %(players)s players. Rounds: %(rounds)s.", values)
    elif len(stage.groups) == 1:
        yield Sentence("%(stage)s: one group of %(players)s players. Rounds: %(rounds)s.", values)
    else:
        values["sizes"] = tuple(f"{group.name} {len(group.seats)}" for group in stage.groups)
        yield Sentence(
            "%(stage)s: %(players)s players in groups (%(sizes)s). Rounds: %(rounds)s.", values
        )
    if stage.legs == 1 and kind_of(stage).all_meet:
        yield Sentence("Each pair meets once.")
    elif stage.legs == 2:
        yield Sentence("Each pair meets twice.")
    elif stage.legs > 2:
        yield Sentence("Each pair meets %(legs)s times.", {"legs": stage.legs})
    places = [place for place in stage.places if place.name in used]
    if places:
        yield Sentence("Players who go on: %(count)s.", {"count": len(places)})
    compared = sorted(
        {place.rank for place in places if isinstance(place, NthAmong) and len(place.groups) > 1}
    )
    if compared:
        yield Sentence(
            "Players of different groups are compared on rank: %(ranks)s.",
            {"ranks": tuple(compared)},
        )
        if sizes := sizes_compared(stage, used):
            yield uneven_comparison_words(stage, sizes)
