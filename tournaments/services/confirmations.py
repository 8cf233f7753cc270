"""Reports that confirm themselves after a time that the event sets.

Tournament rules, A match (who may enter a result).
"""

from django.utils import timezone

from config import transaction
from rules.events.lifecycle import after
from tournaments.core.mapping import outcome_of
from tournaments.core.permissions import Actor
from tournaments.log.services import locked
from tournaments.models import Event, Report
from tournaments.selectors.confirmations import reports_due
from tournaments.services.matches import add_outcome, let_count, log_result


def confirm_if_due(event: Event) -> Event:
    """Confirm the reports that are due, and return the event as it is then.

    Every page and every call of the API begins with this (``views.access.find_confirmed``), so
    nothing has to run in the background. No query for events in which no report confirms itself,
    one where none is due.
    """
    if not reports_due(event, timezone.now()).exists():
        return event
    return confirm_due(event)


@transaction.atomic
def confirm_due(event: Event) -> Event:
    """Make the reports count that nobody has answered in time; return the event, fresh."""
    event = locked(event)
    nobody = Actor()
    for report in reports_due(event, timezone.now()):
        match = report.match
        match.round.event = event
        state = after("match", match.state, "confirm")
        word = add_outcome(match, Report.Kind.CONFIRMATION, outcome_of(report), by=nobody)
        let_count(match, word, state)
        log_result(match, "result.confirmed", by=nobody, report=word)
    return event
