"""The stored state of a round's clock."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.round import Round
from tournaments.models.tables import CODE, Table


class RoundClock(models.Model):
    """State of a clock after the last act; ``rules.events.clock`` computes the time left.

    ``used`` are the seconds before the current period, which began at ``since``, when the monotonic
    clock of the named machine showed ``ticks`` seconds. ``version`` counts the acts.
    """

    class State(models.TextChoices):
        READY = "ready", _("Not started")
        RUNNING = "running", _("Running")
        PAUSED = "paused", _("Stopped")

    round = models.OneToOneField(Round, models.CASCADE, related_name="clock")
    state = models.CharField(max_length=7, choices=State, default=State.READY)
    minutes = models.PositiveSmallIntegerField()
    used = models.FloatField(default=0)
    since = models.DateTimeField(null=True, blank=True)
    ticks = models.FloatField(null=True, blank=True)
    machine = models.CharField(max_length=40, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)

    declared = Table(
        {"machine": CODE},
        plain="round state minutes used since ticks started_at paused_at version",
        key="clocks",
        unlogged="minutes of a round, in the lines of its clock",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state="running", since__isnull=False)
                | (~models.Q(state="running") & models.Q(since__isnull=True)),
                name="only_a_running_clock_runs",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.get_state_display()}"
