"""Whether registration is open, and how many places are left."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.models import Entry, Event

PLAYING = (Entry.Status.REGISTERED, Entry.Status.CHECKED_IN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """State of registration, in ``words``; ``opens`` is a moment in the future.

    ``for_waiting`` of the places are free, but go to who is waiting.
    """

    is_open: bool
    players: int
    waiting: int
    places_left: int | None
    for_waiting: int
    opens: datetime | None
    words: str

    @property
    def leads_to_waiting_list(self) -> bool:
        """Return whether a new registration goes to the waiting list."""
        return self.places_left == 0


def registration_of(event: Event) -> Registration:
    """Return the state of registration; one query."""
    counted = event.entries.aggregate(
        players=Count("pk", filter=Q(status__in=PLAYING)),
        waiting=Count("pk", filter=Q(status=Entry.Status.WAITING)),
    )
    taken = counted["players"] + counted["waiting"]  # who waits goes before who comes later
    left = None if event.capacity is None else max(0, event.capacity - taken)
    free = max(0, (event.capacity or 0) - counted["players"])
    for_waiting = min(free, counted["waiting"])
    going = event.state == Event.State.REGISTRATION and not is_closed_by_time(event)
    waits = going and is_to_open(event)
    is_open = going and not waits
    return Registration(
        is_open=is_open,
        players=counted["players"],
        waiting=counted["waiting"],
        places_left=left,
        for_waiting=for_waiting,
        opens=event.registration_opens if waits else None,
        words=_state_in_words(event, is_open=is_open, waits=waits, left=left, promised=for_waiting),
    )


def is_to_open(event: Event) -> bool:
    """Return whether registration opens at a moment in the future."""
    opens = event.registration_opens
    return event.state == Event.State.REGISTRATION and opens is not None and timezone.now() < opens


def is_closed_by_time(event: Event) -> bool:
    """Return whether registration was opened, and is over because its time is."""
    closes = event.registration_closes
    over = closes is not None and timezone.now() >= closes
    return event.state == Event.State.REGISTRATION and over


def _state_in_words(
    event: Event, *, is_open: bool, waits: bool, left: int | None, promised: int
) -> str:
    if event.state == Event.State.DRAFT:
        return _("This event is a draft: only its staff see it.")
    if event.plan is not None:
        return _("The event has started, so registration is closed.")
    if waits:
        return _("Registration is not open yet.")
    if not is_open:
        return _("Registration is closed. Ask the organiser for a place.")
    if left is None:
        return _("Registration is open.")
    if left == 0 and promised:
        return _("The places left are for who is waiting. You can join the waiting list.")
    if left == 0:
        return _("All places are taken. You can join the waiting list.")
    return _("Registration is open. Places left: %(left)s of %(all)s.") % {
        "left": left,
        "all": event.capacity,
    }
