"""Reports that nobody answers confirm themselves: a write that time causes, not who reads.

No process waits for the time to pass. The front of pages and API (``pages.access.event_now``)
triggers this write before it reads an event, and a finished answer ends at the moment when the next
report is due (``pages.offers``), so that whoever asks then passes the front. The write has its own
transaction, lock and log lines, is nobody's act, and is the same whoever triggers it, once: asking
stays without consequence for who asks, as a ``GET`` must.
"""

from django.utils import timezone

from config import transaction
from rules.events.lifecycle import next_state
from tournaments.core.mapping import outcome_of
from tournaments.core.permissions import Actor
from tournaments.log.services import locked
from tournaments.matches.services import add_outcome, log_result, set_decision
from tournaments.models import Event, Report
from tournaments.results.acts import CONFIRMED
from tournaments.results.selectors.confirmations import confirms_reports, reports_due


def confirm_if_due(event: Event) -> Event:
    """Confirm the reports that are due, and return the event as it is afterwards.

    No query if the event has no time limit, one if nothing is due.
    """
    if not (confirms_reports(event) and reports_due(event, timezone.now()).exists()):
        return event
    return confirm_due(event)


@transaction.atomic
def confirm_due(event: Event) -> Event:
    """Confirm all reports that were not answered in time, and return the event read afresh."""
    event = locked(event)
    nobody = Actor()
    for report in reports_due(event, timezone.now()):
        match = report.match
        match.round.event = event
        state = next_state("match", match.state, "confirm")
        outcome = outcome_of(report, match.size)
        confirmation = add_outcome(match, Report.Kind.CONFIRMATION, outcome, by=nobody)
        set_decision(match, confirmation, state)
        log_result(match, CONFIRMED, by=nobody, report=confirmation)
    return event
