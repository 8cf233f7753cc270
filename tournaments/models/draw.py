"""Verifiable draws."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Event
from tournaments.models.play import Stage
from tournaments.models.tables import (
    ACCOUNT,
    CLOSED,
    CODE,
    OPEN,
    PLACE,
    SEARCHED,
    MarkingQuerySet,
    Table,
    account_column,
)


class Draw(models.Model):
    """A random draw from a seed that stays secret until the draw.

    ``fingerprint``, the seed's SHA-256, is public before. ``entrants`` and ``order`` are player
    numbers before and after; entrants of the starting order are [number, seed position or null].
    Each event has one announced draw: its fingerprint is published before it is known what the draw
    will decide. ``by_hand``: people drew, and there is no seed.
    """

    class State(models.TextChoices):
        ANNOUNCED = "announced", "Announced"
        DRAWN = "drawn", "Drawn"

    class Kind(models.TextChoices):
        START = "start", _("Starting order")
        LOTS = "lots", "Drawing of lots"

    event = models.ForeignKey(Event, models.CASCADE, related_name="draws")
    stage = models.ForeignKey(Stage, models.SET_NULL, null=True, blank=True, related_name="draws")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=9, choices=State, default=State.ANNOUNCED)
    kind = models.CharField(max_length=5, choices=Kind, blank=True)
    fingerprint = models.CharField(max_length=64, blank=True)
    seed = models.CharField(max_length=64, blank=True)
    by_hand = models.BooleanField(default=False)
    witnesses = models.CharField("witnesses", max_length=300, blank=True)
    note = models.CharField("note", max_length=500, blank=True)
    entrants = models.JSONField(default=list)
    order = models.JSONField(default=list)
    announced_at = models.DateTimeField(auto_now_add=True)
    drawn_at = models.DateTimeField(null=True, blank=True)
    by = account_column()

    objects = MarkingQuerySet["Draw"].as_manager()

    declared = Table(
        {
            "stage number state kind by_hand announced_at drawn_at": OPEN,
            "fingerprint seed entrants order": (OPEN, CODE),
            "witnesses note": (CLOSED, SEARCHED),
            "event": PLACE,
            "by": ACCOUNT,
        },
        key="draws",
        stays=True,
    )

    class Meta:
        ordering = ["event", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="draw_number_once"),
            models.UniqueConstraint(
                fields=["event"],
                condition=models.Q(state="announced"),
                name="one_announced_draw",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} – {self.number}"
