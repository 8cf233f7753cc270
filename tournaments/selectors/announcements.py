"""What is announced to everybody now."""

from django.utils import timezone

from tournaments.models import Announcement, Event


def current_announcements(event: Event) -> tuple[Announcement, ...]:
    """Return what is shown now, the latest first; one query, none before the start."""
    if event.state != Event.State.RUNNING:
        return ()
    shown = event.announcements.filter(ended_at__isnull=True, until__gt=timezone.now())
    return tuple(shown.select_related("by").order_by("-pk"))
