"""What the desk shows about sheets that are written automatically."""

from tournaments.core.event_state import EventFacts
from tournaments.core.values_cache import cached
from tournaments.models import LogLine


def unprinted(facts: EventFacts) -> LogLine | None:
    """Return the log line saying why the latest round could not be written as PDF, else None.

    One query once for these facts, none where the organiser has not switched the folder on.
    """
    if not facts.event.prints_rounds or not facts.last_ordinal:
        return None
    return cached(facts, "unprinted", lambda: _failure_of_latest_round(facts))


def _failure_of_latest_round(facts: EventFacts) -> LogLine | None:
    published = [item.ordinal for item in facts.rounds if item.published_at]
    failed = facts.event.log.filter(action="paper.failed", subject=str(max(published, default=0)))
    return failed.order_by("-number").first()
