"""What an account has of events, for its limits."""

from accounts.models import User
from tournaments.models import Event


def not_started(user: User) -> int:
    """Return the number of an account's events that have not started; one query."""
    return Event.objects.filter(created_by=user, plan__isnull=True).count()
