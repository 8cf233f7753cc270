"""Minutes that tables play longer than the others."""

from datetime import datetime

from django.db.models import Sum

from rules.events.deck_checks import extension_due
from tournaments.models import DeckCheck, Match, TimeExtension


def extensions_of(match: Match) -> tuple[TimeExtension, ...]:
    """Return the minutes a table was given, one after the other, with who gave them; one query."""
    return tuple(match.extensions.select_related("by", "check_made__entry").order_by("pk"))


def minutes_due(check: DeckCheck, end: datetime) -> int:
    """Return what the table of a check gets when the check ends at a moment; two queries.

    Nothing where no match is being played.
    """
    match = check.match
    if match is None or match.state == Match.State.FINAL:
        return 0
    others = match.deck_checks.filter(finished_at__isnull=False).exclude(pk=check.pk)
    spans = [(begin, done) for begin, done in others.values_list("started_at", "finished_at")]
    spans.append((check.started_at, end))
    for_checks = match.extensions.filter(check_made__isnull=False)
    given = for_checks.aggregate(total=Sum("minutes"))["total"] or 0
    return extension_due([(begin, done) for begin, done in spans if done], given)
