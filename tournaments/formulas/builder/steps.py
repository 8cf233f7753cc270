"""Read a draft from the form, and the effects of the builder's buttons on it.

``stage-2-name`` is a field of the second stage, ``stage-2-group-1-seat-3`` the third seat of its
first group. A stage exists if its kind is submitted, a group if its name is. A stage's seats are
filled at once: the first of each group, and the best of the next rank.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from config.wording import translate
from rules.brackets import last_round_matches
from rules.formulas.custom.definition import (
    LONGEST_STAGE,
    MOST_GAMES,
    MOST_GROUPS,
    MOST_PLAYERS,
    MOST_STAGES,
)
from rules.formulas.groups_knockout import group_names
from rules.names import name_key
from rules.plans import ROUND_ROBIN
from rules.stages.base import STAGE_KINDS
from tournaments.formulas.builder.draft import (
    FLAGS,
    MOST_SEATS,
    NUMBERS,
    WINNER,
    EntrantSource,
    FormulaDraft,
    GroupDraft,
    StageDraft,
    available_sources,
    compared_rank_sources,
    group_sizes,
    most_players,
    parse_number,
    rank_sources,
    reorder_stages,
    source_from_token,
    stage_bracket_matches,
    stage_form_texts,
    used_sources,
)


def set_groups(stage: StageDraft, count: int) -> None:
    """Set a stage's number of groups, adding or removing at the end.

    New groups get the next letter. Kinds of stage with one group move all seats into it.
    """
    if not stage.shape.several_groups:
        first, *others = stage.groups or [GroupDraft()]
        first.seats += [seat for group in others for seat in group.seats]
        stage.groups = [first]
        return
    count = max(1, min(count, MOST_GROUPS))
    everybody = any(group.everybody for group in stage.groups)
    for _new in range(len(stage.groups), count):
        stage.groups.append(GroupDraft(name=unused_group_name(stage), everybody=everybody))
    del stage.groups[count:]


def unused_group_name(stage: StageDraft) -> str:
    """Return the first unused group name of a stage: A, B, …."""
    taken = {group.name.strip() for group in stage.groups}
    return next(name for name in group_names(len(taken) + 1) if name not in taken)


def deal_entrants(sources: Sequence[EntrantSource], groups: int) -> list[list[EntrantSource]]:
    """Return ``groups`` lists of entrants of equal size, dealt in snake order.

    ``sources`` come best first; those from the same earlier group are separated as far as possible.
    """
    room = -(-len(sources) // groups)
    found: list[list[EntrantSource]] = [[] for _ in range(groups)]
    for at, source in enumerate(sources):
        row, column = divmod(at, groups)
        usual = column if row % 2 == 0 else groups - 1 - column

        def cost(
            group: int, source: EntrantSource = source, usual: int = usual
        ) -> tuple[int, int, int]:
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


def fill_stage(draft: FormulaDraft, at: int, *, new: bool = False) -> bool:
    """Fill the seats of stage ``at`` (from 1) from an earlier stage.

    Return False if that has no places. The stage's form fields say from where and how many.
    ``new``: also choose the number of groups. Earlier choices are replaced.
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


def next_unused_source(draft: FormulaDraft, at: int) -> str:
    """Return the form value of the first unused source for stage ``at``, or "".

    Stages count from 1. For each rank it keeps to one kind of source: by group or compared across
    groups.
    """
    taken = used_sources(draft)
    compared = {(place.stage, place.number) for place in taken if place.across_groups}
    by_group = {(place.stage, place.number) for place in taken if place.in_group}
    for stage in range(at - 1, 0, -1):
        for place in sorted(available_sources(draft, stage), key=_by_rank):
            level = (place.stage, place.number)
            other = (place.in_group and level in compared) or (
                place.across_groups and level in by_group and level not in compared
            )
            if place not in taken and not other:
                return place.token
    return ""


def _by_rank(place: EntrantSource) -> int:
    return place.number if place.in_group or place.across_groups else 0


def filling_numbers(draft: FormulaDraft, at: int) -> tuple[int, int, int]:
    """Return (source stage, entrants per group, best of the next rank).

    They fill stage ``at`` (from 2): as typed, else defaults.
    """
    values = draft.stages[at - 1].values
    chosen = parse_number(values.get("fill_from", ""), 0)
    source = chosen if 0 < chosen < at else at - 1
    each = parse_number(values.get("fill_each", ""), _usual_each(draft, source))
    next_best = parse_number(values.get("fill_best", ""), _usual_best(draft, at, source, each))
    return source, each, next_best


def is_filling_valid(draft: FormulaDraft, at: int) -> bool:
    """Return whether the typed numbers for filling stage ``at`` (from 2) are valid."""
    values = draft.stages[at - 1].values
    source = parse_number(values.get("fill_from", "1"), 0)
    counts = [parse_number(values[key], -1) for key in ("fill_each", "fill_best") if key in values]
    return 0 < source < at and all(0 <= count <= MOST_PLAYERS for count in counts)


def default_filling_texts(draft: FormulaDraft, at: int) -> tuple[str, str]:
    """Return the default texts of the fields that fill stage ``at`` (from 2).

    They are the entrants per group, and the best of the next rank.
    """
    source, each, _best = filling_numbers(draft, at)
    return str(_usual_each(draft, source)), str(_usual_best(draft, at, source, each))


def _usual_each(draft: FormulaDraft, source: int) -> int:
    """Return 2 for several groups, for one the largest power of two up to half its size."""
    field = group_sizes(draft, source, most_players(draft))
    return 2 if len(field) > 1 else 1 << max(1, (field[0] // 2).bit_length() - 1)


def _usual_best(draft: FormulaDraft, at: int, source: int, each: int) -> int:
    """Return the number of next-placed that fill a bracket to a power of two, if available."""
    field = group_sizes(draft, source, most_players(draft))
    direct = each * len(field)
    if len(field) == 1 or not direct or draft.stages[at - 1].shape.has_table:
        return 0
    missing = (1 << (direct - 1).bit_length()) - direct
    return missing if missing <= sum(size > each for size in field) else 0


def _entrants(
    draft: FormulaDraft, at: int, source: int, each: int, next_best: int
) -> list[EntrantSource]:
    """Return the entrants in seed order: firsts, seconds, …, the best next-placed.

    From a bracket its winners, or its losers if another stage has taken the winners.
    """
    stage = draft.stages[source - 1]
    if stage.shape.has_table:
        largest = max(group_sizes(draft, source, most_players(draft)), default=0)
        first = [
            place
            for rank in range(1, min(each, largest) + 1)
            for place in rank_sources(draft, source, rank)
        ]
        return first + list(compared_rank_sources(draft, source, each + 1))[:next_best]
    last = last_round_matches(stage_bracket_matches(draft, source))
    if len(last) < 2:
        return []
    elsewhere = set(used_sources(draft, without=at))
    winners = [EntrantSource(kind=WINNER, stage=source, number=match.number) for match in last]
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


def read_draft(sent: Mapping[str, str]) -> FormulaDraft:
    """Return the draft in a submitted form; too long or too many values are cut."""
    draft = FormulaDraft(
        values={key: sent[key][:LONGEST] for key in OWN_FIELDS if key in sent},
        version=parse_number(sent.get("version", ""), 0),
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
    if parse_number(values.get("survivors", ""), 1) > 1:
        values.pop("third_place", None)  # where several are left there is none
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
        count = parse_number(typed, 0)
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


FIRST_GROUPS = 4
USUAL = ("timed", "apart", "second_final")
"""What a new stage has ticked, where its kind has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """A draft after a step of editing.

    ``focus``: HTML id of the field to focus; ``note``: a message. ``loses``: something was removed,
    so undo is offered.
    """

    draft: FormulaDraft
    focus: str = ""
    note: str = ""
    loses: bool = False


def apply_step(draft: FormulaDraft, act: str) -> StepResult:
    """Return the draft after an action of the form.

    ``act``: such as "remove-seat:2:1:3" (stage, group, seat). Unknown actions change nothing.
    """
    name, *parts = act.split(":")
    numbers = [parse_number(part, 0) for part in parts if name != "add-stage"]
    if name == "add-stage":
        return _add_stage(draft, parts[0] if parts else "")
    found = _STEPS.get(name)
    if found is None or not numbers or not 0 < numbers[0] <= len(draft.stages):
        return StepResult(draft=draft)
    return found(draft, *[*numbers, 0, 0][:3])


def new_stage(draft: FormulaDraft, kind: str) -> StageDraft:
    """Return a stage of a kind, with default settings, to add to a draft.

    The first stage takes all players.
    """
    shape, first = STAGE_KINDS.get(kind), not draft.stages
    values = {"name": _free_name(draft, kind), "legs": "1", "rounds": "0", "survivors": "1"}
    values |= {f"games_{at}": "0" for at in range(shape.games_asked)}
    values |= {key: "on" for key in USUAL if key == "timed" or shape.has_setting(key)}
    values |= stage_form_texts(shape, {})
    stage = StageDraft(kind=kind, values=values, groups=[GroupDraft(name="A", everybody=first)])
    set_groups(stage, FIRST_GROUPS if first else 1)
    return stage


def _free_name(draft: FormulaDraft, kind: str) -> str:
    """Return the default name of a stage, numbered if another stage has it."""
    usual = translate(STAGE_KINDS.get(kind).usual_name)[: LONGEST_STAGE - 3]
    taken = {name_key(stage.values.get("name", "")) for stage in draft.stages}
    names = (usual, *(f"{usual} {number}" for number in range(2, MOST_STAGES + 2)))
    return next(name for name in names if name_key(name) not in taken)


def _add_stage(draft: FormulaDraft, kind: str) -> StepResult:
    if kind not in STAGE_KINDS:
        return StepResult(draft=draft)
    if len(draft.stages) >= MOST_STAGES:
        note = _("At most %(most)s are allowed.") % {"most": MOST_STAGES}
        return StepResult(draft=draft, note=note)
    stage = new_stage(draft, kind)
    draft.stages.append(stage)
    at = len(draft.stages)
    if at > 1 and not fill_stage(draft, at, new=True):
        stage.groups[0].seats = [""]
    return StepResult(draft=draft, focus=f"stage-{at}-heading")


def _remove_stage(draft: FormulaDraft, at: int, _group: int, _seat: int) -> StepResult:
    order = [index for index in range(len(draft.stages)) if index != at - 1]
    left = reorder_stages(draft, order)
    if left.stages and at == 1:
        _take_everybody(left.stages[0])
    focus = f"stage-{min(at, len(order))}-heading" if order else "add-stage"
    return StepResult(draft=left, focus=focus, loses=True)


def _take_everybody(stage: StageDraft) -> None:
    """Make a stage that has become the first take all players, unless places are chosen."""
    for group in stage.groups:
        group.seats = [seat for seat in group.seats if seat]
        group.everybody = not group.seats


def _up_stage(draft: FormulaDraft, at: int, _group: int, _seat: int) -> StepResult:
    if at < 2:
        return StepResult(draft=draft)
    takes = any(source.stage == at - 1 for source in draft.stages[at - 1].sources())
    if takes or at == 2:
        note = (
            _("Stage %(stage)s takes players from the previous stage.")
            if takes
            else _("The stage that everybody enters must come first.")
        )
        return StepResult(draft=draft, focus=f"stage-{at}-heading", note=note % {"stage": at})
    order = list(range(len(draft.stages)))
    order[at - 2], order[at - 1] = order[at - 1], order[at - 2]
    return StepResult(draft=reorder_stages(draft, order), focus=f"stage-{at - 1}-heading")


def _remove_group(draft: FormulaDraft, at: int, group: int, _seat: int) -> StepResult:
    stage = draft.stages[at - 1]
    if not 0 < group <= len(stage.groups) or len(stage.groups) == 1:
        return StepResult(draft=draft)
    del stage.groups[group - 1]
    for later in draft.stages[at:]:
        for other in later.groups:
            other.seats = [_regrouped(seat, at, group) for seat in other.seats]
    return StepResult(draft=draft, focus=f"stage-{at}-heading", loses=True)


def _regrouped(token: str, stage: int, gone: int) -> str:
    """Return the token of a seat after a group was removed; an invalid one stays as typed."""
    source = source_from_token(token)
    if source is None:
        return token
    kept = source.without_group(stage, gone)
    return kept.token if kept else ""


def _add_seat(draft: FormulaDraft, at: int, group: int, _seat: int) -> StepResult:
    stage = draft.stages[at - 1]
    if not 0 < group <= len(stage.groups):
        return StepResult(draft=draft)
    seats = stage.groups[group - 1].seats
    focus = f"stage-{at}-group-{group}-seat-{min(len(seats) + 1, MOST_SEATS)}"
    if len(seats) >= MOST_SEATS:
        note = _("At most %(most)s are allowed.") % {"most": MOST_SEATS}
        return StepResult(draft=draft, focus=focus, note=note)
    seats.append(next_unused_source(draft, at))
    return StepResult(draft=draft, focus=focus)


def _remove_seat(draft: FormulaDraft, at: int, group: int, seat: int) -> StepResult:
    seats = _seats(draft, at, group, seat)
    if seats is None:
        return StepResult(draft=draft)
    del seats[seat - 1]
    left = min(seat, len(seats))
    place = f"stage-{at}-group-{group}"
    focus = f"{place}-seat-{left}" if left else f"{place}-add"
    return StepResult(draft=draft, focus=focus, loses=True)


def _up_seat(draft: FormulaDraft, at: int, group: int, seat: int) -> StepResult:
    seats = _seats(draft, at, group, seat)
    if seats is None or seat < 2:
        return StepResult(draft=draft)
    seats[seat - 2], seats[seat - 1] = seats[seat - 1], seats[seat - 2]
    return StepResult(draft=draft, focus=f"stage-{at}-group-{group}-seat-{seat - 1}")


def _seats(draft: FormulaDraft, at: int, group: int, seat: int) -> list[str] | None:
    groups = draft.stages[at - 1].groups
    if not 0 < group <= len(groups) or not 0 < seat <= len(groups[group - 1].seats):
        return None
    return groups[group - 1].seats


def _fill(draft: FormulaDraft, at: int, _group: int, _seat: int) -> StepResult:
    if at > 1 and not is_filling_valid(draft, at):
        note = _("Fix the marked errors first.")
        return StepResult(draft=draft, focus=f"id_stage-{at}-fill_each", note=note)
    had = any(group.seats for group in draft.stages[at - 1].groups)
    if not fill_stage(draft, at):
        note = _(
            "Nobody advances from the source stage. Choose another, or let more players advance."
        )
        return StepResult(draft=draft, focus=f"stage-{at}-heading", note=note)
    return StepResult(draft=draft, focus=f"stage-{at}-group-1-seat-1", loses=had)


_STEPS: dict[str, Callable[[FormulaDraft, int, int, int], StepResult]] = {
    "remove-stage": _remove_stage,
    "up-stage": _up_stage,
    "remove-group": _remove_group,
    "add-seat": _add_seat,
    "remove-seat": _remove_seat,
    "up-seat": _up_seat,
    "fill": _fill,
}
