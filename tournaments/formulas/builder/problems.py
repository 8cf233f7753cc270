"""Errors of a draft, each at the field to change."""

import re
from dataclasses import dataclass, replace

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from config.wording import translate
from rules.errors import BadInput
from rules.formulas.custom import Definition, faults, read_definition
from rules.wording import Sentence
from tournaments.formulas.builder.draft import Draft, definition_of

IN_STAGE = re.compile(r"stages\[(\d+)\]")
IN_GROUP = re.compile(r"groups\[(\d+)\]")
PLACEHOLDER = "Formula"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """An error: sentence, stage (from 1) and group, field to change.

    Stage 0 is the formula as a whole.
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
    """Result of checking a draft. ``definition`` is None if a field is invalid."""

    definition: Definition | None
    problems: tuple[Problem, ...]

    @property
    def playable(self) -> Definition | None:
        """Return the formula up to its first stage with an error; None if that is the first."""
        if self.definition is None:
            return None
        stages = self.definition.stages
        wrong = [problem.stage for problem in self.problems if problem.stage]
        whole = stages[: min(wrong) - 1] if wrong else stages
        return replace(self.definition, stages=whole) if whole else None


def check_draft(draft: Draft) -> CheckedDraft:
    """Return all errors of a draft.

    A missing name is no error here: it is required on saving.
    """
    empty = tuple(_empty_seats(draft))
    data = definition_of(draft)
    data["name"] = data["name"] or PLACEHOLDER
    try:
        definition = read_definition(data)
    except BadInput as refused:
        return CheckedDraft(definition=None, problems=(*empty, _malformed_problem(refused)))
    found = tuple(dict.fromkeys(_fault(sentence) for sentence in faults(definition)))
    return CheckedDraft(definition=definition, problems=(*empty, *found))


def _empty_seats(draft: Draft) -> list[Problem]:
    return [
        Problem(
            text=_("Seat %(seat)s: choose who takes it, or remove it.") % {"seat": seat},
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


def _malformed_problem(refused: BadInput) -> Problem:
    """Return the error of a malformed definition, at its field."""
    values = refused.sentence.values
    path, problem = str(values.get("field", "")), values.get("problem")
    text = translate(problem) if isinstance(problem, Sentence) else translate(refused.sentence)
    stage, group = IN_STAGE.search(path), IN_GROUP.search(path)
    key = path.rpartition(".")[2].partition("[")[0]
    if stage is None:
        return Problem(text=text, field=f"id_{key}")
    at = int(stage[1]) + 1
    if group is not None:
        return Problem(text=text, stage=at, field=f"stage-{at}-group-{int(group[1]) + 1}-name")
    key = "games_0" if key == "best_of" else key
    return Problem(text=text, stage=at, field=f"id_stage-{at}-{key}")


def _fault(sentence: Sentence) -> Problem:
    values = sentence.values
    problem, at = values.get("problem"), values.get("number")
    if not isinstance(problem, Sentence) or not isinstance(at, int):
        return Problem(text=capfirst(translate(sentence)))
    return Problem(text=capfirst(translate(problem)), stage=at, group=str(values.get("group", "")))
