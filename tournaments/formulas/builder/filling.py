"""Fill a stage's seats at once: the first of each group, and the best of the next rank."""

from collections.abc import Sequence
from dataclasses import replace

from rules.brackets.single import last_matches
from rules.formulas.custom.definition import MOST_GROUPS, MOST_PLAYERS
from rules.formulas.groups_knockout import group_names
from tournaments.formulas.builder.draft import Draft, GroupDraft, StageDraft, number_typed
from tournaments.formulas.builder.places import (
    group_sizes,
    matches_of_stage,
    places_of,
    players_at_most,
    sources_compared,
    sources_of_rank,
    sources_used,
)
from tournaments.formulas.builder.sources import WINNER, Source


def set_groups(stage: StageDraft, count: int) -> None:
    """Set the number of groups: added ones get the next letters, the last ones are removed.

    Kinds with one group keep all seats in it.
    """
    if not stage.shape.several_groups:
        first, *others = stage.groups or [GroupDraft()]
        first.seats += [seat for group in others for seat in group.seats]
        stage.groups = [first]
        return
    count = max(1, min(count, MOST_GROUPS))
    everybody = any(group.everybody for group in stage.groups)
    for _new in range(len(stage.groups), count):
        stage.groups.append(GroupDraft(name=free_name(stage), everybody=everybody))
    del stage.groups[count:]


def free_name(stage: StageDraft) -> str:
    """Return the first letter, or pair of letters, that names no group of the stage."""
    taken = {group.name.strip() for group in stage.groups}
    return next(name for name in group_names(len(taken) + 1) if name not in taken)


def deal_entrants(sources: Sequence[Source], groups: int) -> list[list[Source]]:
    """Deal entrants, best first, to groups of equal size, apart from those of their earlier group.

    Each goes to a group with room and the fewest from the same origin; among those to the one
    with the fewest entrants, in snake order.
    """
    room = -(-len(sources) // groups)
    found: list[list[Source]] = [[] for _ in range(groups)]
    for at, source in enumerate(sources):
        row, column = divmod(at, groups)
        usual = column if row % 2 == 0 else groups - 1 - column

        def cost(group: int, source: Source = source, usual: int = usual) -> tuple[int, int, int]:
            together = sum(
                source.in_group and (other.stage, other.group) == (source.stage, source.group)
                for other in found[group]
            )
            return together, len(found[group]), abs(group - usual)

        chosen = min((group for group in range(groups) if len(found[group]) < room), key=cost)
        found[chosen].append(source)
    return found


GROUP_OF = 4
"""Approximate number of players in each group of a new stage."""


def fill(draft: Draft, at: int, *, new: bool = False) -> bool:
    """Fill a stage (from 1) by its form fields; return whether there were entrants.

    A ``new`` stage gets as many groups as fit. Earlier choices are replaced.
    """
    stage = draft.stages[at - 1]
    source, each, next_best = filling_numbers(draft, at)
    entrants = _entrants(draft, at, source, each, next_best)
    if not entrants:
        return False
    if new and stage.shape.several_groups:
        set_groups(stage, -(-len(entrants) // GROUP_OF))
    for group, places in zip(stage.groups, deal_entrants(entrants, len(stage.groups)), strict=True):
        group.everybody = False
        group.seats = [place.token for place in places]
    return True


def next_place(draft: Draft, at: int) -> str:
    """Return the token of the first place that no stage has taken, or "".

    Once a rank is compared between groups, the next of that rank are compared too.
    """
    taken = sources_used(draft)
    compared = {(place.stage, place.number) for place in taken if place.across_groups}
    by_group = {(place.stage, place.number) for place in taken if place.in_group}
    for stage in range(at - 1, 0, -1):
        for place in sorted(places_of(draft, stage), key=_by_rank):
            level = (place.stage, place.number)
            other = (place.in_group and level in compared) or (
                place.across_groups and level in by_group and level not in compared
            )
            if place not in taken and not other:
                return place.token
    return ""


def _by_rank(place: Source) -> int:
    return place.number if place.in_group or place.across_groups else 0


def filling_numbers(draft: Draft, at: int) -> tuple[int, int, int]:
    """Return (earlier stage, entrants of each group, best of the next rank) that fill a stage.

    Stages count from 2; defaults where nothing is typed.
    """
    values = draft.stages[at - 1].values
    chosen = number_typed(values.get("fill_from", ""), 0)
    source = chosen if 0 < chosen < at else at - 1
    each = number_typed(values.get("fill_each", ""), _usual_each(draft, source))
    next_best = number_typed(values.get("fill_best", ""), _usual_best(draft, at, source, each))
    return source, each, next_best


def can_read_filling(draft: Draft, at: int) -> bool:
    """Return whether the typed values that fill a stage (from 2) are valid."""
    values = draft.stages[at - 1].values
    source = number_typed(values.get("fill_from", "1"), 0)
    counts = [number_typed(values[key], -1) for key in ("fill_each", "fill_best") if key in values]
    return 0 < source < at and all(0 <= count <= MOST_PLAYERS for count in counts)


def usual_numbers(draft: Draft, at: int) -> tuple[str, str]:
    """Return the default (entrants of each group, best of the next rank)."""
    source, each, _best = filling_numbers(draft, at)
    return str(_usual_each(draft, source)), str(_usual_best(draft, at, source, each))


def _usual_each(draft: Draft, source: int) -> int:
    """Return 2 for several groups, for one the largest power of two up to half its size."""
    field = group_sizes(draft, source, players_at_most(draft))
    return 2 if len(field) > 1 else 1 << max(1, (field[0] // 2).bit_length() - 1)


def _usual_best(draft: Draft, at: int, source: int, each: int) -> int:
    """Return the number of next-placed that fill a bracket to a power of two, if available."""
    field = group_sizes(draft, source, players_at_most(draft))
    direct = each * len(field)
    if len(field) == 1 or not direct or draft.stages[at - 1].shape.has_table:
        return 0
    missing = (1 << (direct - 1).bit_length()) - direct
    return missing if missing <= sum(size > each for size in field) else 0


def _entrants(draft: Draft, at: int, source: int, each: int, next_best: int) -> list[Source]:
    """Return the entrants in seed order: firsts, seconds, …, the best next-placed.

    From a bracket its winners, or its losers if another stage has taken the winners.
    """
    stage = draft.stages[source - 1]
    if stage.shape.has_table:
        largest = max(group_sizes(draft, source, players_at_most(draft)), default=0)
        first = [
            place
            for rank in range(1, min(each, largest) + 1)
            for place in sources_of_rank(draft, source, rank)
        ]
        return first + list(sources_compared(draft, source, each + 1))[:next_best]
    last = last_matches(matches_of_stage(draft, source))
    if len(last) < 2:
        return []
    elsewhere = set(sources_used(draft, without=at))
    winners = [Source(kind=WINNER, stage=source, number=match.number) for match in last]
    if elsewhere.issuperset(winners):
        return [replace(winner, kind="loser") for winner in winners]
    return winners
