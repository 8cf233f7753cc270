"""Record of a restored event."""

from django.conf import settings
from django.db import models

from tournaments.models.event import Event


class Restoration(models.Model):
    """Who restored an event from an archive, and when; not archived itself.

    What the archive says of people are names. ``version`` is the event's as it came: the log up
    to that line is the archive's word, not what this site has seen.
    """

    event = models.OneToOneField(Event, models.CASCADE, related_name="restoration")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)
    version = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.event} v{self.version}"
