"""An event with its settings and its state; which events are listed."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from config.wording import translate
from decks.models import CardListVersion, Catalogue, CatalogueVersion
from decks.stored_formats import format_version_key
from rules.deckbuilding.formats import FORMATS
from rules.formulas import FORMULAS, TABLE_FORMULAS
from tournaments.models.tables import (
    ACCOUNT,
    CLOSED,
    CODE,
    OPEN,
    SEARCHED,
    Column,
    MarkingQuerySet,
    Table,
)


def formula_choices() -> list[tuple[str, str]]:
    """Return (slug, name) of each built-in tournament format, for a form field."""
    return [(formula.key, translate(formula.label)) for formula in (*FORMULAS, *TABLE_FORMULAS)]


def format_choices() -> list[tuple[str, str]]:
    """Return (slug, name) of each deck format, for a form field."""
    return [
        (item.key, f"{translate(item.game_label)} – {translate(item.label)}") for item in FORMATS
    ]


def usual_warnings() -> list[int]:
    """Return the default times of timer warnings, in minutes before a round ends."""
    return [15, 10, 5]


USUAL_HERE = 120
"""Minutes before the start from which players may say that they are here."""


class EventQuerySet(MarkingQuerySet["Event"]):
    """QuerySet of events, filtered by visibility or by staff."""

    def listed(self) -> "EventQuerySet":
        """Return the events in public lists."""
        return self.filter(listed=True).exclude(state=Event.State.DRAFT)

    def of_staff(self, user: Any) -> "EventQuerySet":
        """Return the events in which the user has a role."""
        return self.filter(pk__in=user.staff_roles.values("event"))


class Event(models.Model):
    """A tournament, from its announcement to the final standings.

    Without ``created_by`` it is the site's own, run by administrators. ``source`` is the event
    that it repeats. ``head`` is the digest of the log's last line (``chain``). If not ``listed``
    it is in no list, calendar, feed or search; its URL works.

    Decks: ``card_lists``, ``lists_dated`` and ``format_version`` (of an organiser's format) are
    those of the start, empty before. ``catalogue`` is the chosen one; if empty, the organiser's
    own or the site's is used, unless ``without_catalogue``. ``catalogue_version`` has the cards of
    the last start; if empty, the present ones. ``open_lists`` are keys of stages whose players see
    each other's decklists; everyone does after ``lists_published_at``. ``held_lists`` is the
    number of a stage whose decklists are not open yet (``core.visibility``).

    Play: ``apart_clubs``: Swiss rounds avoid pairing club members. ``paired_elsewhere``: another
    program pairs Swiss rounds, which are pasted. ``overtime`` are minutes after the round timer
    ends. ``leaving`` are numbers of players who drop after their match. A point has
    ``points_parts`` (``core.formulas``), ``table_points`` those of multiplayer tables
    (``rules.standings.rank_document``), null for ``win5``.

    Standings: ``standings_held`` says which rounds' standings are hidden until they are published
    up to round ``standings_released`` or the stage closes (``rules.events.held_standings``);
    ``held_stage`` is a closed stage that keeps them hidden (``core.event_state``).

    Hall: players may check in ``here_minutes`` before the start. ``prints_rounds``: published
    rounds are written as PDF to the site's folder. ``screen_view`` is pinned on the screen.
    ``breaks`` are planned (``rules.events.timetable.Break.as_json``); ``ends_by`` is the minute of
    the day of the latest end, on the next day if before the start. ``other_rooms`` are keys of
    events in other rooms, whose tables don't matter.

    ``information`` is Markdown. ``questions``, ``contact_terms`` and ``prizes`` are JSON of
    ``rules.events.questions``, ``rules.people.contacts`` and ``rules.events.prizes``; prizes are
    private in the log, and kept by restored snapshots and erasures.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        REGISTRATION = "registration", _("Registration open")
        CLOSED = "closed", _("Registration closed")
        RUNNING = "running", _("Running")
        FINISHED = "finished", _("Finished")

    class Held(models.TextChoices):
        NONE = "", _("Shown at once")
        LAST = "last", _("Hidden after the last round")
        ALL = "all", _("Hidden after every round")

    class Decklists(models.TextChoices):
        REQUIRED = "required", _("Required")
        OPTIONAL = "optional", pgettext_lazy("decklists", "Optional")
        OFF = "off", _("Not collected")

    class ScreenView(models.TextChoices):
        AUTOMATIC = "", _("Automatic")
        NAMES = "names", _("Names and tables")
        CLOCK = "playing", _("Timer and tables still playing")
        STANDINGS = "standings", _("Standings")
        BRACKET = "bracket", _("Bracket")
        PODIUM = "podium", _("Podium")
        ANNOUNCEMENT = "announcement", _("Announcement")

    slug = models.SlugField(max_length=80, unique=True)
    name = models.CharField("name", max_length=120)
    about = models.TextField("about", blank=True)
    information = models.TextField("information", blank=True, default="")
    venue = models.CharField("venue", max_length=200, blank=True)
    fee = models.CharField("note on the fee", max_length=200, blank=True, default="")
    starts_at = models.DateTimeField("starts at")
    time_zone = models.CharField("time zone", max_length=60, default="Europe/Rome")

    format = models.CharField("format", max_length=60, choices=format_choices)
    format_version = models.PositiveIntegerField(null=True, blank=True, default=None)
    formula = models.CharField("formula", max_length=60, choices=formula_choices)
    options = models.JSONField(default=dict)
    criteria = models.JSONField(default=list)
    points_win = models.PositiveSmallIntegerField("points for a win", default=3)
    points_draw = models.PositiveSmallIntegerField("points for a draw", default=1)
    points_loss = models.PositiveSmallIntegerField("points for a loss", default=0)
    points_parts = models.PositiveSmallIntegerField(null=True, blank=True, default=None)
    table_points = models.JSONField(null=True, blank=True, default=None)
    minutes = models.PositiveSmallIntegerField("minutes a round", default=50)
    warnings = models.JSONField("warnings before the end", default=usual_warnings, blank=True)
    overtime = models.PositiveSmallIntegerField("minutes of overtime", null=True, blank=True)
    breaks = models.JSONField("breaks", default=list, blank=True)
    ends_by = models.PositiveSmallIntegerField("must end by", null=True, blank=True, default=None)
    decklists = models.CharField(
        "decklists", max_length=10, choices=Decklists, default=Decklists.REQUIRED
    )
    decklist_deadline = models.DateTimeField("decklist deadline", null=True, blank=True)
    card_lists = models.ForeignKey(
        CardListVersion, models.PROTECT, null=True, blank=True, related_name="events"
    )
    lists_dated = models.DateField(null=True, blank=True)
    catalogue = models.ForeignKey(
        Catalogue,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="events",
        verbose_name="card catalogue",
    )
    without_catalogue = models.BooleanField("no card catalogue", default=False)
    catalogue_version = models.ForeignKey(
        CatalogueVersion, models.SET_NULL, null=True, blank=True, related_name="events"
    )
    open_lists = models.JSONField(default=list, blank=True)
    show_leaders = models.BooleanField("leaders are shown", default=False)
    lists_published_at = models.DateTimeField(null=True, blank=True)
    registration_opens = models.DateTimeField(
        "registration opens", null=True, blank=True, default=None
    )
    registration_closes = models.DateTimeField("registration closes", null=True, blank=True)
    capacity = models.PositiveIntegerField("capacity", null=True, blank=True)
    contact_terms = models.JSONField(default=dict, blank=True)
    questions = models.JSONField("questions", default=list, blank=True)
    player_reports = models.BooleanField("players report results", default=True)
    confirm_after = models.PositiveSmallIntegerField(
        "minutes until a report confirms itself", default=0
    )
    show_prospects = models.BooleanField("what is still needed is shown", default=True)
    standings_held = models.CharField(
        "standings held back", max_length=4, choices=Held, blank=True, default=""
    )
    standings_released = models.PositiveIntegerField(null=True, blank=True)
    leaving = models.JSONField(default=list, blank=True)
    held_stage = models.PositiveSmallIntegerField(
        "standings stay held back", null=True, blank=True, default=None
    )
    held_lists = models.PositiveSmallIntegerField(
        "decklists held back", null=True, blank=True, default=None
    )
    apart_clubs = models.BooleanField("clubs kept apart", default=False)
    paired_elsewhere = models.BooleanField("paired elsewhere", default=False)
    rulings = models.TextField("rulings of the head judge", blank=True)
    prizes = models.JSONField("prizes", default=dict, blank=True)

    other_rooms = models.JSONField(default=list, blank=True)
    tables = models.CharField("tables", max_length=120, blank=True, default="")
    here_minutes = models.PositiveSmallIntegerField("minutes before the start", default=USUAL_HERE)
    prints_rounds = models.BooleanField("rounds are written as PDF", default=False)
    listed = models.BooleanField("listed", default=True)
    screen_view = models.CharField(max_length=12, choices=ScreenView, blank=True, default="")

    state = models.CharField(max_length=12, choices=State, default=State.DRAFT)
    plan = models.JSONField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True, default="", editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="events_created",
    )
    source = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="repeats"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = EventQuerySet.as_manager()

    declared = Table(
        {
            "name": (OPEN, "its organiser chose it"),
            "starts_at lists_dated decklist_deadline registration_opens registration_closes": OPEN,
            "format formula points_win points_draw points_loss minutes decklists": OPEN,
            "without_catalogue show_leaders capacity player_reports confirm_after": OPEN,
            "show_prospects apart_clubs state created_at started_at finished_at": OPEN,
            "time_zone options criteria warnings open_lists plan table_points": (OPEN, CODE),
            "lists_published_at": Column(OPEN, stays=True),
            "about information venue fee rulings": (CLOSED, SEARCHED),
            "breaks": (CLOSED, "its organiser chose them"),
            "prizes": Column(CLOSED, "its organiser chose them", stays=True),
            "standings_held standings_released overtime": CLOSED,
            "slug": Column("the address; an archive may come back under another", CODE, stays=True),
            "version": Column("the number of the last line", stays=True, undone=False),
            "head": Column("the digest of the last line", CODE, stays=True, undone=False),
            "created_by": Column(ACCOUNT, stays=True),
            "held_stage": Column(
                "which stage's closing is not public; its line tells it", stays=True, undone=False
            ),
            "held_lists": Column(
                "which stage's lists are not open yet; its line tells it", stays=True, undone=False
            ),
            "other_rooms": Column("events of this installation", CODE, archived=False),
            "format_version": "a version of a format; started events keep it",
            "points_parts": "in which parts points are counted; settings' lines tell it",
            "source": Column(
                "the event that it repeats, set as it is made", stays=True, undone=False
            ),
            "catalogue": Column("a row of this installation", archived=False),
            "catalogue_version": Column("that of the last start", archived=False, undone=False),
            "tables": ("which tables of the hall it has; settings' lines tell it", CODE),
            "here_minutes": "when players may say that they are here; settings' lines tell it",
            "ends_by": "until when it may last; settings' lines tell it",
            "prints_rounds": "a folder of this installation",
            "questions": (
                "what is asked at registration; settings' lines tell it",
                "its organiser chose them",
            ),
            "contact_terms": (
                "what contact is asked for, and how long it is kept; settings' lines tell it",
                "its organiser chose them",
            ),
            "paired_elsewhere": "who pairs the rounds; settings' lines tell it",
            "leaving": ("who drops after the round; the line of the act tells it", CODE),
            "listed": "whether lists name it; settings' lines tell it",
            "screen_view": "what a screen shows; the lines of the screen tell it",
            "card_lists": "a row of this installation; started events keep it",
        },
        key="events",
        elsewhere={"source": ("slug",)},
        api=(
            "slug name about information format formula starts_at time_zone venue fee "
            "registration_opens registration_closes capacity decklists minutes criteria "
            "points_win=points.win points_draw=points.draw points_loss=points.loss state=status "
            "table_points=points options show_prospects apart_clubs paired_elsewhere confirm_after "
            "breaks ends_by overtime standings_held standings_released listed tables version "
            "contact_terms=memberships"
        ),
    )

    class Meta:
        ordering = ["-starts_at", "name"]
        indexes = [
            models.Index(fields=["state", "starts_at"]),
            models.Index(fields=["-starts_at"], name="events_latest_first"),
            # searches count by names, venues and formats alone, without reading the rows
            models.Index(fields=["state", "listed", "name", "venue"], name="events_by_name"),
            models.Index(fields=["state", "listed", "format"], name="events_by_format"),
        ]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def players_address(self) -> str:
        """Return the address below which each player's page is; a page asks for a hundred."""
        return reverse("tournaments:players", args=[self.slug])

    @property
    def format_key(self) -> str:
        """Return the name of the format, or of the version of it with which the event started."""
        if self.plan is None:
            return self.format
        return format_version_key(self.format, self.format_version)

    @property
    def confirms_reports(self) -> bool:
        """Return whether time makes a report of a player final."""
        return bool(self.confirm_after) and self.state == self.State.RUNNING

    @property
    def takes_fee(self) -> bool:
        """Return whether a fee is taken at the door: the note on the fee names an amount."""
        return any(sign.isdigit() for sign in self.fee)

    @property
    def takes_phones(self) -> bool:
        """Return whether players can sign their phones in (``joining``)."""
        return self.state not in (self.State.DRAFT, self.State.FINISHED)

    @property
    def here_from(self) -> datetime:
        """Return the moment from which players may say that they are here."""
        return self.starts_at - timedelta(minutes=self.here_minutes)

    @property
    def registration_opens_later(self) -> bool:
        """Return whether registration opens at a set time in the future."""
        opens, waits = self.registration_opens, self.state == self.State.REGISTRATION
        return waits and opens is not None and timezone.now() < opens

    @property
    def is_past_registration_close(self) -> bool:
        """Return whether registration, still open by state, is past its closing time."""
        closes, going = self.registration_closes, self.state == self.State.REGISTRATION
        return going and closes is not None and timezone.now() >= closes

    @property
    def zone(self) -> ZoneInfo:
        """Return the event's own time zone."""
        return ZoneInfo(self.time_zone)

    @property
    def begins(self) -> datetime:
        """Return when it begins, in its own zone."""
        return self.starts_at.astimezone(self.zone)
