"""How much an account may restore."""

from datetime import timedelta

from django.db.models import Sum
from django.utils import timezone

from accounts.ceilings import check_ceiling, check_stored, counts_bytes
from accounts.models import User
from tournaments.core.ceilings import not_started
from tournaments.models import Restoration


def check_ceilings(caller: User | None, size: int) -> None:
    """Raise BadInput if an account has restored too much; the event is stored already."""
    check_ceiling(caller, "restores_a_day", restored_lately)
    check_ceiling(caller, "events", not_started, adding=0)
    check_stored(caller, adding=size)


def restored_lately(user: User) -> int:
    """Return the number of archives an account restored within the last day; one query."""
    day = timezone.now() - timedelta(days=1)
    return Restoration.objects.filter(by=user, at__gt=day).count()


@counts_bytes
def bytes_restored(user: User) -> int:
    """Return the bytes of the archives that an account restored; one query."""
    restored = Restoration.objects.filter(by=user, event__isnull=False)
    return int(restored.aggregate(size=Sum("size", default=0))["size"])
