"""The builder's page: every field of a draft, what is wrong beside it, and what it plays."""

from collections import Counter
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from rules.formulas.custom.kinds import CUSTOM_KINDS
from rules.formulas.double_elimination import GAMES
from rules.plan import DOUBLE_ELIMINATION, KNOCKOUT
from rules.stages.base import STAGE_KINDS
from tournaments.builder.draft import GAMES_ASKED, Draft, StageDraft
from tournaments.builder.filling import asked
from tournaments.builder.places import used
from tournaments.builder.preview import Preview, previews
from tournaments.builder.problems import Checked, Problem, look_over
from tournaments.builder.sources import from_token
from tournaments.builder.typed import CHOSEN, EVERYBODY, MIXED
from tournaments.builder.words import PlaceChoices, lost_words, place_choices, stage_words
from tournaments.forms.formulas import OwnForm, StageForm

FILL_FIELDS = ("fill_from", "fill_each", "fill_best")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPart:
    """A seat: the place that is chosen, and its words where no stage has it any more."""

    number: int
    id: str
    token: str
    lost: str
    wrong: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPart:
    """A group: its name, its seats, what is wrong in it."""

    number: int
    id: str
    name: str
    everybody: bool
    seats: tuple[SeatPart, ...]
    problems: tuple[Problem, ...]
    wrong: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePart:
    """A stage: its form, its groups, the places it can take, what is wrong in it."""

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

    @property
    def fillable(self) -> bool:
        """Say whether the stage can be filled from another."""
        return "fill_from" in self.form.fields

    @property
    def empty(self) -> bool:
        """Say whether no place is chosen yet."""
        return not any(seat.token for group in self.groups for seat in group.seats)


@dataclass(frozen=True, slots=True, kw_only=True)
class KindPart:
    """A kind of stage that can be added."""

    key: str
    label: str


@dataclass(frozen=True, kw_only=True)
class BuilderPage:
    """Everything that the builder shows."""

    own: OwnForm
    stages: tuple[StagePart, ...]
    kinds: tuple[KindPart, ...]
    checked: Checked
    previews: tuple[Preview, ...]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return all problems in the order of the page, those of the fields first in each part."""
        found = list(_of_fields(self.own, 0))
        found += [item for item in self.checked.problems if not item.stage]
        for stage in self.stages:
            found += [*_of_fields(stage.form, stage.number), *stage.problems]
            found += [problem for group in stage.groups for problem in group.problems]
        return tuple(dict.fromkeys(found))

    @property
    def ready(self) -> bool:
        """Say whether the formula can be stored and played."""
        return not self.problems


def builder_page(draft: Draft, *, naming: bool = False) -> BuilderPage:
    """Return the page of a draft; no query. ``naming``: a missing name is wrong."""
    checked = look_over(draft)
    playable = checked.playable
    return BuilderPage(
        own=OwnForm(draft.values, naming=naming),
        stages=tuple(_stage(draft, at, checked) for at in range(1, len(draft.stages) + 1)),
        kinds=tuple(
            KindPart(key=kind.key, label=translate(kind.label))
            for kind in CUSTOM_KINDS.values()
            if kind.key in STAGE_KINDS
        ),
        checked=checked,
        previews=previews(playable) if playable else (),
    )


def _of_fields(form: OwnForm | StageForm, stage: int) -> list[Problem]:
    return [
        Problem(stage=stage, field=form[name].id_for_label, text=f"{form[name].label}: {error}")
        for name, errors in form.errors.items()
        if name != "__all__"
        for error in errors
    ]


def _stage(draft: Draft, at: int, checked: Checked) -> StagePart:
    stage = draft.stages[at - 1]
    form = _form(draft, stage, at)
    found = list(dict.fromkeys(item for item in checked.problems if item.stage == at))
    shown = {form[name].id_for_label for name in form.errors}
    found = [item for item in found if item.field not in shown]
    names = stage.group_names()
    alone = len(names) == 1
    choices = () if _enters(stage) == EVERYBODY else place_choices(draft, at)
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
        settings=_settings(form),
        groups=tuple(groups),
        choices=choices,
        problems=tuple(problem for problem in found if problem not in held),
        named=stage.shape.groups,
        enters=_enters(stage),
        movable=at > 2,
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
    offered = {choice.token for part in choices for choice in part.choices}
    taken = Counter(source.token for source in used(draft))
    twice = {token for token, times in taken.items() if times > 1}
    seats = []
    for seat, token in enumerate(group.seats, start=1):
        source = from_token(token)
        gone = source is not None and token not in offered
        seats.append(
            SeatPart(
                number=seat,
                id=f"{id}-seat-{seat}",
                token=token if source else "",
                lost=lost_words(draft, source) if source is not None and gone else "",
                wrong=source is None or gone or token in twice,
            )
        )
    return GroupPart(
        number=number,
        id=id,
        name=group.name,
        everybody=group.everybody,
        seats=tuple(seats),
        problems=problems,
        wrong=bool(problems),
    )


def _enters(stage: StageDraft) -> str:
    spread = [group.everybody for group in stage.groups]
    return EVERYBODY if all(spread) else MIXED if any(spread) else CHOSEN


def _form(draft: Draft, stage: StageDraft, at: int) -> StageForm:
    """Return the form of a stage with what was typed; a field that was not sent shows its usual."""
    shown = {"timed", *stage.shape.settings}
    if stage.shape.groups:
        shown.add("groups")
    if at == 1:
        shown.add("enters")
    else:
        shown |= {*FILL_FIELDS}
    prefix = f"stage-{at}"
    typed = {f"{prefix}-{key}": text for key, text in stage.values.items()}
    typed[f"{prefix}-groups"] = str(len(stage.groups))
    typed[f"{prefix}-enters"] = _enters(stage)
    asked_for = sum(key.startswith("games_") for key in stage.values)
    count = max(GAMES_ASKED.get(stage.kind, 1), asked_for if stage.kind == KNOCKOUT else 1)
    enters = [(EVERYBODY, _("everybody who starts")), (CHOSEN, _("places chosen one by one"))]
    if _enters(stage) == MIXED:
        enters.append((MIXED, _("some groups everybody, some chosen places")))
    earlier = [(str(number), stage_words(draft, number)) for number in range(at - 1, 0, -1)]
    if at > 1:
        for key, usual in zip(FILL_FIELDS, asked(draft, at), strict=True):
            typed.setdefault(f"{prefix}-{key}", str(usual))
    return StageForm(
        typed,
        prefix=prefix,
        shown=shown,
        games=_games(stage.kind, count),
        choices={"enters": enters, "fill_from": earlier},
    )


def _games(kind: str, count: int) -> list[str]:
    """Return what the games of a match are called, in a bracket by part, the last one first."""
    if kind == DOUBLE_ELIMINATION:
        parts = [translate(item) for item in GAMES.items]
    elif kind == KNOCKOUT:
        parts = [_("final and third place"), _("semi-finals"), _("quarter-finals")]
        parts += [_("round of %(players)s") % {"players": 2 ** (at + 1)} for at in range(3, count)]
        parts[count - 1] = _("earlier rounds")
    else:
        return [_("Games in a match")]
    return [_("Games in a match: %(round)s") % {"round": words} for words in parts[:count]]


def _settings(form: StageForm) -> str:
    """Return the settings that seldom change in a few words, for who does not open them."""
    said = []
    for field in form.settings():
        if field.name == "legs" or field.name.startswith("games_"):
            words = dict(field.field.choices).get(str(field.value()), "")  # type: ignore[attr-defined]
            label = str(field.label).rpartition(": ")[2] if field.name != "legs" else field.label
            said.append(f"{label}: {words}")
        elif field.name == "timed":
            said.append(_("with a time limit") if field.value() else _("no time limit"))
    return "; ".join(said)
