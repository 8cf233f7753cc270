"""A new event with the settings, the staff and the announcements of a former one."""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from config import transaction
from tournaments.core.permissions import Actor, can_manage, require
from tournaments.events.services.events import create_event
from tournaments.models import Announcement, Event
from tournaments.staff.acts import STAFF_GIVEN
from tournaments.staff.services import assign_role


@transaction.atomic
def copy_event(*, source: Event, values: Mapping[str, Any], by: Actor) -> Event:
    """Create an event with these settings, and give its staff the roles that they had.

    Announcements come as ended ones, which the desk offers to make again
    (``core.announcements.former_announcements``); players do not come along. Only an
    organiser of the former event may copy it. Raises as ``create_event``.
    """
    require(can_manage(by, source))
    columns = ("information", "questions", "contact_terms")
    kept = {name: getattr(source, name) for name in columns}
    event = create_event(values=kept | dict(values), by=by)
    for role in source.staff.select_related("user"):
        assign_role(event, role.user, role.role, STAFF_GIVEN, by=by)
    now = timezone.now()
    texts = dict.fromkeys(source.announcements.values_list("text", flat=True))
    Announcement.objects.bulk_create(
        Announcement(event=event, text=text, by=by.user, until=now, ended_at=now) for text in texts
    )
    return event
