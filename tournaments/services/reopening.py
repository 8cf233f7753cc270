"""Stages that have closed, opened again."""

from rules.lifecycle import after
from tournaments.models import Event, Stage
from tournaments.permissions import Actor
from tournaments.selectors.facts import EventFacts, StageFacts
from tournaments.services.kept import Rows, keep, rows_of
from tournaments.services.log import record


def reopen_previous(facts: EventFacts, current: StageFacts, *, by: Actor) -> Stage:
    """Empty an open stage and open the one before it again; inside a transaction."""
    stage, previous = current.stage, facts.stages[current.stage.number - 2].stage
    rows = rows_of(facts.event)
    stage.groups.all().delete()
    stage.state, stage.opened_at = after("stage", stage.state, "unopen"), None
    stage.save()
    _open_again(facts.event, previous, stage, rows, by=by)
    return previous


def reopen_last(facts: EventFacts, *, by: Actor) -> None:
    """Open the last stage again after it closed; inside a transaction."""
    stage, rows = facts.stages[-1].stage, rows_of(facts.event)
    _open_again(facts.event, stage, stage, rows, by=by)


def _open_again(event: Event, closed: Stage, taken_back: Stage, rows: Rows, *, by: Actor) -> None:
    unclose(closed)
    opened = {"open": closed.key}
    line = record(event, "stage.taken_back", by=by, subject=taken_back.key, after=opened)
    keep(event, line, rows)


def unclose(stage: Stage) -> None:
    """Open a closed stage again: nobody holds a place by it any more."""
    stage.state, stage.closed_at = after("stage", stage.state, "reopen"), None
    stage.places = {}
    stage.save()
