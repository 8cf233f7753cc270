"""How an event would go, in words: its stages, how long it lasts, and when it ends."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.wording import translate
from rules.events.timetable import DAY
from rules.formulas.base import Formula
from rules.formulas.durations import PlannedStage


def label_of(formula: Formula, stages: Sequence[PlannedStage]) -> str:
    """Return the name of a formula, or that there are Swiss rounds and nothing after them."""
    alone = len(stages) == 1 and stages[0].by_points
    return _("Swiss only") if alone else translate(formula.label)


def stages_words(stages: Iterable[PlannedStage]) -> str:
    """Return stages in words, such as "5 rounds and top 8"."""
    found = tuple(stages)
    several = len(found) > 2
    words = [_stage_in_words(stage, named=several or at > 0) for at, stage in enumerate(found)]
    if len(found) == 2 and found[1].bracket:
        return _("%(first)s and %(second)s") % {"first": words[0], "second": words[1]}
    return ", ".join(words)


def _stage_in_words(ahead: PlannedStage, *, named: bool) -> str:
    if ahead.bracket and named and not ahead.stage.survivors > 1:
        return _("a final") if ahead.seats == 2 else _("top %(players)s") % {"players": ahead.seats}
    rounds = ngettext("%(rounds)s round", "%(rounds)s rounds", ahead.rounds)
    words = rounds % {"rounds": ahead.rounds}
    if not named and not ahead.bracket:
        return words
    return f"{translate(ahead.stage.label).lower()} ({words})"


def lasting(minutes: int) -> str:
    """Return minutes as text in hours and minutes; nobody counts those of more than a day."""
    if minutes > DAY:
        return _("more than one day")
    hours, rest = divmod(minutes, 60)
    return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": f"{rest:02}"}


def clock_words(moment: datetime, start: datetime, zone: ZoneInfo) -> str:
    """Return a moment as the time of day, and the day where it is not that of the start."""
    local = moment.astimezone(zone)
    days = (local.date() - start.astimezone(zone).date()).days
    time = f"{local:%H:%M}"
    if days == 1:
        return _("%(time)s the next day") % {"time": time}
    return _("%(time)s, %(days)s days later") % {"time": time, "days": days} if days > 1 else time
