"""What an account has of events, for its limits."""

from accounts.models import User
from tournaments.models import Event


def not_started(user: User) -> int:
    """Return how many events of an account have not started; one query."""
    return Event.objects.filter(created_by=user, plan__isnull=True).count()
