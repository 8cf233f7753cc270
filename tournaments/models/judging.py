"""Judge calls, announcements, rulings and staff notes."""

from django.db import models

from tournaments.models.entry import Entry
from tournaments.models.event import Event
from tournaments.models.play import Match
from tournaments.models.tables import SEARCHED, WRITER, SignedRow, Table, account_column


class JudgeCall(models.Model):
    """A call for a judge to a match, which a judge takes and closes.

    ``entry`` is the player who called, None if the staff did.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="calls")
    entry = models.ForeignKey(Entry, models.RESTRICT, null=True, related_name="calls")
    reason = models.CharField("reason", max_length=200, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    taken_at = models.DateTimeField(null=True, blank=True)
    taken_by = account_column()
    taken_by_name = models.CharField(max_length=80, blank=True, default="")
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = account_column()

    declared = Table(
        {"reason": SEARCHED, "taken_by_name": WRITER},
        plain="match entry at taken_at taken_by closed_at closed_by",
        key="calls",
        unlogged="a call for a judge changes nothing in the event",
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["match"],
                condition=models.Q(closed_at__isnull=True),
                name="one_open_call_a_match",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match}: {self.entry or '–'}"

    @property
    def taken_by_whom(self) -> str:
        """Return the name of the judge who took the call; empty without one."""
        return str(self.taken_by or self.taken_by_name)


class Announcement(models.Model):
    """An announcement that everybody sees until it expires or is ended."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="announcements")
    text = models.CharField("announcement", max_length=300)
    at = models.DateTimeField(auto_now_add=True)
    by = account_column()
    until = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    declared = Table(
        {"text": SEARCHED},
        plain="event at by until ended_at",
        key="announcements",
        unlogged="what is shown for a while changes nothing in the event",
    )

    class Meta:
        ordering = ["event", "pk"]

    def __str__(self) -> str:
        return self.text


class MatchWords(SignedRow):
    """Abstract model of a judge's text about a match.

    Public rulings and staff notes are separate tables, so that no page can mix them up.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="%(class)ss")
    text = models.CharField(max_length=500)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.match}: {self.text}"


class Ruling(MatchWords):
    """A public ruling on a match."""

    declared = Table(
        {"text": SEARCHED, "by_name": WRITER},
        plain="match at by",
        key="rulings",
        unlogged="words beside a match; its result counts",
    )


class StaffNote(MatchWords):
    """A note on a match that only the staff can read."""

    declared = Table(
        {"text": SEARCHED, "by_name": WRITER},
        plain="match at by",
        key="staff_notes",
        unlogged="words beside a match; its result counts",
    )
