"""Stages, groups and seats."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry import Entry
from tournaments.models.event import Event
from tournaments.models.tables import CODE, OPEN, PLACE, Table
from tournaments.models.touched import MarkingQuerySet


class Stage(models.Model):
    """A part of an event with one kind of pairing; its plan is in the event's formula.

    ``seed`` decides what Swiss pairing leaves open: it is made when the stage opens and shown
    when it is closed, so that anybody can pair the rounds again.
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
    """A group of a stage; a knock-out has one."""

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
    """The 1-based place of an entry in a group, or an empty one.

    From ``struck_at`` on all matches of the entry in the group are void.
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
