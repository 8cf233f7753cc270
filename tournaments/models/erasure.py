"""The list of erasures, applied to restored backups and archives. It holds no names."""

from django.db import models

from tournaments.models.event import Event
from tournaments.models.tables import CODE, Table


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
