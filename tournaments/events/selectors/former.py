"""Former events that somebody can copy."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from tournaments.core.drawing import drawn, surviving
from tournaments.core.permissions import Actor
from tournaments.events.selectors.events import PLAYING, planned_players
from tournaments.models import Event, StaffRole

MOST = 30
SHOWN = ("slug", "name", "starts_at", "time_zone", "plan")


@dataclass(frozen=True, slots=True, kw_only=True)
class Former:
    """An event to copy, with its number of players."""

    slug: str
    name: str
    players: int
    starts_at: datetime
    time_zone: str


def _former(event: Event) -> Former:
    entered: int = event.entered  # type: ignore[attr-defined]
    return Former(
        slug=event.slug,
        name=event.name,
        players=planned_players(event) or entered,
        starts_at=event.begins,
        time_zone=event.time_zone,
    )


def former_events(actor: Actor) -> tuple[Former, ...]:
    """Return the latest events that the actor organises, at most ``MOST``; one query."""
    if actor.user is None:
        return ()
    own = StaffRole.objects.filter(user=actor.user, role=StaffRole.Role.ORGANISER)
    found = Event.objects.filter(pk__in=own.values("event")).order_by("-starts_at", "-pk")
    counted = found.annotate(entered=Count("entries", filter=Q(entries__status__in=PLAYING)))
    return tuple(drawn(surviving(counted.only(*SHOWN)[:MOST]), _former))
