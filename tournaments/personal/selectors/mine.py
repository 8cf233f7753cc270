"""The events that somebody plays in or works for, and those of them that can't be shown."""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator

from accounts.models import User
from tournaments.core.drawing import drawn, readable_rows
from tournaments.events.selectors.events import A_PAGE
from tournaments.models import Entry, Event
from tournaments.public.selectors.everywhere import all_drawn_everywhere


@dataclass(frozen=True, slots=True, kw_only=True)
class MyEvents:
    """A user's events as a player and on the staff, each with the page that they are on.

    ``damaged``: slug and name of those on the page of the staff that some list can't show.
    """

    entries: tuple[Entry, ...]
    entries_page: Page[Entry]
    staffed: tuple[Event, ...]
    staffed_page: Page[Event]
    damaged: tuple[tuple[str, str], ...]

    @property
    def is_empty(self) -> bool:
        """Return whether there is no event."""
        return not (self.entries_page.paginator.count or self.staffed_page.paginator.count)


def my_events(user: User, playing: str | int = 1, working: str | int = 1) -> MyEvents:
    """Return a user's events, the latest first.

    At most four queries, one where an event is damaged, and those of ``all_drawn_everywhere``.
    """
    entries = Entry.objects.filter(user=user).exclude(event__state=Event.State.DRAFT)
    entries = entries.select_related("event").order_by("-event__starts_at", "-pk")
    entries_page = Paginator(readable_rows(entries), A_PAGE).get_page(playing)
    staffed = Event.objects.of_staff(user).order_by("-starts_at", "-pk")
    staffed_page = Paginator(readable_rows(staffed), A_PAGE).get_page(working)
    shown = tuple(all_drawn_everywhere(list(staffed_page)))
    return MyEvents(
        entries=tuple(drawn(entries_page, _with_beginning)),
        entries_page=entries_page,
        staffed=shown,
        staffed_page=staffed_page,
        damaged=_damaged_events(staffed_page, shown),
    )


def _with_beginning(entry: Entry) -> Entry:
    _begins: Any = entry.event.begins
    return entry


def _damaged_events(page: Page[Event], shown: tuple[Event, ...]) -> tuple[tuple[str, str], ...]:
    """Return the events of a page that are not among those shown; no query where all are."""
    if len(shown) == page.end_index() - max(page.start_index(), 1) + 1:
        return ()
    of_page: Any = page.paginator.object_list[page.start_index() - 1 : page.end_index()]
    named = of_page.values_list("pk", "slug", "name")
    known = {event.pk for event in shown}
    return tuple((slug, name) for pk, slug, name in named if pk not in known)
