"""Inverses of acts of ``stages``."""

from rules.events.lifecycle import next_state
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import Event, LogLine
from tournaments.stages.services import reopen_stage, take_back_stage


def undo_closing(event: Event, line: LogLine, by: Actor) -> None:
    """Reopen a stage, if no round of the next one exists."""
    next_state("event", event.state, "play")
    facts = load_facts(event)
    if facts.open_stage is not None:
        take_back_stage(event=event, expected_stage=facts.open_stage.stage.number, by=by)
        return
    reopen_stage(event, facts.stages[-1].stage)


def undo_second_leg(event: Event, line: LogLine, by: Actor) -> None:
    """Remove the second leg of a stage, if none of its rounds exists."""
    stage = event.stages.get(key=line.subject)
    next_state("stage", stage.state, "second_leg")
    stage.legs = line.before["legs"]
    stage.save(update_fields=["legs"])
