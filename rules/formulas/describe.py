"""Descriptions of plans in facts, stage by stage."""

from collections.abc import Iterator, Mapping

from rules.advancement.from_groups import group_sizes, uneven_size_range
from rules.plans import ComparedRankPlace, FormulaPlan, StagePlan
from rules.stages.base import stage_kind, state_with_all_seats
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def describe_plan(plan: FormulaPlan) -> tuple[Sentence, ...]:
    """Return the plan as messages: players, rounds, and who advances."""
    return tuple(
        sentence
        for index, stage in enumerate(plan.stages)
        for sentence in _describe_stage(stage, plan.used_places(index))
    )


def compared_group_sizes(
    stage: StagePlan, used: frozenset[str], sizes: Mapping[str, int] | None = None
) -> tuple[int, int] | None:
    """Return (smallest, largest) size of groups whose players are compared, None if equal.

    ``used`` are the names of the places that later stages seat. ``sizes`` are the actual sizes of
    the groups by name, by default the plan's.
    """
    groups = {
        group
        for place in stage.places
        if isinstance(place, ComparedRankPlace) and place.name in used
        for group in place.groups
    }
    return uneven_size_range(group_sizes(stage) if sizes is None else sizes, groups)


def uneven_comparison_message(stage: StagePlan, sizes: tuple[int, int]) -> Sentence:
    """Return the message on how groups of different sizes are compared.

    ``sizes`` are (smallest, largest).
    """
    counting = _("All matches count")
    if stage.without_last:
        counting = _("Matches against last place don’t count")
    return Sentence(
        "Groups of %(smallest)s to %(largest)s players: %(counting)s",
        {"smallest": sizes[0], "largest": sizes[1], "counting": Sentence(counting)},
    )


def count_rounds(stage: StagePlan) -> int:
    """Return the number of rounds of a planned stage if all seats are taken."""
    return stage_kind(stage).total_rounds(state_with_all_seats(stage))


def _describe_stage(stage: StagePlan, used: frozenset[str]) -> Iterator[Sentence]:
    yield from stage_kind(stage).describe(stage, count_rounds(stage))
    if stage_kind(stage).has_bracket:
        return
    places = [place for place in stage.places if place.name in used]
    if places:
        yield Sentence("Advancing: %(count)s", {"count": len(places)})
    compared = sorted(
        {
            place.rank
            for place in places
            if isinstance(place, ComparedRankPlace) and len(place.groups) > 1
        }
    )
    if compared:
        yield Sentence("Compared across groups: rank %(ranks)s", {"ranks": tuple(compared)})
        if sizes := compared_group_sizes(stage, used):
            yield uneven_comparison_message(stage, sizes)
