"""The log, rows kept for undo, snapshots, who restored an event from an archive, and erasures."""

from django.db import models
from django.utils import timezone

from tournaments.models.entry import Entry
from tournaments.models.event import Event
from tournaments.models.tables import (
    BY_HAND,
    CODE,
    SEARCHED,
    WRITER,
    Column,
    Signed,
    Table,
    account_column,
)


class LogLine(Signed, models.Model):
    """A line of an event's log: author, time, action, values before and after.

    It never changes, except for erasures. ``number`` is the event's version after the act.
    ``facts`` is the new state of the rows that the act wrote, ``words`` its private part.
    ``player`` is the number of the player who acted, None for the staff and where it is private.
    ``digest``, ``closed_digest`` and ``salt`` are described in ``rules.events.ledger``.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="log")
    number = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now)
    by = account_column()
    by_name = models.CharField(max_length=80, blank=True, default="")
    by_entry = models.ForeignKey(Entry, models.SET_NULL, null=True, blank=True, related_name="+")
    action = models.CharField(max_length=40)
    subject = models.CharField(max_length=200, blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    reason = models.CharField(max_length=500, blank=True)
    player = models.PositiveIntegerField(null=True, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    words = models.JSONField(default=dict, blank=True)
    salt = models.CharField(max_length=32, blank=True, default="")
    closed_digest = models.CharField(max_length=64, blank=True, default="")
    digest = models.CharField(max_length=64, blank=True, default="")

    declared = Table(
        {
            "subject before after reason words": SEARCHED,
            "by_name": WRITER,
            "action salt closed_digest digest": CODE,
            "facts": Column(words="open columns and numbers"),
        },
        plain="event number at by by_entry player",
        key="log",
        unlogged="the chain itself",
        stays=True,
        grows=True,
    )

    class Meta:
        ordering = ["event", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="log_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.action}"


class KeptRows(models.Model):
    """The differences of rows that an act made, stored for undo; not archived.

    ``line`` is the number of the act's log line; ``rows`` holds the rows added, removed and
    changed, described in ``undo.services``, by this database's primary keys.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="kept_rows")
    line = models.PositiveIntegerField()
    rows = models.JSONField(default=dict)

    declared = Table(
        {"rows": BY_HAND},
        plain="event line",
        beside="how rows differ, by keys of this installation",
    )

    class Meta:
        ordering = ["event", "line"]
        verbose_name_plural = "kept rows"
        constraints = [
            models.UniqueConstraint(fields=["event", "line"], name="rows_kept_once_a_line"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.line}"


class Snapshot(models.Model):
    """A copy of an event, stored before an act that deletes results.

    ``document`` is the internal document of ``archive.writer`` as gzip, ``version`` the event's at
    that time, ``act`` the log action that followed.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="snapshots")
    version = models.PositiveIntegerField()
    act = models.CharField(max_length=40)
    document = models.BinaryField()
    at = models.DateTimeField(auto_now_add=True)
    by = account_column()

    declared = Table(
        {"act": CODE, "document": BY_HAND},
        plain="event version at by",
        beside="rows of the event themselves",
    )

    class Meta:
        ordering = ["event", "-pk"]

    def __str__(self) -> str:
        return f"{self.event} v{self.version}"


class Restoration(models.Model):
    """A record that an event was restored from an archive, by whom and when.

    ``version`` is the event's in the archive: this site has not witnessed the log up to that line.
    ``size`` is the archive's in bytes. The row stays when the event is deleted, and counts for the
    limits of the account. It isn't archived.
    """

    event = models.OneToOneField(Event, models.SET_NULL, null=True, related_name="restoration")
    by = account_column()
    at = models.DateTimeField(auto_now_add=True)
    version = models.PositiveIntegerField()
    size = models.PositiveBigIntegerField(default=0)

    declared = Table(
        {},
        plain="event by at version size",
        beside="who brought an archive",
    )

    def __str__(self) -> str:
        return f"{self.event} v{self.version}"


class ErasedPlayer(models.Model):
    """A record of an erased player: event slug, event creation time, player number.

    ``made`` is when the event was created, ``at`` when the player was erased. Without a foreign key
    the row outlives the event, and applies if that is restored.
    """

    slug = models.SlugField(max_length=80)
    made = models.DateTimeField()
    number = models.PositiveIntegerField()
    at = models.DateTimeField()

    declared = Table(
        {"slug": CODE},
        plain="made number at",
        beside="a player whom an archive must not bring back",
    )

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["slug", "made", "number"], name="player_erased_once"),
        ]

    def __str__(self) -> str:
        return f"{self.slug} {self.number}"


class RemainingMention(models.Model):
    """A text that may still contain a word of an erased person's name.

    ``digest`` is the SHA-256 of the text, by which it is found; the text isn't stored. ``number``
    is the player's. The row is deleted once the text is redacted, or accepted as it is.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="remaining_mentions")
    number = models.PositiveIntegerField(null=True, blank=True)
    digest = models.CharField(max_length=64)

    declared = Table(
        {"digest": CODE},
        plain="event number",
        beside="texts to look at after an erasure; whoever erased looks at them",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "digest"], name="mention_listed_once"),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.digest[:8]}"


class ErasedAccount(models.Model):
    """A record of an erased account: HMAC of its address by the secret key."""

    address_hash = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField()

    declared = Table(
        {"address_hash": CODE},
        plain="at",
        beside="an address that an archive must not bring back",
    )

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return self.address_hash[:8]
