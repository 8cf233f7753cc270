"""Rounds."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import Event
from tournaments.models.stage import Stage
from tournaments.models.tables import ACCOUNT, CLOSED, CODE, OPEN, PLACE, Table
from tournaments.models.touched import MarkingQuerySet


def level_sets(level: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Return the sets of players of a stored ``level``, which holds one set or several."""
    if not level:
        return ()
    nested = isinstance(level[0], list)
    return tuple(map(tuple, level if nested else [level]))


class Round(models.Model):
    """A round of a stage. ``ordinal`` counts through the event, ``number`` in the stage.

    ``apart`` are the pairs of players, by number, whom a Swiss round was to keep apart. A round
    of extra matches names in ``level`` the players, by number, who play for what the standings
    left open, or several sets of them; its results count for that alone.

    ``cost`` is what the tables of a round of tables cost (``rules.tables.field.Cost``), with
    ``proven`` and the ``method`` that made them; null for other rounds.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        PUBLISHED = "published", _("Published")

    event = models.ForeignKey(Event, models.CASCADE, related_name="rounds")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    ordinal = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=9, choices=State, default=State.DRAFT)
    drafted_at = models.DateTimeField(auto_now_add=True)
    drafted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    published_at = models.DateTimeField(null=True, blank=True)
    apart = models.JSONField(default=list, blank=True)
    level = models.JSONField(default=list, blank=True)
    cost = models.JSONField(null=True, blank=True, default=None)

    objects = MarkingQuerySet["Round"].as_manager()

    declared = Table(
        {
            "stage number ordinal state drafted_at published_at": OPEN,
            "level cost": (OPEN, CODE),
            "apart": (CLOSED, CODE),
            "event": PLACE,
            "drafted_by": ACCOUNT,
        },
        key="rounds",
        api="ordinal=number stage state level cost",
    )

    class Meta:
        ordering = ["event", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="round_number_once"),
            models.UniqueConstraint(fields=["event", "ordinal"], name="round_ordinal_once"),
        ]

    def __str__(self) -> str:
        return f"{self.event} – {self.ordinal}"

    @property
    def is_extra(self) -> bool:
        """Return whether this is a round of extra matches, outside the schedule of the stage."""
        return bool(self.level)

    @property
    def level_sets(self) -> tuple[tuple[int, ...], ...]:
        """Return the sets of level players of a round of extra matches; else empty."""
        return level_sets(self.level)
