"""Players in an event, their personal links, contacts and decklists."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from decks.models import Decklist
from rules.events.joining import LASTS, oldest_valid_request
from rules.events.lifecycle import Departure
from rules.people.person_names import join_names
from tournaments.models.event import Event
from tournaments.models.tables import (
    CLOSED,
    CODE,
    OPEN,
    OWN,
    PLACE,
    SEARCHED,
    WRITER,
    Column,
    MarkingQuerySet,
    SignedRow,
    Table,
)


def status_label(status: str, departure: str) -> str:
    """Return the label of a player's status; "No-show" for a player who never came.

    ``status``: value of ``Entry.Status``; ``departure``: value of ``Departure`` for a player who
    dropped, else "".
    """
    if departure == Departure.NO_SHOW:
        return str(Entry.Left.NO_SHOW.label)
    return str(Entry.Status(status).label)


class EntryQuerySet(MarkingQuerySet["Entry"]):
    """Entries, filtered by status or annotated with their personal links."""

    def playing(self) -> "EntryQuerySet":
        """Return the active entries: registered or checked in."""
        return self.filter(status__in=[Entry.Status.REGISTERED, Entry.Status.CHECKED_IN])

    def waiting(self) -> "EntryQuerySet":
        """Return the waiting list in order of registration."""
        return self.filter(status=Entry.Status.WAITING).order_by("waiting_since", "number")

    def joinable(self) -> "EntryQuerySet":
        """Return the players whom a phone can sign in as: who plays or waits for a place."""
        return self.filter(
            status__in=[Entry.Status.REGISTERED, Entry.Status.CHECKED_IN, Entry.Status.WAITING]
        )

    def with_links(self) -> "EntryQuerySet":
        """Annotate each entry with ``has_link``: whether it has a valid personal link."""
        live = PersonalLink.objects.filter(entry=models.OuterRef("pk"), revoked_at__isnull=True)
        return self.annotate(has_link=models.Exists(live))  # type: ignore[no-redef]

    def with_holders(self) -> "EntryQuerySet":
        """Annotate each entry with ``linked``, whether somebody has a link, and ``held``.

        Somebody holds it who has a link, or whose account is the player.
        """
        live = PersonalLink.objects.filter(entry=models.OuterRef("pk"), revoked_at__isnull=True)
        opened = models.Exists(live.filter(unopened=False))
        found = self.annotate(linked=opened)  # type: ignore[no-redef]
        return found.annotate(held=models.Q(user__isnull=False) | models.Q(linked=True))  # type: ignore[no-redef]


class Entry(models.Model):
    """A player in an event, with a number that is unique in it.

    ``surname`` is part of ``name``; if "", it is guessed (``rules.people.surnames``). ``byes``: the
    player has a bye in that many first rounds. Until ``deck_open_until`` the player may submit a
    decklist although decklists are locked. ``fixed_table`` is their table in every round.
    ``answers``, by question key, are for the staff. ``left`` is how a dropped player left; if "",
    it follows from matches played (``rules.events.lifecycle``). ``origin`` is the same person's
    entry in an earlier event; erasing either clears it. ``prize_given_at`` is when their prize was
    handed out.
    """

    class Status(models.TextChoices):
        REGISTERED = "registered", _("Registered")
        WAITING = "waiting", _("On the waiting list")
        CHECKED_IN = "checked_in", _("Checked in")
        WITHDRAWN = "withdrawn", _("Dropped")
        DISQUALIFIED = "disqualified", _("Disqualified")

    class Left(models.TextChoices):
        NO_SHOW = Departure.NO_SHOW.value, _("No-show")
        DROPPED = Departure.DROPPED.value, _("Dropped")

    event = models.ForeignKey(Event, models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    name = models.CharField("name", max_length=80)
    name_key = models.CharField(max_length=160, db_index=True)
    surname = models.CharField("surname", max_length=80, blank=True, default="")
    club = models.CharField("club", max_length=80, blank=True)
    seed = models.PositiveIntegerField("seed", null=True, blank=True)
    status = models.CharField(max_length=12, choices=Status, default=Status.REGISTERED)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="entries"
    )
    waiting_since = models.DateTimeField(null=True, blank=True)
    registered_at = models.DateTimeField(auto_now_add=True)
    submission = models.OneToOneField(
        "DeckSubmission", models.SET_NULL, null=True, blank=True, related_name="current_of"
    )

    deck_open_until = models.DateTimeField("list open until", null=True, blank=True)
    fee_paid = models.BooleanField("fee paid", default=False)
    fixed_table = models.PositiveSmallIntegerField("fixed table", null=True, blank=True)
    answers = models.JSONField("answers", default=dict, blank=True)
    return_asked_at = models.DateTimeField(null=True, blank=True, default=None)
    return_refused_at = models.DateTimeField(null=True, blank=True, default=None)
    byes = models.PositiveSmallIntegerField("byes", default=0)
    left = models.CharField(max_length=7, choices=Left, blank=True, default="")
    origin = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, default=None, related_name="later"
    )
    prize_given_at = models.DateTimeField("prize handed out", null=True, blank=True, default=None)

    objects = EntryQuerySet.as_manager()
    has_link: bool  # known after EntryQuerySet.with_links
    held: bool  # known after EntryQuerySet.with_holders
    linked: bool  # known after EntryQuerySet.with_holders
    asked = False  # as of the query; known after ``annotate_sign_in_requests``
    mark = ""
    """What tells the player apart from namesakes; ``core.names.attach_name_marks`` sets it."""
    departure = ""
    """How one who withdrew has left; ``core.rows.attach_departures`` sets it."""

    declared = Table(
        {
            "number seed status waiting_since registered_at": OPEN,
            "name club": (CLOSED, OWN),
            "submission deck_open_until fixed_table prize_given_at": CLOSED,
            "event": PLACE,
            "name_key": ("follows from the name", OWN),
            "return_asked_at return_refused_at": "a request to the staff; its lines tell it",
            "byes": "their lines tell them, and from the start on the plan",
            "left": "what was said of how they left; its line and that of the return tell it",
            "fee_paid": "money at the door; the lines of the fee tell it",
            "surname": ("which words of the name, which is told, lists are sorted by", OWN),
            "answers": (
                "what a player told the staff alone; no digest is to hold it",
                SEARCHED | OWN,
            ),
            "origin": ("an entry of another event, which its line must not tell", OWN),
            "user": ("an account; a salted digest tells that it became another", OWN),
        },
        key="entries",
        elsewhere={"origin": ("event__slug", "number")},
        later={"submission": None},
        freed={"seed": None},
        api="number name surname status left seed club fixed_table byes",
    )

    class Meta:
        ordering = ["event", "number"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="entry_number_once"),
            models.UniqueConstraint(
                fields=["event", "user"],
                condition=models.Q(user__isnull=False),
                name="entry_user_once",
            ),
            models.UniqueConstraint(
                fields=["event", "seed"],
                condition=models.Q(seed__isnull=False),
                name="entry_seed_once",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def display_name(self) -> str:
        """Return the name as it is shown: with ``mark``, once that is set."""
        return f"{self.name} ({self.mark})" if self.mark else self.name

    @property
    def club_beside(self) -> str:
        return "" if self.mark == self.club else self.club

    def get_status_display(self) -> str:  # type: ignore[no-redef]
        """Return the status in the reader's language; of a no-show, that."""
        return status_label(self.status, self.departure)

    @property
    def plays(self) -> bool:
        """Return whether the entry is active."""
        return self.status in (self.Status.REGISTERED, self.Status.CHECKED_IN)

    @property
    def asks_back(self) -> bool:
        """Return whether the player has left and waits for an answer to coming back."""
        asked = self.return_asked_at is not None and self.return_refused_at is None
        return asked and self.status == self.Status.WITHDRAWN


class KeptApartQuerySet(MarkingQuerySet["KeptApart"]):
    """QuerySet of pairs of players that Swiss pairing avoids, read by player numbers."""

    def numbers(self) -> models.QuerySet["KeptApart", tuple[int, int]]:
        """Return the numbers of both players of each pair."""
        return self.values_list("a__number", "b__number")

    def between(self, one: int, other: int) -> "KeptApartQuerySet":
        """Return the pair of two numbers in any order, if there is one."""
        return self.filter(a__number=min(one, other), b__number=max(one, other))


class KeptApart(models.Model):
    """A pair of players that Swiss pairing avoids; ``a`` has the smaller number."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="kept_apart")
    a = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    b = models.ForeignKey(Entry, models.CASCADE, related_name="+")

    objects = KeptApartQuerySet.as_manager()

    declared = Table(
        {"a b": CLOSED, "event": PLACE},
        key="kept_apart",
    )

    class Meta:
        ordering = ["event", "a__number", "b__number"]
        verbose_name_plural = "kept apart"
        constraints = [
            models.UniqueConstraint(fields=["a", "b"], name="kept_apart_once"),
        ]

    def __str__(self) -> str:
        return join_names(self.players)

    @property
    def players(self) -> tuple[Entry, Entry]:
        """Return the two players."""
        return self.a, self.b


class PersonalLink(SignedRow):
    """A link by which a player without an account acts as an entry.

    Only the SHA-256 of the token is stored. ``by`` is the organiser who created it, None if the
    player registered or the staff confirmed a phone. ``unopened`` until it is opened or mailed;
    undo leaves that as it is, archives contain it.
    """

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="links")
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    unopened = models.BooleanField(default=False)

    declared = Table(
        {"token_hash": CODE, "by_name": WRITER, "unopened": Column(undone=False)},
        plain="entry created_at revoked_at by",
        key="links",
        unlogged="lets a player in",
        stays=True,
        deleted_with="entry",
    )

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.entry} ({self.created_at:%Y-%m-%d %H:%M})"


class DeckSubmission(SignedRow):
    """A decklist submitted for an entry; the latest one counts."""

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="submissions")
    decklist = models.ForeignKey(Decklist, models.PROTECT, related_name="submissions")
    reason = models.CharField(max_length=300, blank=True)
    submitted_at = models.DateTimeField(auto_now_add=True)
    locked_at = models.DateTimeField(null=True, blank=True)

    declared = Table(
        {"reason": SEARCHED, "by_name": WRITER},
        plain="entry decklist by submitted_at locked_at",
        key="submissions",
        unlogged="when it was handed in and its fingerprint count with the player",
    )

    class Meta:
        ordering = ["entry", "id"]

    def __str__(self) -> str:
        return f"{self.entry} {self.submitted_at:%Y-%m-%d %H:%M}"


class DeckDraft(models.Model):
    """A decklist that a player has not submitted yet; nobody else sees it."""

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="deck_draft")
    text = models.TextField()
    saved_at = models.DateTimeField(auto_now=True)

    declared = Table(
        {"text": Column(words="it goes with its row")},
        plain="entry saved_at",
        unlogged="a player's list that was not handed in",
        deleted_with="entry",
    )

    def __str__(self) -> str:
        return f"{self.entry} {self.saved_at:%Y-%m-%d %H:%M}"


class Contact(models.Model):
    """A player's email address and membership numbers, for organisers only.

    ``memberships`` are numbers by key (``rules.people.contacts``). The row is deleted with the
    player, by an erasure, and some days after the event (``manage.py tidy``). Since
    ``later_since`` the address may be used for later events: it is copied with a regular, and
    deleted as many days after that time.
    """

    entry = models.OneToOneField(Entry, models.CASCADE, related_name="contact")
    email = models.EmailField("email address", max_length=254, blank=True, default="")
    memberships = models.JSONField(default=dict, blank=True)
    later_since = models.DateTimeField(null=True, blank=True, default=None)

    declared = Table(
        {"email memberships": Column(words="it goes with its row")},
        plain="entry later_since",
        unlogged="what organisers alone read; no digest is to hold it",
        deleted_with="entry",
        forgotten=True,
    )

    def __str__(self) -> str:
        return str(self.entry)


def annotate_sign_in_requests(entries: models.QuerySet[Entry]) -> models.QuerySet[Entry]:
    """Annotate entries with ``asked``: whether a phone waits to sign in as them."""
    waiting = JoinClaim.objects.filter(entry=models.OuterRef("pk"), state=JoinClaim.State.WAITING)
    waiting = waiting.filter(asked_at__gt=oldest_valid_request(timezone.now()))
    return entries.annotate(asked=models.Exists(waiting))  # type: ignore[no-redef]


class JoinClaim(models.Model):
    """A phone's request to sign in as a player, until staff confirm or refuse it.

    ``code`` is shown to people; it opens nothing. Only the SHA-256 of the phone's secret is
    stored, and that of the token derived from it: once confirmed, the token is the player's
    personal link, which the phone fetches once (``FETCHED``). Expired rows stay for some time, so
    that their code isn't used again (``rules.events.joining``).

    The table is in no archive, snapshot or undo; the log records confirmations and refusals. Rows
    are deleted with their player, and by an erasure.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        CONFIRMED = "confirmed"
        FETCHED = "fetched"
        REFUSED = "refused"
        LEFT = "left"  # the phone asked for somebody else since

    event = models.ForeignKey(Event, models.CASCADE, related_name="join_claims")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="join_claims")
    code = models.CharField(max_length=4)
    secret_hash = models.CharField(max_length=64, unique=True)
    token_hash = models.CharField(max_length=64)
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    asked_at = models.DateTimeField()

    declared = Table(
        {"code secret_hash token_hash": CODE},
        plain="event entry state asked_at",
        unlogged="a request that nobody has answered; the line of the answer tells it",
        deleted_with="entry",
        forgotten=True,
    )

    class Meta:
        ordering = ["event", "asked_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["event", "code"], name="join_code_once"),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.state}"

    @property
    def expires_at(self) -> datetime:
        """Return until when it waits."""
        return self.asked_at + LASTS
