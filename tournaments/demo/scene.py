"""What every demo event begins with."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone

from tournaments.core.permissions import Actor
from tournaments.demo.people import staff_of
from tournaments.events.services.events import create_event, move_event
from tournaments.models import Event

ZONE = ZoneInfo("Europe/Rome")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A demo event, at which point it stands, and links of players in it (name, token)."""

    event: Event
    point: str
    links: tuple[tuple[str, str], ...] = ()


def demo_event(by: Actor, slug: str, name: str, days: int, **values: Any) -> Event:
    """Make an event so many days from now, at ten in the morning, with the demo's staff."""
    day = timezone.localtime(timezone=ZONE).date() + timedelta(days=days)
    event = create_event(
        values={
            "slug": f"demo-{slug}",
            "name": name,
            "venue": "Sala della Luna",
            "starts_at": datetime(day.year, day.month, day.day, 10, tzinfo=ZONE),
            "format": "doomtrooper-original",
            "formula": "mutant-chronicles",
        }
        | values,
        by=by,
    )
    staff_of(event, by)
    return event


def opened(event: Event, by: Actor) -> Event:
    """Open an event's registration."""
    return move_event(event=event, action="open_registration", by=by)
