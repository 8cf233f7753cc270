"""Snapshots of events."""

from django.db import models

from tournaments.models.event import Event
from tournaments.models.signed import account_column
from tournaments.models.tables import BY_HAND, CODE, Table


class Snapshot(models.Model):
    """A copy of an event, taken before an act that destroys results.

    ``document`` is the internal document of ``archive.writer``, compressed by gzip; ``version`` is
    the event's at that time, ``act`` the log action that followed.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="snapshots")
    version = models.PositiveIntegerField()
    act = models.CharField(max_length=40)
    document = models.BinaryField()
    at = models.DateTimeField(auto_now_add=True)
    by = account_column()

    declared = Table(
        {"act": CODE, "document": BY_HAND},
        plain="event version at by",
        beside="rows of the event themselves",
    )

    class Meta:
        ordering = ["event", "-pk"]

    def __str__(self) -> str:
        return f"{self.event} v{self.version}"
