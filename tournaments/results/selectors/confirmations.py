"""Reports that the opponent has left unanswered for as long as the event allows."""

from datetime import datetime, timedelta

from django.db.models import F, QuerySet

from tournaments.models import Event, Match, Report


def counts_at(event: Event, report: Report) -> datetime | None:
    """Return when an unanswered report confirms itself; None if it never does."""
    if not event.confirm_after:
        return None
    return report.at + timedelta(minutes=event.confirm_after)


def reports_due(event: Event, now: datetime) -> QuerySet[Report]:
    """Return the last reports of matches whose time for an answer is over.

    No query if the event has no time limit or is not running.
    """
    if not event.confirm_after or event.state != Event.State.RUNNING:
        return Report.objects.none()
    waiting = Report.objects.filter(
        match__round__event=event,
        match__state=Match.State.REPORTED,
        version=F("match__version"),
        at__lte=now - timedelta(minutes=event.confirm_after),
    )
    related = waiting.select_related("match__round", "match__a", "match__b")
    return related.order_by("match__round", "match__number")
