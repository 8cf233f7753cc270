"""Deck checks, the time they cost a table, and penalties."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry import DeckSubmission, Entry
from tournaments.models.event import Event
from tournaments.models.match import Match, Round
from tournaments.models.signed import Signed
from tournaments.models.touched import Counted


class DeckCheck(Signed, models.Model):
    """A judge compares a player's cards with the list that was handed in.

    ``seed`` is what the table was picked from, empty when a judge named it. ``ticked`` holds
    the numbers of the lines found right, ``points`` the keys of the game's own points that
    were found right. ``submission`` is the version of the list that was looked at.
    """

    class Outcome(models.TextChoices):
        CLEAN = "clean", _("In order")
        MENDED = "mended", _("Mended, no penalty")
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
    outcome = models.CharField(_("outcome"), max_length=9, choices=Outcome, blank=True)
    note = models.CharField(_("note for the staff"), max_length=500, blank=True)
    version = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    by_name = models.CharField(max_length=80, blank=True, default="")

    class Meta:
        ordering = ["event", "-started_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["entry"],
                condition=models.Q(finished_at__isnull=True),
                name="one_open_deck_check",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entry} {self.started_at:%Y-%m-%d %H:%M}"


class TimeExtension(Signed, models.Model):
    """Minutes that a table may play longer than the others, and why."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="extensions")
    minutes = models.PositiveSmallIntegerField(_("minutes"))
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    check_made = models.ForeignKey(
        DeckCheck, models.SET_NULL, null=True, blank=True, related_name="extensions"
    )
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    by_name = models.CharField(max_length=80, blank=True, default="")

    class Meta:
        ordering = ["match", "pk"]

    def __str__(self) -> str:
        return f"{self.match} +{self.minutes}"


class Penalty(Signed, models.Model):
    """A penalty that a player was given; ``note`` is for the staff alone."""

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
    level = models.CharField(_("penalty"), max_length=16, choices=Level)
    infraction = models.CharField(_("what happened"), max_length=200)
    note = models.CharField(_("note for the staff"), max_length=500, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    by_name = models.CharField(max_length=80, blank=True, default="")

    objects = Counted["Penalty"].as_manager()

    class Meta:
        ordering = ["event", "pk"]
        verbose_name_plural = "penalties"

    def __str__(self) -> str:
        return f"{self.entry}: {self.get_level_display()}"
