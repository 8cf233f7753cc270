"""A decklist as it was handed in; a row is never changed."""

from django.db import models
from django.utils import timezone

from rules.deckbuilding.formats import FORMATS


def format_choices() -> list[tuple[str, str]]:
    """Return (slug, name) of the shipped formats, as choices of a field."""
    return [(known.key, f"{known.game_label}: {known.label}") for known in FORMATS]


class Decklist(models.Model):
    """A submitted decklist and its violations at that time; a row never changes.

    ``raw`` is the text as typed, ``upload`` the original file if there was one; ``text`` the
    canonical list (by zone, kind, name), of which ``fingerprint`` is the SHA-256. ``deck`` holds
    zones and language as the API's JSON.
    """

    format = models.CharField("format", max_length=50, choices=format_choices)
    name = models.CharField("name", max_length=100, blank=True)
    raw = models.TextField("text as typed", blank=True)
    upload = models.BinaryField("file as sent", null=True, blank=True)
    upload_name = models.CharField("name of the file", max_length=120, blank=True)
    text = models.TextField("canonical text", blank=True)
    deck = models.JSONField("zones")
    counts = models.JSONField("cards by zone")
    violations = models.JSONField("violations")
    legal = models.BooleanField("legal")
    fingerprint = models.CharField("fingerprint", max_length=64, db_index=True)
    created_at = models.DateTimeField("handed in", default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = "deck list"
        verbose_name_plural = "deck lists"

    def __str__(self) -> str:
        return self.name or f"{self.format} {self.fingerprint[:8]}"
