"""The stages of an event as a path, each group a box of pegs, with the stage being played."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from config.wording import translate
from rules.plans import FormulaPlan, Place, StagePlan
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import place_from, round_label
from tournaments.core.values_cache import cached
from tournaments.models import Match, Stage

MOST_SEGMENTS = 12
"""Most rounds drawn one by one."""
MOST_PEGS = 8
"""Most players of a group drawn as pegs."""
SIDE, STEP = 8, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Pegs:
    """The drawing of a group in SVG units: a box with a peg a player, or their ``number``."""

    wide: int
    high: int
    pegs: tuple[tuple[int, int], ...]
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A stage: ``state`` is done, now or next; ``segments`` of its rounds are full, half or ""."""

    label: str
    words: str
    state: str
    groups: tuple[Pegs, ...]
    segments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """The stages in order, and the players who skip some."""

    steps: tuple[Step, ...]
    skips: tuple[dict[str, Any], ...]


def stage_path(facts: EventFacts) -> Path | None:
    """Return the path of a started event; None before. No query beyond ``facts``."""
    if facts.plan is None:
        return None
    plan = facts.plan
    return cached(facts, ("path", get_language()), lambda: _path(plan, facts.stages))


def planned_path(plan: FormulaPlan) -> Path:
    """Return the path of an event to come; no query."""
    return _path(plan, ())


def _path(plan: FormulaPlan, stages: Sequence[StageFacts]) -> Path:
    known = {stage.stage.number: stage for stage in stages}
    steps = tuple(
        _step(stage, known.get(number)) for number, stage in enumerate(plan.stages, start=1)
    )
    return Path(steps=steps, skips=_skips(plan))


def _step(plan: StagePlan, stage: StageFacts | None) -> Step:
    state = _state(stage)
    return Step(
        label=translate(plan.label),
        words=_stage_in_words(plan, stage, state),
        state=state,
        groups=tuple(pegs_of(len(group.seats)) for group in plan.groups),
        segments=_segments(stage) if stage and state == "now" else (),
    )


def pegs_of(players: int) -> Pegs:
    """Return the box and pegs that stand for a group of this size in the drawing."""
    if players > MOST_PEGS:
        return Pegs(wide=2 * SIDE + 2 * STEP, high=2 * SIDE + STEP, pegs=(), number=players)
    columns = (players + 1) // 2
    pegs = tuple(
        (SIDE + STEP * (at // 2), SIDE + STEP * (at % 2))
        if players > 2
        else (SIDE + STEP * at, SIDE + STEP // 2)
        for at in range(players)
    )
    across = players if players <= 2 else columns
    return Pegs(wide=2 * SIDE + STEP * (across - 1), high=2 * SIDE + STEP, pegs=pegs)


def _state(stage: StageFacts | None) -> str:
    if stage is None or stage.stage.state == Stage.State.PENDING:
        return "next"
    return "now" if stage.stage.state == Stage.State.OPEN else "done"


def _stage_in_words(plan: StagePlan, stage: StageFacts | None, state: str) -> str:
    if state == "done":
        return _("finished")
    if state == "now" and stage is not None:
        return _progress_in_words(stage)
    if plan.size == 2:
        return _("best of %(games)s") % {"games": plan.best_of[0]}
    players = _("%(players)s players") % {"players": plan.size}
    if len(plan.groups) < 2:
        return players
    groups = ngettext("%(groups)s group", "%(groups)s groups", len(plan.groups))
    return f"{players} · {groups % {'groups': len(plan.groups)}}"


def _progress_in_words(stage: StageFacts) -> str:
    """Return the progress of the open stage in words: "round 2 of 3", or its round's own name.

    Where rounds were played before the stage: "round 7 (2 of 3)".
    """
    last = stage.last_round
    if last is None:
        return _("it is about to begin")
    if stage.kind.names_rounds or last.is_extra:
        return round_label(stage, last)
    made = len(stage.regular_rounds)
    values = {"made": made, "all": stage.total_rounds, "number": last.ordinal}
    if made != last.ordinal:
        return _("round %(number)s (%(made)s of %(all)s)") % values
    return _("round %(made)s of %(all)s") % values


def _segments(stage: StageFacts) -> tuple[str, ...]:
    """Return for each round of a stage whether it is finished, current or still to come."""
    total = max(stage.total_rounds, len(stage.regular_rounds))
    if total > MOST_SEGMENTS:
        return ()
    made = []
    for item in stage.regular_rounds:
        states = {match.state for match in stage.matches_of(item)}
        made.append("full" if states <= {Match.State.FINAL} else "half")
    return (*made, *[""] * (total - len(made)))


def _skips(plan: FormulaPlan) -> tuple[dict[str, Any], ...]:
    """Return the players who go from a stage to one beyond the next.

    ``begin`` is a column, from 1, ``spans`` the number of columns to the last stage.
    """
    found = Counter[tuple[int, int]]()
    first: dict[tuple[int, int], Place] = {}
    for index, stage in enumerate(plan.stages):
        given = {place.name: place for place in stage.places}
        for later in range(index + 1, len(plan.stages)):
            seats = [name for group in plan.stages[later].groups for name in group.seats]
            going = [name for name in seats if name in given]
            if going and later > index + 1:
                found[index, later] += len(going)
                first[index, later] = given[going[0]]
            given = {name: place for name, place in given.items() if name not in going}
    return tuple(
        {
            "words": _skip_in_words(plan, count, first[jump], plan.stages[jump[1]]),
            "begin": jump[0] + 1,
            "spans": jump[1] - jump[0] + 1,
        }
        for jump, count in sorted(found.items())
    )


def _skip_in_words(plan: FormulaPlan, count: int, place: Place, later: StagePlan) -> str:
    stage = translate(later.label)
    if count > 1:
        return _("%(count)s go straight to: %(stage)s") % {"count": count, "stage": stage}
    name = capfirst(place_from(plan.stages, place.name))
    return _("%(place)s goes straight to: %(stage)s") % {"place": name, "stage": stage}
