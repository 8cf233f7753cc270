"""The line of advice beside the form of a new event: its rounds, its end, and one alternative."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.wording import explain, translate
from decks.rulebook import base_format
from rules.errors import BadInput, RuleError
from rules.events.timetable import breaks_of
from rules.formulas.base import DefaultGames, Formula
from rules.formulas.forecast import (
    Alternative,
    EventTimes,
    Forecast,
    PlannedStage,
    alternative,
    forecast,
)
from tournaments.core.moments import in_zone
from tournaments.events.forms.event import EventForm
from tournaments.events.forms.formula_fields import option_names, options_in

USUAL_HOUR = 10
USUAL_ZONE = "Europe/Rome"
SMALL = ("single-group",)
"""Formulas for players whom the chosen one cannot take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Another:
    """A button for another way; ``sets`` are values by field, typed as in the form."""

    words: str
    sets: dict[str, str]

    @property
    def sets_json(self) -> str:
        """Return the values as JSON."""
        return json.dumps(self.sets)


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceLine:
    """The line: what comes, the assumptions behind it, and another way."""

    words: str
    small: str = ""
    tone: str = ""
    another: Another | None = None


def advice_line(form: EventForm) -> AdviceLine:
    """Return the line for what a form holds now, bound or not; no query."""
    players, minutes = _cleaned_value(form, "capacity"), _cleaned_value(form, "minutes")
    formula = form.offered.get(form.chosen)
    if not (players and minutes and formula):
        return AdviceLine(words=_("Say how many places there are: here you read when it ends."))
    start, assumed = _start(form)
    times = EventTimes(
        start=start,
        zone=ZoneInfo(_cleaned_value(form, "time_zone") or USUAL_ZONE),
        minutes=minutes,
        breaks=breaks_of(_cleaned_value(form, "breaks") or ()),
    )
    options, games = _options(form, formula), _games(form)
    instead = [form.offered[key] for key in SMALL if key in form.offered]
    other = alternative(formula, options, players, times, games, instead=instead)
    try:
        found = forecast(formula, options, players, times, games)
    except RuleError as refused:
        return AdviceLine(
            words=explain(refused), tone="warn", another=_alternative_button(form, other, times)
        )
    return AdviceLine(
        words=_headline(found, times, assumed),
        small=" · ".join(_assumptions(found, times)),
        another=_alternative_button(form, other, times),
    )


def _cleaned_value(form: forms.Form, name: str) -> Any:
    """Return the cleaned value of one field, None where it is missing or wrong."""
    try:
        return form.fields[name].clean(form[name].value())
    except forms.ValidationError:
        return None


def _start(form: EventForm) -> tuple[datetime, bool]:
    """Return when the event begins, and whether that is assumed."""
    zone = ZoneInfo(_cleaned_value(form, "time_zone") or USUAL_ZONE)
    typed = _cleaned_value(form, "starts_at")
    if typed is not None:
        try:
            return in_zone(typed, zone), False
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
        return dict(formula.checked(dict(options_in(formula, values))))
    except BadInput:
        return dict(formula.checked({}))


def _games(form: EventForm) -> DefaultGames | None:
    chosen = _cleaned_value(form, "format")
    if not chosen:
        return None
    play = base_format(chosen).match
    return DefaultGames(match=play.best_of, final=play.final_best_of)


def _headline(found: Forecast, times: EventTimes, assumed: bool) -> str:
    values = {
        "players": found.players,
        "stages": stages_words(found),
        "time": f"{found.ends.astimezone(times.zone):%H:%M}",
        "start": f"{times.start:%H:%M}",
    }
    if assumed:
        return (
            _("%(players)s players: %(stages)s; begun at %(start)s it ends around %(time)s")
            % values
        )
    return _("%(players)s players: %(stages)s, ends around %(time)s") % values


def stages_words(found: Forecast) -> str:
    """Return the stages in words, such as "5 rounds and top 8"."""
    words = [_stage(stage, after=at > 0) for at, stage in enumerate(found.stages)]
    if len(found.stages) == 2 and found.stages[0].by_points and found.stages[1].bracket:
        return _("%(first)s and %(second)s") % {"first": words[0], "second": words[1]}
    return ", ".join(words)


def _stage(ahead: PlannedStage, *, after: bool) -> str:
    if ahead.bracket and after:
        return _("top %(players)s") % {"players": ahead.seats}
    rounds = ngettext("%(rounds)s round", "%(rounds)s rounds", ahead.rounds)
    words = rounds % {"rounds": ahead.rounds}
    if ahead.by_points:
        return words
    return f"{translate(ahead.stage.label).lower()} ({words})" if after or ahead.bracket else words


def _assumptions(found: Forecast, times: EventTimes) -> list[str]:
    words = [
        ngettext("%(tables)s table", "%(tables)s tables", found.tables) % {"tables": found.tables}
    ]
    if found.resting == 1:
        words.append(_("one bye a round"))
    rounds = ngettext(
        "%(rounds)s round of %(minutes)s minutes",
        "%(rounds)s rounds of %(minutes)s minutes",
        found.rounds,
    )
    words.append(rounds % {"rounds": found.rounds, "minutes": times.minutes})
    words.append(_("%(minutes)s between them") % {"minutes": times.between})
    if found.paused:
        words.append(_("%(minutes)s of breaks") % {"minutes": found.paused})
    if found.long:
        words.append(_("a long day: think of two"))
    return words


def _alternative_button(
    form: EventForm, other: Alternative | None, times: EventTimes
) -> Another | None:
    if other is None:
        return None
    time = f"{other.forecast.ends.astimezone(times.zone):%H:%M}"
    key = other.formula.key
    if key != form.chosen:
        words = _("%(formula)s: %(time)s") % {
            "formula": translate(other.formula.label),
            "time": time,
        }
        return Another(words=words, sets={"formula": key})
    if "rounds" in other.options:
        rounds = other.options["rounds"]
        return Another(
            words=_("%(rounds)s rounds: %(time)s") % {"rounds": rounds, "time": time},
            sets={f"option_{key}_rounds": str(rounds)},
        )
    sets: dict[str, str] = {}
    for name, value in other.options.items():
        if isinstance(value, list):
            sets |= {f"option_{key}_{name}_{at}": str(item) for at, item in enumerate(value)}
        else:
            sets[f"option_{key}_{name}"] = str(value)
    return Another(words=_("everybody twice: %(time)s") % {"time": time}, sets=sets)
