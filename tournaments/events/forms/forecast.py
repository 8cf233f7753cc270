"""The preview beside the form of an event: its rounds, its timetable, its end, and other ways."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _

from config.wording import error_message, translate
from rules.errors import BadInput, RuleError
from rules.events.timetable import Slot, read_breaks
from rules.formulas.base import DefaultGames, Formula
from rules.formulas.forecast import (
    Alternative,
    EventTimes,
    Forecast,
    find_alternative_options,
    find_alternatives,
    forecast,
    next_time_of_day,
    plan_slots,
)
from rules.plans import FormulaPlan
from tournaments.core.labels import formula_label, rounds_text, stages_text, time_and_day_text
from tournaments.core.moments import localize_in_zone
from tournaments.events.forms.event import EventForm
from tournaments.events.forms.formula_fields import (
    option_initial,
    option_names,
    options_from_fields,
)
from tournaments.events.selectors.timetable import round_labels

USUAL_HOUR = 10
USUAL_ZONE = "Europe/Rome"
SMALL = ("single-group",)
"""Formulas for players whom the chosen one cannot take."""
IN_TIME = ("swiss-cut", "groups-knockout")
"""Formulas that are tried where the chosen one ends too late."""


MOST_OTHERS = 2
"""Other ways that are offered at most."""
MOST_NAMED = 2
"""Stages that are named in a sentence at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormForecast:
    """A forecast of an event from its form; empty if too little is filled in.

    ``words``: the forecast; ``small``: its assumptions; ``tone``: CSS class; ``others``: buttons
    with alternatives. ``stages``: {seats, label, rounds}; ``rows``: the timetable. ``short`` and
    ``ends``: summary and end for phones.
    """

    words: str = ""
    small: str = ""
    tone: str = ""
    others: tuple[dict[str, Any], ...] = ()
    stages: tuple[dict[str, Any], ...] = ()
    rows: tuple[dict[str, Any], ...] = ()
    ends: str = ""
    short: str = ""


def forecast_from_form(form: EventForm, players: int = 0) -> FormForecast:
    """Return the forecast for a form's present values, bound or not; no query.

    ``players``: 0 takes the expected number, else the capacity.
    """
    for name in ("expected", "capacity"):
        players = players or (_cleaned_value(form, name) if name in form.fields else 0) or 0
    minutes = _cleaned_value(form, "minutes")
    formula = form.offered.get(form.chosen)
    if not (players and minutes and formula):
        return FormForecast()
    start, assumed = _start_or_usual(form)
    zone = ZoneInfo(_cleaned_value(form, "time_zone") or USUAL_ZONE)
    ends_by = _cleaned_value(form, "ends_by")
    times = EventTimes(
        start=start,
        zone=zone,
        minutes=minutes,
        breaks=read_breaks(_cleaned_value(form, "breaks") or []),
        until=None if ends_by is None else next_time_of_day(start, ends_by, zone),
    )
    asked = (formula, _options(form, formula), players, times, _games(form))
    drawn: dict[str, Any] = {}
    try:
        found = forecast(*asked)
    except RuleError as refused:
        words, tone, late, small = error_message(refused), "warn", False, ""
    else:
        words, late = _headline(found, times), found.late
        tone, small = "warn" if late else "", " · ".join(_assumptions(found, times, assumed))
        drawn = _drawn(formula.plan(players, asked[1], asked[4]), found, times)
    if late:
        others = find_alternatives(*asked, instead=_offered_formulas(form, IN_TIME))
    else:
        another = find_alternative_options(*asked, instead=_offered_formulas(form, SMALL))
        others = (another,) if another else ()
    if late and not others:
        small = " · ".join((_("Start earlier, or play over two days"), small))
    buttons = tuple(_alternative_button(form, other, times) for other in others[:MOST_OTHERS])
    return FormForecast(words=words, small=small, tone=tone, others=buttons, **drawn)


def _drawn(plan: FormulaPlan, found: Forecast, times: EventTimes) -> dict[str, Any]:
    """Return stages, timetable and end as the preview draws them."""
    labels = list(round_labels(plan, {}))
    first = found.stages[0].rounds
    stages = tuple(
        {
            "seats": one.seats,
            "label": translate(one.stage.label),
            "rounds": rounds_text(one.rounds),
        }
        for one in found.stages
    )
    rows = tuple(
        {
            "time": f"{slot.begins.astimezone(times.zone):%H:%M}",
            "label": labels[slot.round - 1].rpartition(" · ")[2]
            if slot.round
            else (slot.label or _("Break")) + f", {_minutes(slot)} min",
            "is_break": not slot.round,
            "later": slot.round > first,
        }
        for slot in plan_slots(plan, times)
    )
    return {
        "stages": stages,
        "rows": rows,
        "ends": time_and_day_text(found.ends, times.start, times.zone),
        "short": f"{_stages(found)} · {_tables(found)}",
    }


def _minutes(slot: Slot) -> int:
    return int((slot.ends - slot.begins).total_seconds() // 60)


def _tables(found: Forecast) -> str:
    return _("Tables") + f": {found.tables}"


def _offered_formulas(form: EventForm, keys: Iterable[str]) -> list[Formula]:
    return [form.offered[key] for key in keys if key in form.offered]


def _cleaned_value(form: forms.Form, name: str) -> Any:
    """Return the cleaned value of one field, None where it is missing or wrong."""
    try:
        return form.fields[name].clean(form[name].value())
    except forms.ValidationError:
        return None


def _start_or_usual(form: EventForm) -> tuple[datetime, bool]:
    """Return when the event begins, and whether that is assumed."""
    zone = ZoneInfo(_cleaned_value(form, "time_zone") or USUAL_ZONE)
    typed = _cleaned_value(form, "starts_at")
    if typed is not None:
        try:
            return localize_in_zone(typed, zone), False
        except forms.ValidationError:
            pass
    today = timezone.now().astimezone(zone)
    return today.replace(hour=USUAL_HOUR, minute=0, second=0, microsecond=0), True


def _options(form: EventForm, formula: Formula) -> dict[str, Any]:
    """Return the options of the chosen formula; its usual ones where a field is wrong."""
    values = {}
    for name in option_names(formula):
        value = _cleaned_value(form, name)
        values[name] = (
            form.get_initial_for_field(form.fields[name], name) if value is None else value
        )
    try:
        return dict(formula.checked(dict(options_from_fields(formula, values))))
    except BadInput:
        return dict(formula.checked({}))


def _games(form: EventForm) -> DefaultGames | None:
    play = form.play()
    return DefaultGames(match=play.best_of, final=play.final_best_of) if play else None


def _stages(found: Forecast) -> str:
    """Return the stages in words; of many only the rounds, as the preview draws each of them."""
    many = len(found.stages) > MOST_NAMED
    return rounds_text(found.rounds) if many else stages_text(found.stages)


def _headline(found: Forecast, times: EventTimes) -> str:
    values = {
        "players": found.players,
        "stages": _stages(found),
        "time": time_and_day_text(found.ends, times.start, times.zone),
    }
    words = _("%(players)s players: %(stages)s, ends around %(time)s") % values
    if times.until is not None and found.late:
        until = time_and_day_text(times.until, times.start, times.zone)
        return f"{words} · " + _("Must end by") + f": {until}"
    return words


def _assumptions(found: Forecast, times: EventTimes, assumed: bool) -> list[str]:
    words = [_("Start") + f": {times.start:%H:%M}"] if assumed else []
    words.append(_tables(found))
    if found.resting == 1:
        words.append(_("Byes") + ": 1")
    words.append(_("Minutes per round") + f": {times.minutes}")
    words.append(_("Minutes between rounds") + f": {times.between}")
    if found.paused:
        words.append(_("Breaks") + f": {found.paused}")
    if found.long:
        words.append(_("Start earlier, or play over two days"))
    return words


def _alternative_button(form: EventForm, other: Alternative, times: EventTimes) -> dict[str, Any]:
    """Return a button for another way; ``sets`` are values by field as JSON, as in the form."""
    time = time_and_day_text(other.forecast.ends, times.start, times.zone)
    return {
        "words": f"{_alternative_in_words(form, other)}: {time}",
        "sets": json.dumps(_values_to_set(form, other)),
    }


def _alternative_in_words(form: EventForm, other: Alternative) -> str:
    """Return what an alternative changes, in words."""
    options, stages = other.options, stages_text(other.forecast.stages)
    if other.minutes is not None:
        return _("Minutes per round") + f" {other.minutes}"
    if other.formula.key != form.chosen:
        label = formula_label(other.formula, other.forecast.stages)
        return f"{label}, {stages}" if options else label
    if options.keys() == {"legs"}:
        (legs,) = options.values()
        often = max(legs) if isinstance(legs, list) else legs
        return _("Each pair meets") + f" {often}×"
    rounds = options.get("rounds")
    if len(options) == 1 and isinstance(rounds, int):
        return rounds_text(rounds)
    return stages


def _values_to_set(form: EventForm, other: Alternative) -> dict[str, str]:
    """Return the values by field that make the event so; the formula first."""
    key, sets = other.formula.key, dict[str, str]()
    if other.minutes is not None:
        return {"minutes": str(other.minutes)}
    if key != form.chosen:
        sets["formula"] = key
    for name, value in other.options.items():
        if isinstance(value, list):
            sets |= option_initial(key, name, value)
        elif isinstance(value, bool):
            sets[f"option_{key}_{name}"] = "on" if value else ""
        else:
            sets[f"option_{key}_{name}"] = str(value)
    return sets
