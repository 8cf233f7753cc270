"""Snapshots of events, and who restored an event from an archive."""

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


class Restoration(models.Model):
    """The restoring of an event from an archive: by whom and when; not archived itself.

    People of the archive are stored as names. ``version`` is the event's as it came: the log up
    to that line is the archive's word, not what this site has seen. ``size`` is that of the archive
    in bytes. The row outlives the event, so that a deleted one still counts among those restored
    lately.
    """

    event = models.OneToOneField(Event, models.SET_NULL, null=True, related_name="restoration")
    by = account_column()
    at = models.DateTimeField(auto_now_add=True)
    version = models.PositiveIntegerField()
    size = models.PositiveBigIntegerField(default=0)

    declared = Table(
        {},
        plain="event by at version size",
        beside="who brought an archive",
    )

    def __str__(self) -> str:
        return f"{self.event} v{self.version}"
