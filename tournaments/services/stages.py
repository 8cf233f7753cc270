"""Stages: advancing from one to the next, a second leg, and the way back."""

from django.utils import timezone

from config import transaction
from rules.errors import RuleError
from rules.events.lifecycle import after
from rules.wording import gettext_noop as _
from tournaments.core.event_state import EventFacts, StageFacts, load_facts
from tournaments.core.permissions import Actor, can_manage, can_run_rounds, require
from tournaments.log.services import locked, record
from tournaments.models import Event, Stage
from tournaments.selectors.advance import known_places, origins_of
from tournaments.services.opening import open_stage
from tournaments.services.readiness import check_complete
from tournaments.services.reopening import reopen_previous


@transaction.atomic
def close_stage(*, event: Event, expected_stage: int, by: Actor) -> Stage | None:
    """Close the stage in progress and seat the next one; return the next, None after the last.

    Raises RuleError ``event_not_running``, ``stale`` when another stage is in progress,
    ``rounds_missing``, ``results_missing``, ``lots_needed``.
    """
    event = locked(event)
    require(can_run_rounds(by, event))
    after("event", event.state, "play")
    facts = load_facts(event)
    current = _stage_in_progress(facts, expected_stage)
    check_complete(current, facts)
    places = known_places(facts)
    stage = current.stage
    stage.state = after("stage", stage.state, "close")
    stage.closed_at = timezone.now()
    stage.places = dict(current.outcome.places)
    stage.save()
    following = None
    if stage.number < len(facts.stages):
        plan = facts.stages[stage.number].plan
        following = open_stage(
            event, stage.number + 1, plan, places, origins_of(facts.stages[: stage.number])
        )
    record(
        event,
        "stage.closed",
        by=by,
        subject=stage.key,
        after={"places": stage.places, "next": following.key if following else None},
    )
    return following


@transaction.atomic
def decide_second_leg(*, event: Event, expected_stage: int, by: Actor) -> Stage:
    """Play the second leg too, decided while the first runs.

    Raises RuleError ``event_not_running``, ``second_leg_decided``, ``one_leg_only``,
    ``extra_matches_made`` or ``lots_drawn``.
    """
    event = locked(event)
    require(can_run_rounds(by, event))
    after("event", event.state, "play")
    current = _stage_in_progress(load_facts(event), expected_stage)
    stage = current.stage
    after("stage", stage.state, "second_leg")
    if current.plan.one_leg_only or not current.kind.all_meet:
        raise RuleError("one_leg_only", _("This stage has one leg. Nothing was changed."))
    if current.extra_rounds:
        raise RuleError(
            "extra_matches_made",
            _("Extra matches were made already, so it stays at one leg. Nothing was changed."),
        )
    if any(current.lots):
        raise RuleError(
            "lots_drawn",
            _("Lots were drawn for this stage already, so it stays at one leg. Nothing changed."),
        )
    if stage.legs == 2:
        raise RuleError(
            "second_leg_decided", _("The second leg is decided already. Nothing was changed.")
        )
    stage.legs = 2
    stage.save(update_fields=["legs"])
    record(
        event, "stage.second_leg", by=by, subject=stage.key, before={"legs": 1}, after={"legs": 2}
    )
    return stage


@transaction.atomic
def take_back_stage(*, event: Event, expected_stage: int, by: Actor) -> Stage:
    """Take back the opening of a stage that has no round yet; the one before is open again."""
    event = locked(event)
    require(can_manage(by, event))
    after("event", event.state, "play")
    facts = load_facts(event)
    current = _stage_in_progress(facts, expected_stage)
    if current.rounds or current.stage.number == 1:
        raise RuleError(
            "stage_has_rounds",
            _("Only a stage without rounds can be taken back. Nothing was changed."),
        )
    return reopen_previous(facts, current, by=by)


def _stage_in_progress(facts: EventFacts, expected: int) -> StageFacts:
    current = facts.open_stage
    if current is None or current.stage.number != expected:
        raise RuleError(
            "stale",
            _("Another stage is in progress by now. Nothing was changed: load the page again."),
        )
    return current
