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
    """A line of the log: author, time, action, values before and after. Lines are only added.

    ``number`` is the event's version after the write. ``facts`` are the rows that count as the act
    left them, ``words`` what of these is closed; ``player`` is the number of the player who acted,
    None for the staff and where nobody outside may learn it. ``digest``, ``closed_digest`` and
    ``salt`` are those of ``rules.events.ledger``.
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
    """Rows that an act added, changed and removed, for undo.

    ``line`` is the number of the act's line; ``rows`` are those of ``undo.services``, with
    the keys of this installation: they are not archived.
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
    """A copy of an event, taken before an act that destroys results.

    ``document`` is the internal document of ``archive.writer``, compressed by gzip; ``version`` is
    the event's at that time, ``act`` the log action that followed.
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
    """The restoring of an event from an archive: by whom and when; not archived itself.

    People of the archive are stored as names. ``version`` is the event's as it came: the log up
    to that line is the archive's word, not what this site has seen. ``size`` is that of the archive
    in bytes. The row outlives the event, so that a deleted one still counts among those restored
    lately.
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
    """A player erased from an event: the number, and the event's slug and moment of creation.

    Kept without a key of the event, so that the row outlives it and goes for what is restored.
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
    """A text of an event that may still hold a word of an erased player's name.

    ``digest`` is the SHA-256 of the text, which is found by it as long as a row holds it;
    nothing of the name is kept. The row goes when the text is blanked, or accepted as it is.
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
    """An erased account: the HMAC of its address with the site's secret key."""

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
