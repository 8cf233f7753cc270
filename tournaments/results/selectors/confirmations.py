"""Reports that the opponent has left unanswered for as long as the event allows."""

from datetime import datetime, timedelta

from django.db.models import F, Min, QuerySet

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
    due = _unanswered(event).filter(at__lte=now - timedelta(minutes=event.confirm_after))
    related = due.select_related("match__round")
    return related.order_by("match__round", "match__number")


def next_due(event: Event) -> datetime | None:
    """Return when the first unanswered report confirms itself, None without one.

    No query if the event has no time limit or is not running, else one.
    """
    if not confirms_reports(event):
        return None
    first: datetime | None = _unanswered(event).aggregate(at=Min("at"))["at"]
    return first and first + timedelta(minutes=event.confirm_after)


def confirms_reports(event: Event) -> bool:
    """Return whether unanswered reports of the event confirm themselves now."""
    return bool(event.confirm_after) and event.state == Event.State.RUNNING


def _unanswered(event: Event) -> QuerySet[Report]:
    if not confirms_reports(event):
        return Report.objects.none()
    return Report.objects.filter(
        match__round__event=event,
        match__state=Match.State.REPORTED,
        version=F("match__version"),
    )
