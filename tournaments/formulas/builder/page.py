"""The builder's page: the fields of a draft, their errors, and a preview."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts.models import User
from config.wording import translate
from rules.brackets import BracketMatch
from rules.errors import BadInput
from rules.formulas.adviser import matches_by_round
from rules.formulas.custom import FormulaDefinition, custom_formula, formula_faults, read_definition
from rules.formulas.describe import count_rounds
from rules.formulas.single_group import fully_advancing_groups
from rules.plans import FormulaPlan, StagePlan
from rules.stages import custom_stage_kinds
from rules.stages.base import StageKind
from rules.stages.knockout import round_label as knockout_round
from rules.wording import Sentence
from tournaments.core.labels import best_placed_label, ordinal
from tournaments.core.names import IN_ROUND
from tournaments.diagrams.selectors.formula_layout import formula_diagram, plan_columns
from tournaments.formulas.builder.draft import (
    START,
    EntrantSource,
    FormulaDraft,
    StageDraft,
    available_sources,
    definition_from_draft,
    most_players,
    parse_number,
    stage_bracket_matches,
    used_sources,
)
from tournaments.formulas.builder.steps import (
    CHOSEN,
    EVERYBODY,
    MIXED,
    default_filling_texts,
    filling_numbers,
)
from tournaments.formulas.forms import FormulaForm, StageForm
from tournaments.models import Event, SavedFormula

STARTERS = 8
"""Places of the starting order that can be chosen for a later stage, by players with a bye."""
MANY = 2000  # choices on a page
FEW = 6
"""Least number of places offered at each seat."""


def stage_label(draft: FormulaDraft, at: int) -> str:
    """Return "Stage 2: Final" for stage ``at`` (from 1)."""
    name = draft.stages[at - 1].values.get("name", "").strip()
    return _("Stage %(number)s: %(place)s") % {"number": at, "place": name or "…"}


def source_label(draft: FormulaDraft, place: EntrantSource) -> str:
    """Return a source's label: "1st of group A", "Winner: Semi-final 1"."""
    if place.from_start:
        return _("%(place)s at the start") % {"place": ordinal(place.number)}
    stage = draft.stages[place.stage - 1]
    rank = ordinal(place.number)
    if place.in_group:
        if len(stage.groups) == 1:
            name = stage.values.get("name", "").strip()
            return _("%(place)s of “%(stage)s”") % {"place": rank, "stage": name}
        known = 0 < place.group <= len(stage.groups)
        group = stage.groups[place.group - 1].name if known else "?"
        return _("%(place)s of group %(name)s") % {"place": rank, "name": group}
    if place.across_groups:
        return best_placed_label(place.nth, place.number)
    match = _match_words(draft, place)
    words = _("Winner: %(match)s") if place.wins else _("Loser: %(match)s")
    return words % {"match": match}


def _match_words(draft: FormulaDraft, place: EntrantSource) -> str:
    """Return the name of a match: by its round near the end of a knock-out, else its number."""
    stage = draft.stages[place.stage - 1]
    every = stage_bracket_matches(draft, place.stage)
    found = next((match for match in every if match.number == place.number), None)
    if found is None or parse_number(stage.values.get("survivors", ""), 1) > 1:
        return _("Match %(number)s") % {"number": place.number}
    if stage.shape.two_brackets or found.third_place:
        return translate(found.label)
    if found.distance == 0:
        return _("Final")
    level = [match.number for match in every if match.distance == found.distance]
    return _in_round(found, level.index(found.number) + 1)


def _in_round(match: BracketMatch, nth: int) -> str:
    values = {"number": nth, "round": translate(knockout_round(match.distance))}
    return str(IN_ROUND.get(match.distance, _("%(round)s, match %(number)s"))) % values


def source_choices(draft: FormulaDraft, at: int) -> tuple[dict[str, Any], ...]:
    """Return the sources that seats of stage ``at`` (from 1) can choose, by heading.

    Dicts {heading, choices: {token, label, taken}}; ``taken``: where it is used, or "". Large
    drafts offer only the first free ones, to limit the page's size.
    """
    stages = enumerate(draft.stages, start=1)
    taken = {source: number for number, stage in stages for source in stage.sources()}
    lists = sources_by_heading(draft, at)
    seats = sum(len(group.seats) for group in draft.stages[at - 1].groups)
    if seats * sum(len(places) for _heading, places in lists) > MANY:
        left = max(FEW, MANY // seats)
        free = [(heading, [p for p in places if p not in taken]) for heading, places in lists]
        lists = []
        for heading, places in free:
            lists.append((heading, places[:left]))
            left -= len(places[:left])
    labels = {place: source_label(draft, place) for _heading, places in lists for place in places}
    often = Counter(labels.values())
    return tuple(
        {
            "heading": heading,
            "choices": tuple(
                {
                    "token": place.token,
                    "label": _label(place, labels[place], ambiguous=often[labels[place]] > 1),
                    "taken": _("used in stage %(number)s") % {"number": taken[place]}
                    if place in taken
                    else "",
                }
                for place in places
            ),
        }
        for heading, places in lists
        if places
    )


def sources_by_heading(draft: FormulaDraft, at: int) -> list[tuple[str, list[EntrantSource]]]:
    """Return (heading, sources) for all that stage ``at`` (from 1) can take."""
    lists = [
        (stage_label(draft, stage), available_sources(draft, stage))
        for stage in range(at - 1, 0, -1)
    ]
    last = most_players(draft) if at == 1 else min(most_players(draft), STARTERS)
    start = [EntrantSource(kind=START, number=place) for place in range(1, last + 1)]
    return [*lists, (_("Starting order"), start)]


def _label(place: EntrantSource, words: str, *, ambiguous: bool) -> str:
    if not ambiguous:
        return words
    return _("Stage %(number)s: %(place)s") % {"place": words, "number": place.stage}


def removed_source_label(draft: FormulaDraft, place: EntrantSource) -> str:
    """Return the label of a chosen source that no longer exists."""
    there = place.from_start or 0 < place.stage <= len(draft.stages)
    words = source_label(draft, place) if there else "?"
    return _("%(place)s – empty") % {"place": words}


FILL_FIELDS = ("fill_from", "fill_each", "fill_best")


def entry_mode(stage: StageDraft) -> str:
    """Return who enters a stage: EVERYBODY, CHOSEN or MIXED."""
    spread = [group.everybody for group in stage.groups]
    return EVERYBODY if all(spread) else MIXED if any(spread) else CHOSEN


def stage_form(draft: FormulaDraft, stage: StageDraft, at: int) -> StageForm:
    """Return the form of stage ``at`` (from 1) with its texts.

    Missing fields get their defaults.
    """
    shown = {"timed", *(setting.key for setting in stage.shape.settings)}
    if stage.shape.several_groups:
        shown.add("groups")
    if parse_number(stage.values.get("survivors", ""), 1) > 1 and "third_place" not in stage.values:
        shown.discard("third_place")
    if at == 1:
        shown.add("enters")
    else:
        shown |= {*FILL_FIELDS}
    prefix = f"stage-{at}"
    typed = {f"{prefix}-{key}": text for key, text in stage.values.items()}
    typed.setdefault(f"{prefix}-groups", str(len(stage.groups)))
    typed[f"{prefix}-enters"] = entry_mode(stage)
    choices = [(EVERYBODY, _("everybody")), (CHOSEN, _("chosen places"))]
    if entry_mode(stage) == MIXED:
        choices.append((MIXED, _("depends on the group")))
    earlier = [(str(before), stage_label(draft, before)) for before in range(at - 1, 0, -1)]
    if at > 1:
        for key, count in zip(FILL_FIELDS, filling_numbers(draft, at), strict=True):
            typed.setdefault(f"{prefix}-{key}", str(count))
    return StageForm(
        typed,
        prefix=prefix,
        shown=shown,
        games=_games(stage.shape, sum(key.startswith("games_") for key in stage.values)),
        own=stage.shape.own_settings,
        choices={"enters": choices, "fill_from": earlier},
    )


def _games(kind: StageKind, asked_for: int) -> list[str]:
    """Return the label of the games of a match, in a bracket by round, the last one first."""
    parts = [translate(part) for part in kind.game_parts(asked_for)]
    if not parts:
        return [_("Games in a match")]
    label = _("Games in a match")
    return [_("%(label)s: %(value)s") % {"label": label, "value": words} for words in parts]


def settings_summary(form: StageForm) -> str:
    """Return a stage's legs, games in a match and time limit as one line of text."""
    chosen = []
    if "legs" in form.fields:
        chosen.append(f"{form['legs'].label}: {_chosen_label(form, 'legs')}")
    games = {name: _chosen_label(form, name) for name in form.game_names}
    if len(set(games.values())) == 1:
        label = _("Games in a match")
        chosen.append(_("%(label)s: %(value)s") % {"label": label, "value": games["games_0"]})
    else:
        chosen += [f"{form[name].label}: {words}" for name, words in games.items()]
    chosen.append(_("With a time limit") if form["timed"].value() else _("No time limit"))
    return "; ".join(chosen)


def _chosen_label(form: StageForm, name: str) -> str:
    offered = getattr(form.fields[name], "choices", ())
    return next((str(words) for key, words in offered if key == str(form[name].value())), "")


IN_STAGE = re.compile(r"stages\[(\d+)\]")
IN_GROUP = re.compile(r"groups\[(\d+)\]")
PLACEHOLDER = "Formula"


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftProblem:
    """An error in a draft, with the ``stage`` (from 1) and the group's name.

    Stage 0 is the formula as a whole. ``field``: HTML id of the field, or "".
    """

    text: str
    stage: int = 0
    group: str = ""
    field: str = ""

    @property
    def anchor(self) -> str:
        """Return the HTML id to which the list of errors links."""
        return self.field or (f"stage-{self.stage}-heading" if self.stage else "formula-heading")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedDraft:
    """The result of checking a draft; ``definition``: None if a field is invalid."""

    definition: FormulaDefinition | None
    problems: tuple[DraftProblem, ...]

    @property
    def playable(self) -> FormulaDefinition | None:
        """Return the formula up to its first stage with an error; None if that is the first."""
        if self.definition is None:
            return None
        stages = self.definition.stages
        wrong = [problem.stage for problem in self.problems if problem.stage]
        whole = stages[: min(wrong) - 1] if wrong else stages
        return replace(self.definition, stages=whole) if whole else None


def check_draft(draft: FormulaDraft) -> CheckedDraft:
    """Return a draft's errors; a missing name is no error until it is saved."""
    empty = tuple(_empty_seats(draft))
    data = definition_from_draft(draft)
    data["name"] = data["name"] or PLACEHOLDER
    try:
        definition = read_definition(data)
    except BadInput as refused:
        return CheckedDraft(definition=None, problems=(*empty, _malformed_problem(refused)))
    found = tuple(dict.fromkeys(_fault(sentence) for sentence in formula_faults(definition)))
    return CheckedDraft(definition=definition, problems=(*empty, *found))


def _empty_seats(draft: FormulaDraft) -> list[DraftProblem]:
    return [
        DraftProblem(
            text=_("Choose a player for seat %(seat)s, or remove it.") % {"seat": seat},
            stage=at,
            group=stage.group_names()[index - 1] if len(stage.groups) > 1 else "",
            field=f"stage-{at}-group-{index}-seat-{seat}",
        )
        for at, stage in enumerate(draft.stages, start=1)
        for index, group in enumerate(stage.groups, start=1)
        if not group.everybody
        for seat, source in enumerate(group.sources(), start=1)
        if source is None
    ]


def _malformed_problem(refused: BadInput) -> DraftProblem:
    """Return the error of a malformed definition, at its field."""
    values = refused.sentence.values
    path, problem = str(values.get("field", "")), values.get("problem")
    text = translate(problem) if isinstance(problem, Sentence) else translate(refused.sentence)
    stage, group = IN_STAGE.search(path), IN_GROUP.search(path)
    key = path.rpartition(".")[2].partition("[")[0]
    if stage is None:
        return DraftProblem(text=text, field=f"id_{key}")
    at = int(stage[1]) + 1
    if group is not None:
        return DraftProblem(text=text, stage=at, field=f"stage-{at}-group-{int(group[1]) + 1}-name")
    key = "games_0" if key == "best_of" else key
    return DraftProblem(text=text, stage=at, field=f"id_stage-{at}-{key}")


def _fault(sentence: Sentence) -> DraftProblem:
    values = sentence.values
    problem, at = values.get("problem"), values.get("number")
    if not isinstance(problem, Sentence) or not isinstance(at, int):
        return DraftProblem(text=capfirst(translate(sentence)))
    return DraftProblem(
        text=capfirst(translate(problem)), stage=at, group=str(values.get("group", ""))
    )


def builder_context(draft: FormulaDraft, *, naming: bool = False) -> dict[str, Any]:
    """Return the template context of the formula builder; no query.

    ``naming``: a missing name is an error. ``problems``: all errors in page order; ``ready``: there
    are none, so it can be saved.
    """
    checked = check_draft(draft)
    playable = checked.playable
    own = FormulaForm(draft.values, naming=naming)
    stages = tuple(_stage(draft, at, checked) for at in range(1, len(draft.stages) + 1))
    problems = _field_problems(own, 0)
    problems += [item for item in checked.problems if not item.stage]
    for stage in stages:
        problems += [*_field_problems(stage["form"], stage["number"]), *stage["problems"]]
        problems += [problem for group in stage["groups"] for problem in group["problems"]]
    return {
        "own": own,
        "stages": stages,
        "problems": tuple(dict.fromkeys(problems)),
        "ready": not problems,
        "kinds": tuple(custom_stage_kinds()),
        "checked": checked,
        "previews": formula_previews(playable) if playable else (),
    }


def _field_problems(form: FormulaForm | StageForm, stage: int) -> list[DraftProblem]:
    return [
        DraftProblem(
            stage=stage, field=form[name].id_for_label, text=f"{form[name].label}: {error}"
        )
        for name, errors in form.errors.items()
        if name != "__all__"
        for error in errors
    ]


def _stage(draft: FormulaDraft, at: int, checked: CheckedDraft) -> dict[str, Any]:
    """Return a stage: form, groups, places it can take, and errors.

    ``filling``: the fields that fill all seats are unfolded, as no seat is chosen, or one of them
    has an error.
    """
    stage = draft.stages[at - 1]
    form = stage_form(draft, stage, at)
    found = list(dict.fromkeys(item for item in checked.problems if item.stage == at))
    shown = {form[name].id_for_label for name in form.errors}
    found = [item for item in found if item.field not in shown]
    names = stage.group_names()
    alone = len(names) == 1
    choices = () if entry_mode(stage) == EVERYBODY else source_choices(draft, at)
    groups = []
    for number, name in enumerate(names, start=1):
        own = () if alone else tuple(item for item in found if item.group == name)
        groups.append(_group(draft, at, number, own, choices))
    held = {problem for group in groups for problem in group["problems"]}
    chosen = any(seat["token"] for group in groups for seat in group["seats"])
    return {
        "number": at,
        "id": f"stage-{at}",
        "fillable": "fill_from" in form.fields,
        "filling": not chosen or any(name in form.errors for name in FILL_FIELDS),
        "kind": stage.kind,
        "kind_label": translate(stage.shape.label),
        "heading": stage_label(draft, at),
        "form": form,
        "settings": settings_summary(form),
        "groups": tuple(groups),
        "choices": choices,
        "problems": tuple(problem for problem in found if problem not in held),
        "named": stage.shape.several_groups,
        "enters": entry_mode(stage),
        "movable": at > 2,
        "usual": default_filling_texts(draft, at) if at > 1 else None,
    }


def _group(
    draft: FormulaDraft,
    at: int,
    number: int,
    problems: tuple[DraftProblem, ...],
    choices: tuple[dict[str, Any], ...],
) -> dict[str, Any]:
    group = draft.stages[at - 1].groups[number - 1]
    id = f"stage-{at}-group-{number}"
    shown = {choice["token"] for part in choices for choice in part["choices"]}
    there = {place for _heading, places in sources_by_heading(draft, at) for place in places}
    taken = Counter(source.token for source in used_sources(draft))
    seats = []
    for seat, source in enumerate(group.sources(), start=1):
        label = ""
        if source is not None and source.token not in shown:
            label = (
                source_label(draft, source)
                if source in there
                else removed_source_label(draft, source)
            )
        seats.append(
            {
                "number": seat,
                "id": f"{id}-seat-{seat}",
                "token": source.token if source else "",
                "label": label,
                "wrong": source is None or source not in there or taken[source.token] > 1,
            }
        )
    return {
        "number": number,
        "id": id,
        "name": group.name,
        "everybody": group.everybody,
        "seats": tuple(seats),
        "problems": problems,
    }


MOST_DRAWN = 128  # players; a larger picture is unreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRow:
    """A stage in a preview, with its numbers of players, rounds and matches.

    ``groups``: the group sizes as text.
    """

    label: str
    groups: str
    players: int
    rounds: int
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaPreview:
    """A formula's stages for a number of players.

    ``picture``: context of its drawing, only for the largest number. ``warnings``: groups from
    which everybody advances.
    """

    players: int
    rows: tuple[StageRow, ...]
    picture: dict[str, Any] | None
    warnings: tuple[str, ...] = ()

    @property
    def rounds(self) -> int:
        """Return the total number of rounds."""
        return sum(row.rounds for row in self.rows)

    @property
    def matches(self) -> int:
        """Return the total number of matches."""
        return sum(row.matches for row in self.rows)


def formula_previews(definition: FormulaDefinition) -> tuple[FormulaPreview, ...]:
    """Return previews of a formula for its smallest and largest number of players."""
    formula = custom_formula("preview", definition)
    numbers = dict.fromkeys((definition.lowest, definition.highest))
    return tuple(
        _preview(formula.plan(players), drawn=players == definition.highest) for players in numbers
    )


def stage_rows(plan: FormulaPlan) -> tuple[StageRow, ...]:
    """Return a row for each stage of a plan."""
    return tuple(
        StageRow(
            label=translate(stage.label),
            groups=group_sizes_text(stage),
            players=stage.size,
            rounds=count_rounds(stage),
            matches=sum(matches_by_round(stage)),
        )
        for stage in plan.stages
    )


def group_sizes_text(stage: StagePlan) -> str:
    """Return group sizes as text: "Groups: 2 × 4, 1 × 3"; for one group its players."""
    sizes = Counter(len(group.seats) for group in stage.groups)
    if len(stage.groups) == 1:
        return _("%(players)s players") % {"players": stage.size}
    each = ", ".join(f"{count} × {size}" for size, count in sizes.items())
    return _("%(label)s: %(value)s") % {"label": _("Groups"), "value": each}


def _preview(plan: FormulaPlan, *, drawn: bool) -> FormulaPreview:
    drawn = drawn and plan.players <= MOST_DRAWN
    return FormulaPreview(
        players=plan.players,
        rows=stage_rows(plan),
        picture=formula_diagram(plan_columns(plan), narrow=True) if drawn else None,
        warnings=_warnings(plan),
    )


def _warnings(plan: FormulaPlan) -> tuple[str, ...]:
    words = _("%(stage)s: nobody is eliminated.")
    return tuple(
        words % {"stage": translate(stage.label), "size": size}
        for stage, size in fully_advancing_groups(plan)
    )


def saved_formula_rows(user: User) -> tuple[dict[str, Any], ...]:
    """Return a user's saved formulas by name, as template context; two queries."""
    rows = list(SavedFormula.objects.made_here().filter(owner=user))
    using = events_by_formula([row.slug for row in rows])
    return tuple(_row(row, using.get(row.slug, [])) for row in rows)


def events_by_formula(slugs: list[str]) -> dict[str, list[tuple[str, str]]]:
    """Return {formula slug: [(event slug, event name)]}; one query."""
    found = defaultdict(list)
    named = Event.objects.filter(formula__in=slugs).order_by("name")
    for formula, slug, name in named.values_list("formula", "slug", "name"):
        found[formula].append((slug, name))
    return found


def _row(row: SavedFormula, events: list[tuple[str, str]]) -> dict[str, Any]:
    """A saved formula; ``stages`` with its most players, ``events`` are slugs and names."""
    definition = read_definition(row.definition)
    plan = custom_formula(row.slug, definition).plan(definition.highest)
    return {
        "slug": row.slug,
        "name": row.name,
        "about": definition.about,
        "lowest": definition.lowest,
        "highest": definition.highest,
        "stages": stage_rows(plan),
        "events": tuple(events),
    }
