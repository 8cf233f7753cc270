"""The demo's accounts."""

import secrets
from dataclasses import dataclass

from django.conf import settings

from accounts.models import User
from tournaments.core.permissions import Actor
from tournaments.models import Event, StaffRole
from tournaments.staff.services import give_role

ORGANISER = "organiser@example.org"
PLAYER = "player@example.org"
STAFF = {
    "headjudge@example.org": ("Livio", StaffRole.Role.HEAD_JUDGE),
    "judge@example.org": ("Gemma", StaffRole.Role.JUDGE),
    "scorekeeper@example.org": ("Piero", StaffRole.Role.SCOREKEEPER),
}
OPEN_PASSWORD = "girone-demo"  # noqa: S105 - printed for everybody, on a developer's machine only


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account of the demo; ``password`` is empty for an account that existed before."""

    email: str
    role: str
    password: str


def demo_organiser() -> User:
    """Return the organiser's account, created without a password if missing."""
    found = User.objects.filter(email=ORGANISER).first()
    return found or User.objects.create_user(ORGANISER, name="Marta", can_create_events=True)


def demo_accounts() -> list[Account]:
    """Create missing accounts and set passwords; return all accounts.

    With ``ONLY_HERE`` the password is fixed; otherwise it is random, and existing ones are kept.
    """
    names = {ORGANISER: ("Marta", "organiser"), PLAYER: ("Nora", "player")}
    names |= {email: (name, str(role)) for email, (name, role) in STAFF.items()}
    fresh = OPEN_PASSWORD if settings.ONLY_HERE else secrets.token_urlsafe(12)
    made = []
    for email, (name, role) in names.items():
        user = User.objects.filter(email=email).first()
        if user is None:
            user = User.objects.create_user(email, name=name, can_create_events=email == ORGANISER)
        password = "" if user.has_usable_password() and not settings.ONLY_HERE else fresh
        if password and not user.check_password(password):
            user.set_password(password)
            user.save(update_fields=["password"])
        made.append(Account(email=email, role=role, password=password))
    return made


def close_accounts() -> list[str]:
    """Lock the demo's accounts that still have the known password; return their addresses.

    Where others reach the site, anybody could sign in by it. ``demo_accounts`` opens them again.
    """
    closed = []
    for user in User.objects.filter(email__in=[ORGANISER, PLAYER, *STAFF]).order_by("email"):
        if user.check_password(OPEN_PASSWORD):
            user.set_unusable_password()
            user.save(update_fields=["password"])
            closed.append(user.email)
    return closed


def give_staff_roles(event: Event, by: Actor) -> None:
    """Give the demo's judges and scorekeeper their roles."""
    for email, (_name, role) in STAFF.items():
        give_role(event=event, email=email, role=role, by=by)
