"""Standings that are held back from the public, and the staff's view of them."""

from tournaments.core.event_state import EventFacts, facts_of
from tournaments.core.labels import round_label


def held_labels(facts: EventFacts) -> tuple[str, ...]:
    """Return the labels of the rounds whose standings are held back; no query."""
    return tuple(
        round_label(stage, item)
        for stage in facts.stages
        for item in stage.rounds
        if item.pk in stage.held
    )


def with_held(facts: EventFacts) -> EventFacts:
    """Return facts that include the results of rounds whose standings are held back; no query."""
    if not any(stage.held for stage in facts.stages):
        return facts
    return facts_of(facts.event, facts.rows, drafts=False, held=False)
