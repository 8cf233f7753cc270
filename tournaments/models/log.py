"""The event's log: one line for every write."""

from django.conf import settings
from django.db import models

from tournaments.models.entry import Entry
from tournaments.models.event import Event


class LogLine(models.Model):
    """Who did what and when, with what it was before and after. Lines are only added.

    ``number`` is the event's version after the write.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="log")
    number = models.PositiveIntegerField()
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    by_entry = models.ForeignKey(Entry, models.SET_NULL, null=True, blank=True, related_name="+")
    action = models.CharField(max_length=40)
    subject = models.CharField(max_length=200, blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["event", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="log_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.action}"
