"""Series: sets of events with a table, their staff, who is who in them, and their log.

Neither archives of events nor their logs tell of series; undoing an act of an event, or restoring a
snapshot, leaves them as they are. Decisions on an erased player are deleted, and bonuses and
penalties lose the name (``series.erasing``). A series has an archive of its own.
"""

from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from rules.series.points import LONGEST_REASON
from tournaments.models.entry import Entry
from tournaments.models.event import Event
from tournaments.models.tables import BY_HAND, CODE, SEARCHED, WRITER, Column, SignedRow, Table

BESIDE = "a series is no part of its events"


class Series(models.Model):
    """A set of events with a page, staff and, if it has ``points``, standings.

    ``points`` is JSON of ``rules.series.points`` without adjustments, null for no standings;
    ``order`` are keys of ``rules.series.table.SERIES_CRITERIA``. ``seed`` is that of the random
    draw among tied people. ``names_are_people``: equal names are one person. ``prizes`` is JSON of
    ``rules.events.prizes``.

    ``version`` counts the acts. A closed series has ``closed_at`` and ``pinned``: its rules and
    digests of the results and people from which its standings were computed (``series.closing``).
    """

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField("name", max_length=120)
    points = models.JSONField(null=True, blank=True, default=None)
    order = models.JSONField(default=list, blank=True)
    seed = models.CharField(max_length=64)
    names_are_people = models.BooleanField(default=False)
    prizes = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=0)
    closed_at = models.DateTimeField(null=True, blank=True)
    pinned = models.JSONField(default=dict, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="series_created",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    events = models.ManyToManyField(Event, through="SeriesEvent", related_name="series")

    declared = Table(
        {
            "name": Column(words="its organiser chose it"),
            "slug order seed": CODE,
            "points": Column(words="numbers, and slugs of events"),
            "prizes": Column(words="its organiser chose them"),
            "pinned": Column(words=CODE),
        },
        plain="names_are_people version closed_at created_by created_at",
        beside=BESIDE,
    )

    class Meta:
        ordering = ["-created_at", "name"]
        verbose_name_plural = "series"

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the path of the public page."""
        return reverse("tournaments:series", args=[self.slug])


class SeriesStaff(models.Model):
    """A user's role on the staff of a series; helpers see what organisers see."""

    class Role(models.TextChoices):
        ORGANISER = "organiser", _("Organiser")
        HELPER = "helper", _("Helper")

    series = models.ForeignKey(Series, models.CASCADE, related_name="staff")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="series_roles")
    role = models.CharField(max_length=12, choices=Role)
    given_at = models.DateTimeField(auto_now_add=True)

    declared = Table({}, plain="series user role given_at", beside=BESIDE)

    class Meta:
        ordering = ["series", "id"]
        verbose_name_plural = "series staff"
        constraints = [
            models.UniqueConstraint(fields=["series", "user"], name="series_role_given_once")
        ]

    def __str__(self) -> str:
        return f"{self.user} – {self.get_role_display()}"


class SeriesEvent(models.Model):
    """An event that belongs to a series; one may belong to several.

    ``invited`` is empty unless the event is the final: {"first", "byes", "people": [[event slug,
    player number, number in the final], …]} of all invited people, in this order.
    """

    series = models.ForeignKey(Series, models.CASCADE, related_name="members")
    event = models.ForeignKey(Event, models.CASCADE, related_name="memberships")
    added_at = models.DateTimeField(auto_now_add=True)
    invited: Any = models.JSONField(default=dict, blank=True)

    declared = Table(
        {"invited": Column(words="slugs and numbers")}, plain="series event added_at", beside=BESIDE
    )

    class Meta:
        ordering = ["series", "event__starts_at", "event_id"]
        constraints = [
            models.UniqueConstraint(fields=["series", "event"], name="series_event_once")
        ]

    def __str__(self) -> str:
        return f"{self.series} – {self.event}"


class FinalRows(models.Model):
    """The final places, points, wins and opponents of a finished event's players.

    They are computed for its series (``series.final_rows``) and cached; ``head`` is the digest of
    the event's last log line at that time.
    """

    event = models.OneToOneField(Event, models.CASCADE, related_name="final_rows")
    head = models.CharField(max_length=64)
    rows = models.JSONField(default=list)

    declared = Table(
        {"head": CODE, "rows": Column(words="numbers")},
        plain="event",
        beside="computed from the event",
    )

    class Meta:
        verbose_name_plural = "final rows"

    def __str__(self) -> str:
        return f"{self.event} {self.head[:8]}"


class PersonDecision(models.Model):
    """A decision by a series' staff that players are, or are not, one person.

    One row for each player; rows of one ``number`` belong together and have the same ``same``.
    """

    series = models.ForeignKey(Series, models.CASCADE, related_name="decisions")
    number = models.PositiveIntegerField()
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="person_decisions")
    same = models.BooleanField()

    declared = Table({}, plain="series number entry same", beside=BESIDE)

    class Meta:
        ordering = ["series", "number", "id"]
        constraints = [
            models.UniqueConstraint(fields=["series", "number", "entry"], name="decided_once")
        ]

    def __str__(self) -> str:
        return f"{self.series} {self.number}: {self.entry}"


class SeriesAdjustment(SignedRow):
    """A bonus or penalty for a person in a series; ``entry`` is one of their entries."""

    series = models.ForeignKey(Series, models.CASCADE, related_name="adjustments")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="adjustments")
    points = models.CharField(max_length=16)
    reason = models.CharField("reason", max_length=LONGEST_REASON)
    at = models.DateTimeField(default=timezone.now)

    declared = Table(
        {"points": CODE, "reason": SEARCHED, "by_name": WRITER},
        plain="series entry by at",
        beside=BESIDE,
    )

    class Meta:
        ordering = ["series", "id"]

    def __str__(self) -> str:
        return f"{self.entry} {self.points}"


class SeriesPrize(models.Model):
    """A record that a person's prizes in a series were handed out at ``at``.

    ``entry`` is one of the person's entries.
    """

    series = models.ForeignKey(Series, models.CASCADE, related_name="prizes_given")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="series_prizes")
    at = models.DateTimeField(default=timezone.now)

    declared = Table({}, plain="series entry at", beside=BESIDE)

    class Meta:
        ordering = ["series", "id"]
        constraints = [
            models.UniqueConstraint(fields=["series", "entry"], name="series_prize_once")
        ]

    def __str__(self) -> str:
        return f"{self.series}: {self.entry}"


class SeriesLine(SignedRow):
    """A line of a series' log; never changed.

    ``number`` is the version after the act. ``values`` name people by (event slug, player number),
    never by name.
    """

    series = models.ForeignKey(Series, models.CASCADE, related_name="log")
    number = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now)
    action = models.CharField(max_length=40)
    values: Any = models.JSONField(default=dict)
    reason = models.CharField(max_length=LONGEST_REASON, blank=True, default="")

    declared = Table(
        {
            "action": CODE,
            "values": Column(words="slugs and numbers"),
            "reason": BY_HAND,
            "by_name": WRITER,
        },
        plain="series number at by",
        beside=BESIDE,
    )

    class Meta:
        ordering = ["series", "number"]
        constraints = [
            models.UniqueConstraint(fields=["series", "number"], name="series_line_once")
        ]

    def __str__(self) -> str:
        return f"{self.series} {self.number} {self.action}"
