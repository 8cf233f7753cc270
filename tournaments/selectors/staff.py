"""Who works on an event."""

from dataclasses import dataclass

from tournaments.models import Event, StaffRole


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleRow:
    """A role of a person; the last organiser keeps theirs."""

    id: int
    name: str
    email: str
    role: str
    stays: bool


def staff_rows(event: Event) -> tuple[RoleRow, ...]:
    """Return all roles in the order in which they were given; one query."""
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
