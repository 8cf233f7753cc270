"""By which criteria each stage was closed: the order may have changed since."""

from tournaments.core.event_state import EventFacts
from tournaments.models import LogLine

Criteria = tuple[str, ...]


def criteria_at_close(facts: EventFacts) -> dict[str, Criteria]:
    """Return the order of the criteria when each stage closed, by its key; one query.

    A change keeps in the log what was before it; the first one after a stage closed tells what
    held then.
    """
    now = tuple(facts.event.criteria)
    found = {stage.stage.key: now for stage in facts.stages}
    actions = ("stage.closed", "event.changed")
    lines = LogLine.objects.filter(event=facts.event, action__in=actions).order_by("-number")
    held, seen = now, set[str]()
    for line in lines:
        if line.action == "stage.closed" and line.subject not in seen:
            seen.add(line.subject)
            found[line.subject] = held
        elif "criteria" in line.before:
            held = tuple(line.before["criteria"])
    return found
