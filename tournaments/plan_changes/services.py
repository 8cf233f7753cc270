"""Change the plan of an event in play; draft a pasted round, which may be one more than planned."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_lazy as _

from config import transaction
from rules.drafts.given import ImportedTable
from rules.errors import RuleError
from rules.plan_changes import ROUNDS, Settings
from tournaments.core.acts import Act, CacheEffect, RowUndo
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor, can_rule
from tournaments.core.visibility import hidden_content, public_content
from tournaments.log.services import begin_act
from tournaments.models import Event, Round, Stage
from tournaments.plan_changes.selectors import (
    MINUTES,
    PlanChange,
    changeable_settings,
    compute_plan_change,
)
from tournaments.rounds.services import delete_round, draft_round
from tournaments.undo.services import undoable

PLAN_CHANGED = Act(
    key="event.plan",
    words=_("Plan changed"),
    may=can_rule,
    state="play",
    undo=RowUndo(),
    shows=CacheEffect.TAKES_AWAY,
    ask_undo=_("Undo the plan change?"),
)


@transaction.atomic
def change_plan(
    *,
    event: Event,
    change: Settings,
    stage: int | None = None,
    expected: Mapping[str, object] | None = None,
    by: Actor,
) -> PlanChange:
    """Change settings of a running event's plan, and return the change.

    ``change``: {name in ``rules.plan_changes`` or "minutes": new value}. ``stage``: number of the
    stage in progress, to check if given; ``expected``: {setting: value} that the page showed. A
    last round without results is deleted if it no longer fits. Raises RuleError
    ``event_not_running``, ``stale``, ``plan_fixed``; BadInput ``bad_minutes`` and those of
    ``CurrentStage.changed``.
    """
    event = begin_act(event, PLAN_CHANGED, by=by)
    facts = load_facts(event)
    now = changeable_settings(facts)
    if expected is not None and any(now.get(key) != value for key, value in expected.items()):
        raise RuleError("stale")
    found = compute_plan_change(facts, change, stage)
    shown_before = public_content(event)
    with undoable(event, PLAN_CHANGED, by=by) as act:
        if found.cancelled is not None:
            delete_round(event.rounds.get(pk=found.cancelled.pk))
            act.after["cancelled"] = found.cancelled.ordinal
        if MINUTES in change:
            event.minutes = int(change[MINUTES])
        event.plan = found.plan.to_json()
        event.save(update_fields=["plan", "minutes"])
        _store_stages(event, found)
        act.before = found.before
        act.after |= found.values
        if gone := hidden_content(shown_before, event):
            act.after["hides"] = gone
    return found


def _store_stages(event: Event, found: PlanChange) -> None:
    """Make the rows of stages those of the plan; stages to come alone appear or disappear."""
    stages = dict(enumerate(found.plan.stages, start=1))
    rows = {stage.number: stage for stage in event.stages.all()}
    for number in rows.keys() - stages.keys():
        rows[number].delete()
    for number, plan in stages.items():
        if number not in rows:
            Stage.objects.create(
                event=event, number=number, key=plan.key, kind=plan.kind, legs=plan.legs
            )
        elif (rows[number].key, rows[number].kind) != (plan.key, plan.kind):
            rows[number].key, rows[number].kind = plan.key, plan.kind
            rows[number].save(update_fields=["key", "kind"])


@transaction.atomic
def draft_pasted_round(
    *, event: Event, expected_round: int, given: Sequence[ImportedTable], by: Actor
) -> Round:
    """Draft a Swiss round with pairings from another program; return it.

    expected_round: its number, from 1. given: the pairings. If the event is paired elsewhere, an
    organiser or head judge can draft one round more than planned. Raises as ``draft_round`` and
    ``change_plan``.
    """
    facts = load_facts(event)
    stage = facts.open_stage
    more = stage is not None and stage.kind.pairs_by_points and stage.rounds_done
    if event.paired_elsewhere and more and stage and expected_round == facts.last_ordinal + 1:
        rounds = len(stage.regular_rounds) + 1
        change_plan(event=event, change={ROUNDS: rounds}, stage=stage.stage.number, by=by)
    return draft_round(event=event, expected_round=expected_round, given=given, by=by)
