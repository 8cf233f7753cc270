"""The list of erasures, applied to restored backups and archives. It holds no names."""

from django.db import models


class ErasedPlayer(models.Model):
    """A player erased from an event: by number, in the event of this address and moment.

    Kept without a key of the event, so that the row outlives it and goes for what is restored.
    """

    slug = models.SlugField(max_length=80)
    made = models.DateTimeField()
    number = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["slug", "made", "number"], name="player_erased_once"),
        ]

    def __str__(self) -> str:
        return f"{self.slug} {self.number}"


class ErasedAccount(models.Model):
    """An erased account: the HMAC of its address with the site's secret key."""

    address_hash = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return self.address_hash[:8]
