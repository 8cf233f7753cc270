"""Staff roles and open invitations of an event."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from tournaments.models import Event, StaffInvitation, StaffRole


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleRow:
    """A staff role; one that ``stays`` is the last organiser's."""

    id: int
    name: str
    email: str
    role: str
    stays: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationRow:
    """An open invitation; ``email`` is what the organiser typed."""

    id: int
    email: str
    role: str
    until: datetime


def staff_rows(event: Event) -> tuple[RoleRow, ...]:
    """Return all roles, the oldest first; one query."""
    found = list(event.staff.select_related("user").order_by("id"))
    organisers = sum(item.role == StaffRole.Role.ORGANISER for item in found)
    return tuple(
        RoleRow(
            id=item.pk,
            name=str(item.user),
            email=item.user.email,
            role=item.get_role_display(),
            stays=item.role == StaffRole.Role.ORGANISER and organisers == 1,
        )
        for item in found
    )


def invitation_rows(event: Event) -> tuple[InvitationRow, ...]:
    """Return the open invitations, the oldest first; one query."""
    return tuple(
        InvitationRow(
            id=item.pk, email=item.email, role=item.get_role_display(), until=item.expires_at
        )
        for item in event.invitations.filter(expires_at__gt=timezone.now()).order_by("id")
    )


def open_invitation(token_hash: str) -> StaffInvitation | None:
    """Return the invitation with this hash, None if used or expired; one query."""
    return (
        StaffInvitation.objects.select_related("event")
        .filter(token_hash=token_hash, expires_at__gt=timezone.now())
        .first()
    )
