"""The page of an event to come, and the stages as a path, each group a box of pegs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import Any

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from config.wording import translate
from decks.formats.selectors import format_labels
from rules.deckbuilding.formats import DeckFormat
from rules.events.prizes import PLACE
from rules.formulas.adviser import matches_by_round
from rules.plans import FormulaPlan, Place, StagePlan
from tournaments.core.event_state import EventFacts, StageFacts, cached_value
from tournaments.core.labels import place_text, round_label
from tournaments.core.visibility import has_decks
from tournaments.decklists.selectors.rules import event_rules_without_cards
from tournaments.events.selectors.rules_in_words import plan_with_note
from tournaments.events.selectors.timetable import Timetable, event_timetable
from tournaments.models import Event, Match, Stage
from tournaments.players.selectors.answers import registration_state
from tournaments.prizes.selectors import event_prize_table, has_prizes

MOST_SEGMENTS = 12
"""Most rounds drawn one by one."""
MOST_PEGS = 8
"""Most players of a group drawn as pegs."""
SIDE, STEP = 8, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupDrawing:
    """The drawing of a group, in SVG units: a box with a peg for each player.

    Large groups have their ``number`` of players instead of pegs.
    """

    wide: int
    high: int
    pegs: tuple[tuple[int, int], ...]
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStep:
    """A stage in the drawing of an event; ``state`` is "done", "now" or "next".

    ``segments`` are the rounds of a stage in progress: "full", "half" or "".
    """

    label: str
    words: str
    state: str
    groups: tuple[GroupDrawing, ...]
    segments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePath:
    """The drawing of an event's stages in order.

    ``skips`` are arcs for players who skip a stage.
    """

    steps: tuple[StageStep, ...]
    skips: tuple[dict[str, Any], ...]


def stage_path(facts: EventFacts) -> StagePath | None:
    """Return the drawing of a started event's stages, None before. No query."""
    if facts.plan is None:
        return None
    plan = facts.plan
    return cached_value(facts, ("path", get_language()), lambda: _path(plan, facts.stages))


def planned_path(plan: FormulaPlan) -> StagePath:
    """Return the drawing of the stages planned for an event; no query."""
    return _path(plan, ())


def _path(plan: FormulaPlan, stages: Sequence[StageFacts]) -> StagePath:
    known = {stage.stage.number: stage for stage in stages}
    steps = tuple(
        _step(stage, known.get(number)) for number, stage in enumerate(plan.stages, start=1)
    )
    return StagePath(steps=steps, skips=_skips(plan))


def _step(plan: StagePlan, stage: StageFacts | None) -> StageStep:
    state = _state(stage)
    return StageStep(
        label=translate(plan.label),
        words=_stage_in_words(plan, stage, state),
        state=state,
        groups=tuple(draw_group(len(group.seats)) for group in plan.groups),
        segments=_segments(stage) if stage and state == "now" else (),
    )


def draw_group(players: int) -> GroupDrawing:
    """Return the drawing of a group with this number of players."""
    if players > MOST_PEGS:
        return GroupDrawing(wide=2 * SIDE + 2 * STEP, high=2 * SIDE + STEP, pegs=(), number=players)
    columns = (players + 1) // 2
    pegs = tuple(
        (SIDE + STEP * (at // 2), SIDE + STEP * (at % 2))
        if players > 2
        else (SIDE + STEP * at, SIDE + STEP // 2)
        for at in range(players)
    )
    across = players if players <= 2 else columns
    return GroupDrawing(wide=2 * SIDE + STEP * (across - 1), high=2 * SIDE + STEP, pegs=pegs)


def _state(stage: StageFacts | None) -> str:
    if stage is None or stage.stage.state == Stage.State.PENDING:
        return "next"
    return "now" if stage.stage.state == Stage.State.OPEN else "done"


def _stage_in_words(plan: StagePlan, stage: StageFacts | None, state: str) -> str:
    if state == "done":
        return _("Finished")
    if state == "now" and stage is not None:
        return _progress_in_words(stage)
    if plan.size == 2:
        return _("Best of %(games)s") % {"games": plan.best_of[0]}
    players = _("%(players)s players") % {"players": plan.size}
    if len(plan.groups) < 2:
        return players
    groups = _("Groups")
    return f"{players} · {groups}: {len(plan.groups)}"


def _progress_in_words(stage: StageFacts) -> str:
    """Return the progress of the open stage in words: "round 2 of 3", or its round's own name.

    Where rounds were played before the stage: "round 7 (2 of 3)".
    """
    last = stage.last_round
    if last is None:
        return _("Starting soon")
    if stage.kind.names_rounds or last.is_extra:
        return round_label(stage, last)
    values = {"made": len(stage.regular_rounds), "all": stage.total_rounds}
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
        return f"{count} → {stage}"
    name = capfirst(place_text(plan.stages, place.name))
    return f"{name} → {stage}"


CELLS = 16
"""Cells of the bar of seats, if there are more seats than that."""
NAMED = 48
"""Players who are named; the others are counted."""


def seats_bar(taken: int, capacity: int) -> dict[str, Any]:
    """Return the drawing of taken places as a bar of at most ``CELLS`` cells.

    {"cells": (x, is taken), "wide": width in SVG units}.
    """
    count = min(CELLS, capacity)
    full = taken * count // capacity if taken < capacity else count
    return {"cells": tuple((13 * at, at < full) for at in range(count)), "wide": 13 * count}


def upcoming_event(facts: EventFacts) -> dict[str, Any]:
    """Return the template context of an event's page before the start.

    Three queries, one more for an organiser's format, and those of a saved tournament format.
    """
    event = facts.event
    registration = registration_state(event)
    plan, note = plan_with_note(event, registration["players"])
    coming = [entry for entry in facts.entries.values() if entry.plays]
    timetable = event_timetable(facts, plan)
    return {
        "registration": registration,
        "in_days": days_until(event),
        "seats": seats_bar(registration["players"], event.capacity) if event.capacity else None,
        "coming": sorted(coming, key=lambda entry: entry.number)[:NAMED],
        "others": max(0, len(coming) - NAMED),
        "count": len(coming),
        "path": planned_path(plan) if plan else None,
        "day": tuple(_day(event, plan, timetable)) if plan and timetable else (),
        "timetable": timetable,
        "note": note,
        "format": format_labels([event.format])[event.format],
        "rounds": describe_rounds(event, plan),
        "prizes": describe_prizes(event),
        "organiser": event.created_by.name if event.created_by else "",
        "bring": describe_deck_sizes(event_rules_without_cards(event).format)
        if has_decks(event)
        else (),
    }


def describe_rounds(event: Event, plan: FormulaPlan | None) -> str:
    """Return "6 × 50 min" (rounds × minutes), or just the minutes without a plan."""
    minutes = _("%(minutes)s min") % {"minutes": event.minutes}
    if plan is None:
        return minutes
    return f"{sum(len(matches_by_round(stage)) for stage in plan.stages)} × {minutes}"


def describe_prizes(event: Event) -> str:
    """Return who wins prizes, as "Top 4" or "By record"; "" if none are public."""
    if not has_prizes(event):
        return ""
    table = event_prize_table(event)
    if table.by != PLACE:
        return _("By record")
    return _("Top %(places)s") % {"places": max(int(row.last) for row in table.rows)}


def describe_deck_sizes(deck_format: DeckFormat) -> tuple[str, ...]:
    """Return sentences on the number of cards in each part of a deck."""
    return tuple(translate(sentence) for sentence in deck_format.describe_sizes())


def days_until(event: Event) -> str:
    """Return when an event starts, as "today" or "in 12 days"; "" if it has started.

    Days are those of the event's time zone.
    """
    now = timezone.now()
    days = (event.starts_at.astimezone(event.zone).date() - now.astimezone(event.zone).date()).days
    if now >= event.starts_at or days < 0:
        return ""
    if days < 2:
        return _("tomorrow") if days else pgettext("day of an event", "today")
    return ngettext("in %(days)s day", "in %(days)s days", days) % {"days": days}


def _day(event: Event, plan: FormulaPlan, timetable: Timetable) -> Iterator[dict[str, Any]]:
    """Yield the rows of the day: check-in, stages and breaks, the end.

    ``played`` is a stage, or a round of an event of one stage; ``minutes`` are those of a break.
    """
    opens = event.starts_at - timedelta(minutes=event.here_minutes)
    yield {"begins": opens, "label": _("Check-in"), "new_day": False}
    stages = [
        translate(stage.label) if len(plan.stages) > 1 else ""
        for stage in plan.stages
        for _matches in matches_by_round(stage)
    ]
    left = iter(stages)
    named = [(row, "" if row["is_break"] else next(left, "")) for row in timetable.rows]
    for (stage, is_break), rows in groupby(named, lambda each: (each[1], each[0]["is_break"])):
        first = [row for row, _stage in rows]
        for row in first[:1] if stage else first:
            yield {
                "begins": row["begins"],
                "label": stage or row["label"],
                "new_day": row["new_day"],
                "played": not is_break,
                "minutes": (row["ends"] - row["begins"]) // timedelta(minutes=1) if is_break else 0,
            }
    yield {"begins": timetable.ends, "label": _("End"), "new_day": timetable.overnight}
