"""Staff roles and open invitations of an event."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from tournaments.models import Event, StaffInvitation, StaffRole


def staff_rows(event: Event) -> tuple[dict[str, Any], ...]:
    """Return all roles, the oldest first; one query.

    A staff role; one that ``stays`` is the last organiser's.
    """
    found = list(event.staff.select_related("user").order_by("id"))
    organisers = sum(item.role == StaffRole.Role.ORGANISER for item in found)
    return tuple(
        {"given": item, "stays": item.role == StaffRole.Role.ORGANISER and organisers == 1}
        for item in found
    )


def open_invitations(event: Event) -> QuerySet[StaffInvitation]:
    """Return the open invitations, the oldest first; one query."""
    return event.invitations.filter(expires_at__gt=timezone.now()).order_by("id")


def open_invitation(token_hash: str) -> StaffInvitation | None:
    """Return the invitation with this hash, None if used or expired; one query."""
    return (
        StaffInvitation.objects.select_related("event")
        .filter(token_hash=token_hash, expires_at__gt=timezone.now())
        .first()
    )
