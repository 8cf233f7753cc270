"""The events of a signed-in person."""

from dataclasses import dataclass

from accounts.models import User
from tournaments.models import Entry, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class MyEvents:
    """The events of a signed-in person: as a player, and on the staff."""

    entries: tuple[Entry, ...]
    staffed: tuple[Event, ...]


def my_events(user: User) -> MyEvents:
    """Return a person's events, the latest first; two queries."""
    entries = Entry.objects.filter(user=user).select_related("event")
    staffed = Event.objects.filter(staff__user=user).distinct()
    return MyEvents(
        entries=tuple(
            entries.exclude(event__state=Event.State.DRAFT).order_by("-event__starts_at")
        ),
        staffed=tuple(staffed.order_by("-starts_at")),
    )
