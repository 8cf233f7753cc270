"""Former events that somebody can copy."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from tournaments.core.permissions import Actor
from tournaments.models import Event, StaffRole

MOST = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Former:
    """An event to copy, with its number of players."""

    slug: str
    name: str
    players: int
    starts_at: datetime
    time_zone: str


def former_events(actor: Actor) -> tuple[Former, ...]:
    """Return the latest events that the actor organises, at most ``MOST``; one query."""
    if actor.user is None:
        return ()
    own = StaffRole.objects.filter(user=actor.user, role=StaffRole.Role.ORGANISER)
    found = Event.objects.filter(pk__in=own.values("event")).order_by("-starts_at", "-pk")
    counted = found.annotate(players=Count("entries", filter=~Q(entries__status="waiting")))
    return tuple(
        Former(**values)
        for values in counted.values("slug", "name", "players", "starts_at", "time_zone")[:MOST]
    )
