"""The stages in which players see each other's decklists (``Event.open_lists``), and whether the
lists are held back.

``final`` opens a stage's lists to the opponents, ``final:all`` to everybody who plays in it. The
closing of the stage before may hold them back (``Event.held_lists``): then they are open to nobody
until the organiser releases them.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from enum import StrEnum
from functools import cache

from rules.errors import BadInput, RuleError
from rules.formulas import FORMULAS, TABLE_FORMULAS, shipped_formula
from rules.formulas.base import Formula, OptionValue
from rules.wording import Sentence
from tournaments.models import Event, Stage

MOST_LAID_OUT = 16  # players; with more, no formula has other stages


class Audience(StrEnum):
    """The players of a stage who see a decklist."""

    NOBODY = ""
    OPPONENTS = "opponents"
    ALL = "all"


def audience_of(open_lists: Iterable[str], stage: str) -> Audience:
    """Return the audience of the lists in a stage, by the setting alone."""
    return audiences(open_lists).get(stage, Audience.NOBODY)


def audience_now(event: Event, stage: Stage) -> Audience:
    if event.held_lists == stage.number:
        return Audience.NOBODY
    return audience_of(event.open_lists, stage.key)


def lists_held_in(event: Event, stage: Stage) -> bool:
    """Return whether lists that an open stage would show its players are held back."""
    return event.held_lists == stage.number and lists_to_hold(event, stage.key)


def lists_open_in(event: Event, stage: Stage) -> bool:
    """Return whether the players of a stage see lists that its closing hides from them again."""
    public = event.lists_published_at is not None
    return not public and audience_now(event, stage) is not Audience.NOBODY


def lists_to_hold(event: Event, stage: str) -> bool:
    """Return whether a stage, by its key, will open lists that are not public already."""
    public = event.lists_published_at is not None
    return not public and audience_of(event.open_lists, stage) is not Audience.NOBODY


def check_to_hold(event: Event, stages: Iterable[str]) -> None:
    """Raise RuleError ``no_lists_held`` unless one of the stages, by key, will open lists."""
    if not any(lists_to_hold(event, stage) for stage in stages):
        raise no_lists_held_error()


def hold_lists(event: Event, stage: int | None) -> None:
    """Store the stage whose lists are held back, None for none; at most one query."""
    if event.held_lists != stage:
        event.held_lists = stage
        event.save(update_fields=["held_lists"])


def no_lists_held_error() -> RuleError:
    """Return the error of holding back or releasing lists where there are none to."""
    return RuleError("no_lists_held", "No decklists are held back now. Nothing was changed.")


def audiences(open_lists: Iterable[str]) -> dict[str, Audience]:
    """Return the audience of each stage with open lists, by stage key."""
    parts = [item.partition(":") for item in open_lists]
    return {key: Audience(whom or Audience.OPPONENTS) for key, _colon, whom in parts}


def audiences_to_json(chosen: Mapping[str, Audience]) -> list[str]:
    """Return the audiences in the form stored in ``Event.open_lists``."""
    return [
        key if whom is Audience.OPPONENTS else f"{key}:{whom}"
        for key, whom in chosen.items()
        if whom is not Audience.NOBODY
    ]


def possible_stages(formula: Formula) -> Mapping[str, Sentence]:
    """Return the labels of all stages that a formula can have, by stage key."""
    if formula.key in FORMULAS or formula.key in TABLE_FORMULAS:
        return _of_shipped(formula.key)
    return {stage.key: stage.label for stage in formula.plan(formula.minimum).stages}


@cache
def _of_shipped(formula: str) -> Mapping[str, Sentence]:
    known = shipped_formula(formula)
    found: dict[str, Sentence] = {}
    for options in _option_settings(known):
        for size in range(MOST_LAID_OUT, known.minimum - 1, -1):
            with suppress(RuleError):  # these options want more players
                for stage in known.plan(size, options).stages:
                    found.setdefault(stage.key, stage.label)
    return found


def _option_settings(formula: Formula) -> Iterator[dict[str, OptionValue]]:
    """Yield the default options, then every value of each option with the others at default."""
    yield {}
    for option in formula.options:
        values = [choice.value for choice in option.choices]
        if option.kind == "choices":
            for number in (value for value in values if isinstance(value, int)):
                yield {option.key: [number] * len(option.items)}
        elif option.kind == "number":
            for number in (option.lowest, option.highest):
                yield {option.key: number}
        elif option.kind != "sizes":  # no stage depends on the sizes of tables
            for value in values or (False, True):
                yield {option.key: value}


def still_possible(open_lists: Iterable[str], formula: Formula) -> list[str]:
    """Return the setting without stages that the formula does not have."""
    stages = possible_stages(formula)
    return [item for item in open_lists if item.partition(":")[0] in stages]


def check_open_lists(open_lists: object, formula: Formula) -> None:
    """Raise BadInput ``bad_open_lists`` for a stage or audience unknown to the formula."""
    items = open_lists if isinstance(open_lists, list) else [open_lists]
    stages = possible_stages(formula) if items else {}
    allowed = {form for key in stages for form in (key, f"{key}:{Audience.ALL}")}
    keys = [str(item).partition(":")[0] for item in items]
    wrong = [str(item) for item in items if not isinstance(item, str) or item not in allowed]
    if wrong or len(set(keys)) != len(keys):
        raise BadInput(
            "bad_open_lists",
            "Decklists can be open in these stages, each named once: %(stages)s. Nothing was "
            "stored.",
            stages=tuple(stages.values()),
        )
