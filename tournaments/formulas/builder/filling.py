"""Read a draft from the form, and fill a stage's seats at once: the first of each group, and the
best of the next rank.

``stage-2-name`` is a field of the second stage, ``stage-2-group-1-seat-3`` the third seat of its
first group. A stage exists if its kind is submitted, a group if its name is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules.brackets import last_matches
from rules.formulas.custom.definition import MOST_GAMES, MOST_GROUPS, MOST_PLAYERS, MOST_STAGES
from rules.formulas.groups_knockout import group_names
from rules.plans import ROUND_ROBIN
from rules.stages.kind import STAGE_KINDS
from tournaments.formulas.builder.draft import (
    FLAGS,
    MOST_SEATS,
    NUMBERS,
    Draft,
    GroupDraft,
    StageDraft,
    group_sizes,
    matches_of_stage,
    number_typed,
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


OWN_FIELDS = ("name", "about", "lowest", "highest")
STAGE_FIELDS = (
    *("name", *NUMBERS, *FLAGS, "fill_from", "fill_each", "fill_best"),
    *(f"games_{at}" for at in range(MOST_GAMES)),
)
"""Those of every kind; a kind has its own settings beside them."""
EVERYBODY, CHOSEN, MIXED = "everybody", "chosen", "mixed"
"""Who enters the first stage: everybody in all of its groups, chosen places, some of each."""
LONGEST = 2_000


def read_draft(sent: Mapping[str, str]) -> Draft:
    """Return the draft in a form; values above the limits of length and number are cut off."""
    draft = Draft(
        values={key: sent[key][:LONGEST] for key in OWN_FIELDS if key in sent},
        version=number_typed(sent.get("version", ""), 0),
    )
    for at in range(1, MOST_STAGES + 1):
        kind = sent.get(f"stage-{at}-kind")
        if kind is None:
            break
        draft.stages.append(_stage(sent, at, kind if kind in STAGE_KINDS else ROUND_ROBIN))
    return draft


def _stage(sent: Mapping[str, str], at: int, kind: str) -> StageDraft:
    prefix = f"stage-{at}"
    fields = (*STAGE_FIELDS, *(each.key for each in STAGE_KINDS.get(kind).own_settings))
    values = {key: sent[f"{prefix}-{key}"][:LONGEST] for key in fields if f"{prefix}-{key}" in sent}
    for key in ("fill_each", "fill_best"):
        if values.get(key) == sent.get(f"{prefix}-{key}_usual"):
            values.pop(key, None)  # what was offered, not chosen: it follows the other fields
    if number_typed(values.get("survivors", ""), 1) > 1:
        values.pop("third_place", None)  # ticked as usual; where several are left there is none
    stage = StageDraft(kind=kind, values=values)
    for group in range(1, MOST_GROUPS + 1):
        found = _group(sent, f"{prefix}-group-{group}")
        if found is None:
            break
        stage.groups.append(found)
    _set_groups(stage, sent.get(f"{prefix}-groups"))
    enters = sent.get(f"{prefix}-enters")
    if enters in (EVERYBODY, CHOSEN):
        for entered in stage.groups:
            entered.everybody = enters == EVERYBODY
    return stage


def _set_groups(stage: StageDraft, typed: str | None) -> None:
    """Apply the typed number of groups; keep the text if invalid."""
    count = len(stage.groups)
    if typed is not None and stage.shape.several_groups:
        count = number_typed(typed, 0)
        if not 0 < count <= MOST_GROUPS:
            stage.values["groups"], count = typed[:LONGEST], len(stage.groups)
    set_groups(stage, count)


def _group(sent: Mapping[str, str], prefix: str) -> GroupDraft | None:
    if f"{prefix}-name" not in sent:
        return None
    seats = []
    for seat in range(1, MOST_SEATS + 1):
        token = sent.get(f"{prefix}-seat-{seat}")
        if token is None:
            break
        seats.append(token[:LONGEST])
    return GroupDraft(
        name=sent[f"{prefix}-name"][:LONGEST],
        everybody=f"{prefix}-everybody" in sent,
        seats=seats,
    )
