"""The builder's page: the fields of a draft, their errors, and a preview."""

from collections import Counter
from dataclasses import dataclass

from config.wording import translate
from rules.stages import ordered_kinds
from rules.stages.kind import StageKind
from tournaments.formulas.builder.draft import Draft
from tournaments.formulas.builder.filling import usual_numbers
from tournaments.formulas.builder.places import sources_used
from tournaments.formulas.builder.preview import Preview, previews
from tournaments.formulas.builder.problems import CheckedDraft, Problem, check_draft
from tournaments.formulas.builder.stage_form import (
    FILL_FIELDS,
    enters_of,
    settings_in_words,
    stage_form,
)
from tournaments.formulas.builder.typed import EVERYBODY
from tournaments.formulas.builder.words import (
    PlaceChoices,
    lost_words,
    offered_places,
    place_choices,
    place_words,
    stage_words,
)
from tournaments.formulas.forms import OwnForm, StageForm


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPart:
    """A seat: the chosen place, and its label if it is not among the choices."""

    number: int
    id: str
    token: str
    label: str
    wrong: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPart:
    """A group: name, seats and errors."""

    number: int
    id: str
    name: str
    everybody: bool
    seats: tuple[SeatPart, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePart:
    """A stage: form, groups, places it can take, and errors."""

    number: int
    id: str
    kind: str
    kind_label: str
    heading: str
    form: StageForm
    settings: str
    groups: tuple[GroupPart, ...]
    choices: tuple[PlaceChoices, ...]
    problems: tuple[Problem, ...]
    named: bool
    enters: str
    movable: bool
    usual: tuple[str, str] | None

    @property
    def fillable(self) -> bool:
        """Return whether the stage can be filled from an earlier one."""
        return "fill_from" in self.form.fields

    @property
    def filling(self) -> bool:
        """Return whether the fields that fill all seats are unfolded.

        They are if no seat is chosen, or one of them has an error.
        """
        chosen = any(seat.token for group in self.groups for seat in group.seats)
        return not chosen or any(name in self.form.errors for name in FILL_FIELDS)


@dataclass(frozen=True, kw_only=True)
class BuilderPage:
    """The content of the builder."""

    own: OwnForm
    stages: tuple[StagePart, ...]
    kinds: tuple[StageKind, ...]
    checked: CheckedDraft
    previews: tuple[Preview, ...]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return all errors in page order, those of fields first in each part."""
        found = list(_field_problems(self.own, 0))
        found += [item for item in self.checked.problems if not item.stage]
        for stage in self.stages:
            found += [*_field_problems(stage.form, stage.number), *stage.problems]
            found += [problem for group in stage.groups for problem in group.problems]
        return tuple(dict.fromkeys(found))

    @property
    def ready(self) -> bool:
        """Return whether the formula can be stored and played."""
        return not self.problems


def builder_page(draft: Draft, *, naming: bool = False) -> BuilderPage:
    """Return the page of a draft; no query. ``naming`` makes a missing name an error."""
    checked = check_draft(draft)
    playable = checked.playable
    return BuilderPage(
        own=OwnForm(draft.values, naming=naming),
        stages=tuple(_stage(draft, at, checked) for at in range(1, len(draft.stages) + 1)),
        kinds=tuple(ordered_kinds()),
        checked=checked,
        previews=previews(playable) if playable else (),
    )


def _field_problems(form: OwnForm | StageForm, stage: int) -> list[Problem]:
    return [
        Problem(stage=stage, field=form[name].id_for_label, text=f"{form[name].label}: {error}")
        for name, errors in form.errors.items()
        if name != "__all__"
        for error in errors
    ]


def _stage(draft: Draft, at: int, checked: CheckedDraft) -> StagePart:
    stage = draft.stages[at - 1]
    form = stage_form(draft, stage, at)
    found = list(dict.fromkeys(item for item in checked.problems if item.stage == at))
    shown = {form[name].id_for_label for name in form.errors}
    found = [item for item in found if item.field not in shown]
    names = stage.group_names()
    alone = len(names) == 1
    choices = () if enters_of(stage) == EVERYBODY else place_choices(draft, at)
    groups = []
    for number, name in enumerate(names, start=1):
        own = () if alone else tuple(item for item in found if item.group == name)
        groups.append(_group(draft, at, number, own, choices))
    held = {problem for group in groups for problem in group.problems}
    return StagePart(
        number=at,
        id=f"stage-{at}",
        kind=stage.kind,
        kind_label=translate(stage.shape.label),
        heading=stage_words(draft, at),
        form=form,
        settings=settings_in_words(form),
        groups=tuple(groups),
        choices=choices,
        problems=tuple(problem for problem in found if problem not in held),
        named=stage.shape.several_groups,
        enters=enters_of(stage),
        movable=at > 2,
        usual=usual_numbers(draft, at) if at > 1 else None,
    )


def _group(
    draft: Draft,
    at: int,
    number: int,
    problems: tuple[Problem, ...],
    choices: tuple[PlaceChoices, ...],
) -> GroupPart:
    group = draft.stages[at - 1].groups[number - 1]
    id = f"stage-{at}-group-{number}"
    shown = {choice.token for part in choices for choice in part.choices}
    there = {place for _heading, places in offered_places(draft, at) for place in places}
    taken = Counter(source.token for source in sources_used(draft))
    seats = []
    for seat, source in enumerate(group.sources(), start=1):
        label = ""
        if source is not None and source.token not in shown:
            label = place_words(draft, source) if source in there else lost_words(draft, source)
        seats.append(
            SeatPart(
                number=seat,
                id=f"{id}-seat-{seat}",
                token=source.token if source else "",
                label=label,
                wrong=source is None or source not in there or taken[source.token] > 1,
            )
        )
    return GroupPart(
        number=number,
        id=id,
        name=group.name,
        everybody=group.everybody,
        seats=tuple(seats),
        problems=problems,
    )
