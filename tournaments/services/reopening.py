"""Stages that have closed, opened again."""

from rules.events.lifecycle import after
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.permissions import Actor
from tournaments.models import Stage
from tournaments.players.services.late_entries import miss_rounds_closed
from tournaments.services.kept import undoable


def reopen_previous(facts: EventFacts, current: StageFacts, *, by: Actor) -> Stage:
    """Empty an open stage and open the one before it again; inside a transaction."""
    stage, previous = current.stage, facts.stages[current.stage.number - 2].stage
    opened = {"open": previous.key}
    with undoable(facts.event, "stage.taken_back", by=by, subject=stage.key, after=opened) as act:
        stage.groups.all().delete()
        stage.state, stage.opened_at = after("stage", stage.state, "unopen"), None
        stage.save()
        unclose(previous)
        act.after |= miss_rounds_closed(facts.event, by=by)
    return previous


def reopen_last(facts: EventFacts, *, by: Actor) -> None:
    """Open the last stage again after it closed; inside a transaction."""
    stage = facts.stages[-1].stage
    opened = {"open": stage.key}
    with undoable(facts.event, "stage.taken_back", by=by, subject=stage.key, after=opened) as act:
        unclose(stage)
        act.after |= miss_rounds_closed(facts.event, by=by)


def unclose(stage: Stage) -> None:
    """Open a closed stage again: nobody holds a place by it any more."""
    stage.state, stage.closed_at = after("stage", stage.state, "reopen"), None
    stage.places = {}
    stage.save()
