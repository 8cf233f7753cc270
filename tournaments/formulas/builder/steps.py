"""The effects of the builder's buttons on the draft."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from rules.formulas.custom.checks import THIRD_PLACE_FROM
from rules.formulas.custom.definition import LONGEST_STAGE, MOST_STAGES
from rules.names import name_key
from rules.stages.kind import STAGE_KINDS
from tournaments.formulas.builder.draft import (
    MOST_SEATS,
    Draft,
    GroupDraft,
    StageDraft,
    group_sizes,
    number_typed,
    typed_values,
    with_stages,
)
from tournaments.formulas.builder.filling import can_read_filling, fill, next_place, set_groups
from tournaments.formulas.builder.sources import from_token

FIRST_GROUPS = 4
USUAL = ("timed", "third_place", "apart", "second_final")
"""What a new stage has ticked, where its kind has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """The draft after a step, the part to focus, and a message.

    ``loses``: the step removed something, so undo is offered.
    """

    draft: Draft
    focus: str = ""
    note: str = ""
    loses: bool = False


def step(draft: Draft, act: str) -> StepResult:
    """Return the draft after a button's action, such as "remove-seat:2:1:3".

    Unknown actions and targets change nothing.
    """
    name, *parts = act.split(":")
    numbers = [number_typed(part, 0) for part in parts if name != "add-stage"]
    if name == "add-stage":
        return _add_stage(draft, parts[0] if parts else "")
    found = _STEPS.get(name)
    if found is None or not numbers or not 0 < numbers[0] <= len(draft.stages):
        return StepResult(draft=draft)
    return found(draft, *[*numbers, 0, 0][:3])


def new_stage(draft: Draft, kind: str) -> StageDraft:
    """Return a stage with default settings; the first takes all players."""
    shape, first = STAGE_KINDS.get(kind), not draft.stages
    values = {"name": _free_name(draft, kind), "legs": "1", "rounds": "0", "survivors": "1"}
    values |= {f"games_{at}": "0" for at in range(shape.games_asked)}
    values |= {key: "on" for key in USUAL if key == "timed" or shape.has_setting(key)}
    values |= typed_values(shape, {})
    stage = StageDraft(kind=kind, values=values, groups=[GroupDraft(name="A", everybody=first)])
    set_groups(stage, FIRST_GROUPS if first else 1)
    return stage


def _free_name(draft: Draft, kind: str) -> str:
    """Return the default name of a stage, numbered if another stage has it."""
    usual = translate(STAGE_KINDS.get(kind).usual_name)[: LONGEST_STAGE - 3]
    taken = {name_key(stage.values.get("name", "")) for stage in draft.stages}
    names = (usual, *(f"{usual} {number}" for number in range(2, MOST_STAGES + 2)))
    return next(name for name in names if name_key(name) not in taken)


def _add_stage(draft: Draft, kind: str) -> StepResult:
    if kind not in STAGE_KINDS:
        return StepResult(draft=draft)
    if len(draft.stages) >= MOST_STAGES:
        note = _("A tournament format has at most %(count)s stages.") % {"count": MOST_STAGES}
        return StepResult(draft=draft, note=note)
    stage = new_stage(draft, kind)
    draft.stages.append(stage)
    at = len(draft.stages)
    if at > 1 and not fill(draft, at, new=True):
        stage.groups[0].seats = [""]
    seats = sum(group_sizes(draft, at, draft.number("lowest", 0)))
    if seats < THIRD_PLACE_FROM:
        stage.values.pop("third_place", None)
    return StepResult(draft=draft, focus=f"stage-{at}-heading")


def _remove_stage(draft: Draft, at: int, _group: int, _seat: int) -> StepResult:
    order = [index for index in range(len(draft.stages)) if index != at - 1]
    left = with_stages(draft, order)
    if left.stages and at == 1:
        _take_everybody(left.stages[0])
    focus = f"stage-{min(at, len(order))}-heading" if order else "add-stage"
    return StepResult(draft=left, focus=focus, loses=True)


def _take_everybody(stage: StageDraft) -> None:
    """Make a stage that has become the first take all players, unless places are chosen."""
    for group in stage.groups:
        group.seats = [seat for seat in group.seats if seat]
        group.everybody = not group.seats


def _up_stage(draft: Draft, at: int, _group: int, _seat: int) -> StepResult:
    if at < 2:
        return StepResult(draft=draft)
    takes = any(source.stage == at - 1 for source in draft.stages[at - 1].sources())
    if takes or at == 2:
        note = (
            _("Stage %(stage)s takes players from the stage before it, so it stays after that.")
            if takes
            else _("The stage that everybody enters comes first. Remove it if it is not wanted.")
        )
        return StepResult(draft=draft, focus=f"stage-{at}-heading", note=note % {"stage": at})
    order = list(range(len(draft.stages)))
    order[at - 2], order[at - 1] = order[at - 1], order[at - 2]
    return StepResult(draft=with_stages(draft, order), focus=f"stage-{at - 1}-heading")


def _remove_group(draft: Draft, at: int, group: int, _seat: int) -> StepResult:
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
    source = from_token(token)
    if source is None:
        return token
    kept = source.without_group(stage, gone)
    return kept.token if kept else ""


def _add_seat(draft: Draft, at: int, group: int, _seat: int) -> StepResult:
    stage = draft.stages[at - 1]
    if not 0 < group <= len(stage.groups):
        return StepResult(draft=draft)
    seats = stage.groups[group - 1].seats
    focus = f"stage-{at}-group-{group}-seat-{min(len(seats) + 1, MOST_SEATS)}"
    if len(seats) >= MOST_SEATS:
        note = _("A group has at most %(count)s places.") % {"count": MOST_SEATS}
        return StepResult(draft=draft, focus=focus, note=note)
    seats.append(next_place(draft, at))
    return StepResult(draft=draft, focus=focus)


def _remove_seat(draft: Draft, at: int, group: int, seat: int) -> StepResult:
    seats = _seats(draft, at, group, seat)
    if seats is None:
        return StepResult(draft=draft)
    del seats[seat - 1]
    left = min(seat, len(seats))
    place = f"stage-{at}-group-{group}"
    focus = f"{place}-seat-{left}" if left else f"{place}-add"
    return StepResult(draft=draft, focus=focus, loses=True)


def _up_seat(draft: Draft, at: int, group: int, seat: int) -> StepResult:
    seats = _seats(draft, at, group, seat)
    if seats is None or seat < 2:
        return StepResult(draft=draft)
    seats[seat - 2], seats[seat - 1] = seats[seat - 1], seats[seat - 2]
    return StepResult(draft=draft, focus=f"stage-{at}-group-{group}-seat-{seat - 1}")


def _seats(draft: Draft, at: int, group: int, seat: int) -> list[str] | None:
    groups = draft.stages[at - 1].groups
    if not 0 < group <= len(groups) or not 0 < seat <= len(groups[group - 1].seats):
        return None
    return groups[group - 1].seats


def _fill(draft: Draft, at: int, _group: int, _seat: int) -> StepResult:
    if at > 1 and not can_read_filling(draft, at):
        note = _("Nothing was filled in: put right what is marked, then fill the places.")
        return StepResult(draft=draft, focus=f"id_stage-{at}-fill_each", note=note)
    had = any(group.seats for group in draft.stages[at - 1].groups)
    if not fill(draft, at):
        note = _("Nobody comes out of the stages before this one yet.")
        return StepResult(draft=draft, focus=f"stage-{at}-heading", note=note)
    return StepResult(draft=draft, focus=f"stage-{at}-group-1-seat-1", loses=had)


_STEPS: dict[str, Callable[[Draft, int, int, int], StepResult]] = {
    "remove-stage": _remove_stage,
    "up-stage": _up_stage,
    "remove-group": _remove_group,
    "add-seat": _add_seat,
    "remove-seat": _remove_seat,
    "up-seat": _up_seat,
    "fill": _fill,
}
