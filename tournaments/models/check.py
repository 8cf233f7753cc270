"""Deck checks, extra minutes of tables, penalties, and the stored state of a round's clock."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry import DeckSubmission, Entry
from tournaments.models.event import Event
from tournaments.models.play import Match, Round
from tournaments.models.tables import (
    ACCOUNT,
    CLOSED,
    CODE,
    PLACE,
    SEARCHED,
    WRITER,
    MarkingQuerySet,
    SignedRow,
    Table,
)


class DeckCheck(SignedRow):
    """A judge's comparison of a player's cards with their submitted decklist.

    ``seed`` is the random seed that picked the table, "" if a judge chose it. ``ticked``: numbers
    of decklist lines found correct; ``points``: keys of the game's own checks found correct.
    ``submission`` is the decklist that was checked. ``beside``: other players' open checks at the
    table, if loaded. Without ``finished_at`` the check is open.
    """

    class Outcome(models.TextChoices):
        CLEAN = "clean", _("In order")
        MENDED = "mended", _("Fixed, no penalty")
        PENALTY = "penalty", _("Penalty")
        ABANDONED = "abandoned", _("Not finished")

    event = models.ForeignKey(Event, models.CASCADE, related_name="deck_checks")
    entry = models.ForeignKey(Entry, models.RESTRICT, related_name="deck_checks")
    round = models.ForeignKey(
        Round, models.SET_NULL, null=True, blank=True, related_name="deck_checks"
    )
    match = models.ForeignKey(
        Match, models.SET_NULL, null=True, blank=True, related_name="deck_checks"
    )
    submission = models.ForeignKey(
        DeckSubmission, models.RESTRICT, null=True, blank=True, related_name="deck_checks"
    )
    seed = models.CharField(max_length=64, blank=True)
    ticked = models.JSONField(default=list)
    points = models.JSONField(default=list)
    outcome = models.CharField("outcome", max_length=9, choices=Outcome, blank=True)
    note = models.CharField("note for the staff", max_length=500, blank=True)
    version = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    declared = Table(
        {"seed ticked points": CODE, "note": SEARCHED, "by_name": WRITER},
        plain="event entry round match submission outcome version started_at finished_at by",
        key="deck_checks",
        unlogged="a judge's work; what a check ends in is a penalty or minutes",
    )

    class Meta:
        ordering = ["event", "-started_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["entry"],
                condition=models.Q(finished_at__isnull=True),
                name="one_open_deck_check",
            ),
        ]

    beside: tuple["DeckCheck", ...] = ()

    def __str__(self) -> str:
        return f"{self.entry} {self.started_at:%Y-%m-%d %H:%M}"


class TimeExtension(SignedRow):
    """Extra minutes for a table, with their reason.

    ``check_made`` is the deck check that caused them, if any.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="extensions")
    minutes = models.PositiveSmallIntegerField("minutes")
    reason = models.CharField("reason", max_length=200, blank=True)
    check_made = models.ForeignKey(
        DeckCheck, models.SET_NULL, null=True, blank=True, related_name="extensions"
    )
    at = models.DateTimeField(auto_now_add=True)

    declared = Table(
        {"reason": SEARCHED, "by_name": WRITER},
        plain="match minutes check_made at by",
        key="extensions",
        unlogged="minutes of a table, in the lines that give and take them",
    )

    class Meta:
        ordering = ["match", "pk"]

    def __str__(self) -> str:
        return f"{self.match} +{self.minutes}"


class Penalty(SignedRow):
    """A penalty given to a player; only the staff can read its ``note``.

    ``check_made`` is the deck check that led to it, if any.
    """

    class Level(models.TextChoices):
        CAUTION = "caution", _("Caution")
        WARNING = "warning", _("Warning")
        GAME_LOSS = "game_loss", _("Game loss")
        MATCH_LOSS = "match_loss", _("Match loss")
        DISQUALIFICATION = "disqualification", _("Disqualification")

    event = models.ForeignKey(Event, models.CASCADE, related_name="penalties")
    entry = models.ForeignKey(Entry, models.RESTRICT, related_name="penalties")
    round = models.ForeignKey(
        Round, models.SET_NULL, null=True, blank=True, related_name="penalties"
    )
    match = models.ForeignKey(
        Match, models.SET_NULL, null=True, blank=True, related_name="penalties"
    )
    check_made = models.ForeignKey(
        DeckCheck, models.SET_NULL, null=True, blank=True, related_name="penalties"
    )
    level = models.CharField("penalty", max_length=16, choices=Level)
    infraction = models.CharField("what happened", max_length=200)
    note = models.CharField("note for the staff", max_length=500, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    objects = MarkingQuerySet["Penalty"].as_manager()

    declared = Table(
        {
            "entry level at": CLOSED,
            "infraction note": (CLOSED, SEARCHED),
            "event": PLACE,
            "round": "let go of when the round is taken back",
            "match": "let go of when the match is taken back",
            "check_made": "let go of when the check is taken back",
            "by": ACCOUNT,
            "by_name": (ACCOUNT, WRITER),
        },
        key="penalties",
    )

    class Meta:
        ordering = ["event", "pk"]
        verbose_name_plural = "penalties"

    def __str__(self) -> str:
        return f"{self.entry}: {self.get_level_display()}"


class RoundClock(models.Model):
    """The stored state of a round's timer.

    ``minutes`` is the whole time. ``used`` are the seconds that ran before the current period,
    which began at ``since``, when the monotonic clock of ``machine`` (a boot's identifier) showed
    ``ticks`` seconds. ``version`` counts the changes. The remaining time is computed by
    ``rules.events.clock``.
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
