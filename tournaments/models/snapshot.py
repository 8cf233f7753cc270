"""The whole of an event as it was before something was destroyed."""

from django.conf import settings
from django.db import models

from tournaments.models.event import Event


class Snapshot(models.Model):
    """The whole of an event, taken before an act that destroys results.

    ``document`` is JSON as of an archive, but with accounts by key, compressed by gzip;
    ``version`` the event's when it was taken, ``act`` the word of the log for what came next.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="snapshots")
    version = models.PositiveIntegerField()
    act = models.CharField(max_length=40)
    document = models.BinaryField()
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["event", "-pk"]

    def __str__(self) -> str:
        return f"{self.event} v{self.version}"
