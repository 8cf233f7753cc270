"""Stages that have closed, opened again."""

from rules.lifecycle import after
from tournaments.models import Stage
from tournaments.permissions import Actor
from tournaments.selectors.facts import EventFacts, StageFacts
from tournaments.services.kept import keep, rows_of
from tournaments.services.log import record


def reopen_previous(facts: EventFacts, current: StageFacts, *, by: Actor) -> Stage:
    """Empty an open stage and open the one before it again; inside a transaction."""
    stage, previous = current.stage, facts.stages[current.stage.number - 2].stage
    rows = rows_of(facts.event)
    stage.groups.all().delete()
    stage.state, stage.opened_at = after("stage", stage.state, "unopen"), None
    stage.save()
    unclose(previous)
    opened = {"open": previous.key}
    line = record(facts.event, "stage.taken_back", by=by, subject=stage.key, after=opened)
    keep(facts.event, line, rows)
    return previous


def reopen_last(facts: EventFacts, *, by: Actor) -> None:
    """Open the last stage again after it closed; inside a transaction."""
    stage, rows = facts.stages[-1].stage, rows_of(facts.event)
    unclose(stage)
    opened = {"open": stage.key}
    line = record(facts.event, "stage.taken_back", by=by, subject=stage.key, after=opened)
    keep(facts.event, line, rows)


def unclose(stage: Stage) -> None:
    """Open a closed stage again: nobody holds a place by it any more."""
    stage.state, stage.closed_at = after("stage", stage.state, "reopen"), None
    stage.places = {}
    stage.save()
