"""Rounds and stages as objects of sentences ("Prepare the quarter-finals", "Close the Swiss"), and
stages and times of a forecast in words.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from config.wording import in_words, translate
from rules.events.timetable import DAY
from rules.formulas.adviser import PlannedStage
from rules.formulas.base import Formula
from rules.plans import StagePlan
from rules.stages import kind_of
from rules.stages.base import StageState
from tournaments.core.event_state import StageFacts
from tournaments.core.extra_matches import extra_label
from tournaments.core.labels import final_label, round_of_match
from tournaments.core.rows import AnyMatch, AnyRound, RoundRow

ROUNDS: dict[str, Promise] = {
    "Round of %(players)s": gettext_lazy("the round of %(players)s"),
    "Quarter-finals": gettext_lazy("the quarter-finals"),
    "Semi-finals": gettext_lazy("the semi-finals"),
    "Final": gettext_lazy("the final"),
    "Final and third place": gettext_lazy("the final and the match for third place"),
}
"""By the label that a kind of stage gives the round."""
OF_ROUNDS: dict[str, Promise] = {
    "Round of %(players)s": gettext_lazy("of the round of %(players)s"),
    "Quarter-finals": gettext_lazy("of the quarter-finals"),
    "Semi-finals": gettext_lazy("of the semi-finals"),
    "Final": gettext_lazy("of the final"),
}
"""The same as what a match belongs to."""
STAGES: dict[str, Promise] = {
    "Swiss rounds": gettext_lazy("the Swiss"),
    "Groups": gettext_lazy("the groups"),
    "Preliminary": gettext_lazy("the preliminary"),
}
"""By the label of the stage."""


def the_round(state: StageState, number: int, ordinal: int) -> str:
    """Return a stage's ``number``-th round as an object: "the semi-finals", "round 4".

    ``ordinal`` counts through the event: rounds without a name of their own are called by it.
    """
    if kind_of(state.plan).names_rounds:
        label = kind_of(state.plan).describe_round(state, number)
        if found := ROUNDS.get(label.template):
            return str(found) % in_words(label.values)
    return pgettext("object of a sentence", "round %(number)s") % {"number": ordinal}


def the_round_made(stage: StageFacts, item: AnyRound) -> str:
    """Return a round that has been made as an object."""
    if item.is_extra:
        return f"“{extra_label(stage, item)}”"
    keys = [each.pk for each in stage.regular_rounds]
    return the_round(stage.state, keys.index(item.pk) + 1, item.ordinal)


def the_round_at(stage: StageFacts, ordinal: int) -> str:
    """Return the round of this number in the event as an object: of the stage, or its next one."""
    made = next((item for item in stage.rounds if item.ordinal == ordinal), None)
    if made is not None:
        return the_round_made(stage, made)
    return the_round(stage.state, len(stage.regular_rounds) + 1, ordinal)


def of_the_round(stage: StageFacts, item: AnyRound, match: AnyMatch) -> str:
    """Return to which round a match belongs: "of round 4", "of the final", "(Third place)"."""
    if not item.is_extra and not stage.kind.names_rounds:
        return _("of round %(number)s") % {"number": item.ordinal}
    if not item.is_extra and not final_label(stage.plan, match.number):
        keys = [each.pk for each in stage.regular_rounds]
        label = stage.kind.describe_round(stage.state, keys.index(item.pk) + 1)
        if found := OF_ROUNDS.get(label.template):
            return str(found) % in_words(label.values)
    return f"({round_of_match(stage, item, match)})"


def counted_rounds(stage: StageFacts) -> list[RoundRow]:
    """Return the rounds that the stage's standings count: all but those held back."""
    return [item for item in stage.rounds if item.pk not in stage.held]


def the_stage(plan: StagePlan) -> str:
    """Return a stage as an object: "the groups", or its name in quotes."""
    found = STAGES.get(plan.label.template)
    return str(found) if found else _("“%(stage)s”") % {"stage": translate(plan.label)}


def stage_and_round(stage: str, label: str) -> str:
    """Return "Groups · Round 3", one of both where it says the other: "Preliminary, round 1"."""
    return " · ".join(filter(None, (stage_beside(stage, label), label)))


def stage_beside(stage: str, label: str) -> str:
    """Return the name of a stage to stand beside a round's, "" where the round's has it."""
    return "" if label == stage or label.startswith(f"{stage},") else stage


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
