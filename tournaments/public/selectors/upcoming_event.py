"""The page of an event before its start: places, facts, the day, what to bring, who is coming."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.wording import translate
from decks.formats.selectors import format_labels
from rules.deckbuilding.formats import DeckFormat
from rules.events.prizes import PLACE
from rules.formulas.adviser import matches_by_round
from rules.plans import FormulaPlan
from tournaments.core.event_state import EventFacts
from tournaments.core.visibility import has_decks
from tournaments.decklists.selectors.rules import format_of_event
from tournaments.events.selectors.rules_in_words import plan_or_reason
from tournaments.events.selectors.timetable import Timetable, timetable_of
from tournaments.models import Event
from tournaments.players.selectors.answers import registration_of
from tournaments.prizes.selectors import has_prizes, prizes_of
from tournaments.public.selectors.stage_path import planned_path

CELLS = 16
"""Cells of the bar of seats, if there are more seats than that."""
NAMED = 48
"""Players who are named; the others are counted."""


def seats_bar(taken: int, capacity: int) -> dict[str, Any]:
    """Return the bar of seats, one cell for each up to ``CELLS``."""
    count = min(CELLS, capacity)
    full = taken * count // capacity if taken < capacity else count
    return {"cells": tuple((13 * at, at < full) for at in range(count)), "wide": 13 * count}


def upcoming_event(facts: EventFacts) -> dict[str, Any]:
    """Return the content of an event's page before the start.

    Three queries, one more for a house format, and those of a saved formula.
    """
    event = facts.event
    registration = registration_of(event)
    plan, note = plan_or_reason(event, registration["players"])
    coming = [entry for entry in facts.entries.values() if entry.plays]
    timetable = timetable_of(facts, plan)
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
        "rounds": rounds_in_words(event, plan),
        "prizes": prizes_in_words(event),
        "organiser": event.created_by.name if event.created_by else "",
        "bring": deck_in_words(format_of_event(event).format) if has_decks(event) else (),
    }


def rounds_in_words(event: Event, plan: FormulaPlan | None) -> str:
    """Return the number of rounds and their minutes: "6 × 50 min"; without a plan the minutes."""
    if plan is None:
        return _("%(minutes)s min") % {"minutes": event.minutes}
    rounds = sum(len(matches_by_round(stage)) for stage in plan.stages)
    return _("%(rounds)s × %(minutes)s min") % {"rounds": rounds, "minutes": event.minutes}


def prizes_in_words(event: Event) -> str:
    """Return who wins prizes: "Top 4"; "" while there are none that everybody sees."""
    if not has_prizes(event):
        return ""
    table = prizes_of(event)
    if table.by != PLACE:
        return _("By record")
    return _("Top %(places)s") % {"places": max(int(row.last) for row in table.rows)}


def deck_in_words(deck_format: DeckFormat) -> tuple[str, ...]:
    """Return how many cards each part of a deck has."""
    return tuple(translate(sentence) for sentence in deck_format.describe_sizes())


def days_until(event: Event) -> str:
    """Return how many days there are until an event starts: "in 12 days"; "" once it should have.

    Days are those of the event's place.
    """
    now = timezone.now()
    days = (event.starts_at.astimezone(event.zone).date() - now.astimezone(event.zone).date()).days
    if now >= event.starts_at or days < 0:
        return ""
    if days < 2:
        return _("tomorrow") if days else _("today")
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
    yield {"begins": timetable.ends, "label": _("End, about"), "new_day": timetable.overnight}
