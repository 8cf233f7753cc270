"""What may change in the plan of an event, what a change brings, what players are told of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules.errors import BadInput, RuleError
from rules.formulas.base import DefaultGames
from rules.plan_changes import CUT, ROUNDS, THIRD_PLACE, CurrentStage, Settings
from rules.plans import FormulaPlan, StagePlan
from rules.results import PlayerId
from rules.scenarios import Verdict
from rules.stages.base import has_multiplayer_tables
from tournaments.core.event_state import EventFacts, StageFacts, facts_from_rows
from tournaments.core.formulas import formula_by_slug
from tournaments.core.labels import round_label, time_and_day_text
from tournaments.core.mapping import match_defaults, stored_plan
from tournaments.core.rows import RoundRow
from tournaments.core.valid_columns import integer_limits
from tournaments.events.selectors.timetable import event_timetable
from tournaments.models import Event, Stage
from tournaments.prospects.selectors import cached_prospects
from tournaments.rounds.selectors.discards import has_reported_results

MINUTES = "minutes"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChange:
    """A permitted change of a running event's plan.

    ``plan``: the plan after it; ``before`` and ``values``: old and new values of the changed
    settings, by name. ``index``: of the stage in progress, from 0; ``cancelled``: its last round,
    without results, which the change deletes, or None.
    """

    index: int
    plan: FormulaPlan
    before: dict[str, int | bool | None]
    values: dict[str, int | bool]
    cancelled: RoundRow | None


def changeable_settings(facts: EventFacts) -> dict[str, int | bool]:
    """Return {setting: value} of the plan's settings that may change now.

    Empty without an open stage. The queries are those of `stage_in_play`.
    """
    found = stage_in_play(facts)
    return found.settings() | {MINUTES: facts.event.minutes} if found else {}


def stage_in_play(facts: EventFacts) -> CurrentStage | None:
    """Return the open stage as the rules of plan changes need it, None without one.

    One query for a saved tournament format, and one if the last round may be cancelled.
    """
    current, plan = facts.open_stage, facts.plan
    if current is None or plan is None:
        return None
    event, play = facts.event, match_defaults(facts.event)
    return CurrentStage(
        plan=plan,
        index=current.stage.number - 1,
        state=current.state,
        made=len(current.regular_rounds) - (_round_without_results(current) is not None),
        drawn=any(current.lots) or bool(current.extra_rounds),
        formula=formula_by_slug(event.formula),
        options=event.options,
        games=DefaultGames(match=play.best_of, final=play.final_best_of),
    )


def compute_plan_change(
    facts: EventFacts, change: Settings, stage: int | None = None
) -> PlanChange:
    """Return a change of the plan without storing it.

    ``change``: {setting: new value}; ``stage``: number of the stage in progress, to check if given.
    The queries are those of `stage_in_play`. Raises RuleError ``plan_fixed``; BadInput
    ``bad_minutes`` and those of ``CurrentStage.changed``.
    """
    found, current = stage_in_play(facts), facts.open_stage
    if found is None or current is None:
        raise RuleError("plan_fixed", "No stage is in progress")
    if stage is not None and stage - 1 not in (found.index, found.knockout):
        raise RuleError("plan_fixed")
    minutes = change.get(MINUTES, facts.event.minutes)
    bounds = integer_limits(Event, MINUTES)
    if not bounds["min_value"] <= minutes <= bounds["max_value"]:
        raise BadInput(
            "bad_minutes",
            "Enter a whole number from %(least)s to %(most)s.",
            least=bounds["min_value"],
            most=bounds["max_value"],
        )
    settings = {key: value for key, value in change.items() if key != MINUTES}
    plan = found.plan
    if minutes == facts.event.minutes or settings:
        plan = found.changed(settings)
    was = found.settings()
    after = replace(found, plan=plan).settings()
    values = {key: value for key, value in after.items() if was.get(key) != value}
    before = {key: was.get(key) for key in values}
    if minutes != facts.event.minutes:
        before[MINUTES], values[MINUTES] = facts.event.minutes, minutes
    rounds = plan.stages[found.index].rounds  # 0 where players say how many
    cancelled = current.last_round if 0 < rounds < len(current.regular_rounds) else None
    return PlanChange(
        index=found.index, plan=plan, before=before, values=values, cancelled=cancelled
    )


def _round_without_results(stage: StageFacts) -> RoundRow | None:
    """Return the last round if nobody has reported a result of it; at most one query."""
    last = stage.last_round
    if last is None or last.is_extra:
        return None
    return None if has_reported_results(last.pk) else last


def plan_change_effects(facts: EventFacts, found: PlanChange) -> dict[str, Any]:
    """Return the effects of a plan change, for the page that confirms it.

    ``found``: the change. Keys: ``facts``: (label, value now or None, value after); ``cancelled``:
    label of the deleted round, or ""; ``lose``: players who would no longer be sure to advance;
    ``undefeated``: how many may finish undefeated, 0 if at most one. The queries are those of
    prospects.
    """
    later = _facts_after(facts, found)
    current, stage = facts.stages[found.index], later.stages[found.index]
    ends = _("Expected end"), _ends(facts), _ends(later)
    return {
        "facts": (*_settings_in_words(found.before, found.values), ends),
        "cancelled": round_label(current, found.cancelled) if found.cancelled else "",
        "lose": tuple(facts.entries[player] for player in _no_longer_through(current, stage)),
        "undefeated": _may_stay_undefeated(stage),
    }


def _ends(facts: EventFacts) -> str:
    times, event = event_timetable(facts, facts.plan), facts.event
    return time_and_day_text(times.ends, event.starts_at, event.zone) if times else ""


def _facts_after(facts: EventFacts, found: PlanChange) -> EventFacts:
    event = copy(facts.event)
    event.plan = found.plan.to_json()
    event.minutes = int(found.values.get(MINUTES, event.minutes))
    gone = found.cancelled
    rounds = tuple(item for item in facts.rows.rounds if gone is None or item.pk != gone.pk)
    return facts_from_rows(event, replace(facts.rows, rounds=rounds), drafts=True)


def _no_longer_through(before: StageFacts, after: StageFacts) -> Iterator[PlayerId]:
    """Yield who could be sure to advance before a change, and not after it, in seat order."""
    now = cached_prospects(after)
    for player, prospect in cached_prospects(before).items():
        through = player in now and now[player].verdict is Verdict.THROUGH
        if prospect.verdict is Verdict.THROUGH and not through:
            yield player


def _may_stay_undefeated(stage: StageFacts) -> int:
    """Return how many may win all their Swiss matches once all rounds are played; 0 for one."""
    if not stage.kind.pairs_by_points or has_multiplayer_tables(stage.plan):
        return 0
    lost = {
        player
        for played in stage.state.rounds
        for _pairing, result in played
        for player, place in zip(result.seats, result.places or (), strict=False)
        if place != 1 or result.is_draw
    }
    alive = set(stage.state.players) - lost - stage.state.withdrawn
    open_ = [
        alive.intersection(result.seats)
        for played in stage.state.rounds
        for _pairing, result in played
        if not result.is_played
    ]
    left = len(alive) - sum(max(0, len(both) - 1) for both in open_)
    for _round in range(stage.plan.rounds - len(stage.state.rounds)):
        left = ceil(left / 2)
    return left if left > 1 else 0


def _settings_in_words(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[tuple[str, str | None, str]]:
    """Yield the label of each setting that changes, its value before, if any, and after."""
    words: dict[str, tuple[str, Callable[[Any], str]]] = {
        ROUNDS: (_("Rounds"), str),
        CUT: (_("Top cut"), lambda cut: str(cut or pgettext("top cut", "none"))),
        THIRD_PLACE.key: (
            _("Match for third place"),
            lambda played: pgettext("match", "played") if played else _("not played"),
        ),
        MINUTES: (_("Minutes per round"), str),
    }
    for key, (label, told) in words.items():
        if key in after:
            was = before[key]
            yield label, None if was is None else told(was), told(after[key])


def plan_changes_text(event: Event) -> str:
    """Return a text on what was changed in a running event's plan since its start, or "".

    Only changes of stages from the open one on. At most one query, none without a change.
    """
    plan = event.plan if event.state == Event.State.RUNNING else None
    if plan is None or not any(stage.get("began") for stage in plan["stages"]):
        return ""
    number = event.stages.filter(state=Stage.State.OPEN).values_list("number", flat=True).first()
    if number is None:
        return ""
    stages = stored_plan(event).stages[number - 1 :]
    return " · ".join(part for at, stage in enumerate(stages) for part in _told(stage, stages[at:]))


def _told(stage: StagePlan, ahead: Sequence[StagePlan]) -> Iterator[str]:
    """Yield what of a stage differs from how it began, as "Rounds: 4 → 3"."""
    began = dict(stage.began)
    now = {
        ROUNDS: stage.rounds,
        CUT: ahead[1].size if len(ahead) > 1 else 0,
        THIRD_PLACE.key: stage.third_place,
    }
    after = {key: now[key] for key in began}
    for label, was, becomes in _settings_in_words(began, after):
        yield f"{label}: {was} → {becomes}"
