"""Stages, groups, seats and rounds."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry import Entry
from tournaments.models.event import Event
from tournaments.models.tables import ACCOUNT, CLOSED, CODE, OPEN, PLACE, MarkingQuerySet, Table


class Stage(models.Model):
    """A part of an event with one kind of pairing; the event's plan describes it.

    ``places`` are player numbers by place code, stored when the stage closes. ``seed`` decides
    between equal choices of Swiss pairing; it is made when the stage opens and public once it is
    closed, so that anybody can pair the rounds again. ``legs``: matches of each pair in a round
    robin.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("To come")
        OPEN = "open", _("In progress")
        CLOSED = "closed", _("Closed")

    event = models.ForeignKey(Event, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=40)
    kind = models.CharField(max_length=40)
    legs = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    places = models.JSONField(default=dict)
    seed = models.CharField(max_length=64, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = MarkingQuerySet["Stage"].as_manager()

    declared = Table(
        {
            "number legs state opened_at closed_at": OPEN,
            "key kind places seed": (OPEN, CODE),
            "event": PLACE,
        },
        key="stages",
        freed={"state": str(State.CLOSED)},
        api="number key kind legs state places",
    )

    class Meta:
        ordering = ["event", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="stage_number_once"),
            models.UniqueConstraint(
                fields=["event"], condition=models.Q(state="open"), name="one_open_stage"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} – {self.number} {self.key}"


class Group(models.Model):
    """A group of a stage; a knock-out has one for all players."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="groups")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)

    objects = MarkingQuerySet["Group"].as_manager()

    declared = Table(
        {"number": OPEN, "name": (OPEN, "“A”, “B”"), "stage": PLACE},
        key="groups",
    )

    class Meta:
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="group_number_once"),
            models.UniqueConstraint(fields=["stage", "name"], name="group_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class Seat(models.Model):
    """A seat of a group, numbered from 1; free without an entry.

    If ``struck_at`` is set, all matches of the entry in the group are void.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="seats")
    group = models.ForeignKey(Group, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, models.RESTRICT, null=True, blank=True, related_name="seats")
    struck_at = models.DateTimeField(null=True, blank=True)

    objects = MarkingQuerySet["Seat"].as_manager()

    declared = Table(
        {"number entry struck_at": OPEN, "stage": "follows from the group", "group": PLACE},
        key="seats",
    )

    class Meta:
        ordering = ["group", "number"]
        constraints = [
            models.UniqueConstraint(fields=["group", "number"], name="seat_number_once"),
            models.UniqueConstraint(
                fields=["stage", "entry"],
                condition=models.Q(entry__isnull=False),
                name="entry_seated_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.group} {self.number}"


def tied_player_sets(level: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Return the sets of tied player numbers in ``Round.level``.

    It lists one set or several.
    """
    if not level:
        return ()
    nested = isinstance(level[0], list)
    return tuple(map(tuple, level if nested else [level]))


class Round(models.Model):
    """A round; ``ordinal`` counts through the event, ``number`` in the stage.

    ``apart`` are pairs of player numbers that a Swiss round avoided. ``level`` is empty unless the
    round consists of tiebreaker matches: then the numbers of the tied players, one list or several;
    the results only order these players. ``cost`` is the seating cost of multiplayer tables
    (``rules.tables.field.SeatingCost``), with ``proven`` and ``method``; null for other rounds.
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
        """Return whether this is a round of tiebreaker matches, outside the schedule of the
        stage."""
        return bool(self.level)

    @property
    def level_sets(self) -> tuple[tuple[int, ...], ...]:
        """Return the sets of level players of a round of tiebreaker matches; else empty."""
        return tied_player_sets(self.level)
