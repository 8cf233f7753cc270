"""Minutes that tables play longer than the others."""

from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from tournaments.models import Match, TimeExtension


def with_extra(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Let each match know as ``extra_minutes`` how much longer it may play; no further query."""
    given = TimeExtension.objects.filter(match=OuterRef("pk")).order_by().values("match")
    total = given.annotate(total=Sum("minutes")).values("total")
    return matches.annotate(extra_minutes=Coalesce(Subquery(total), 0))


def extensions_of(match: Match) -> tuple[TimeExtension, ...]:
    """Return the minutes a table was given, one after the other, with who gave them; one query."""
    return tuple(match.extensions.select_related("by", "check_made__entry").order_by("pk"))
