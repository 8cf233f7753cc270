"""A decklist as it was handed in; a row is never changed."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from rules.deckbuilding.formats import FORMATS


def format_choices() -> list[tuple[str, str]]:
    """Return the slugs of the shipped formats with their names."""
    return [(known.key, f"{known.game_label}: {known.label}") for known in FORMATS]


class Decklist(models.Model):
    """A list, its violations at the time of submission, and the fingerprint of its cards.

    ``raw`` is the text as typed, ``upload`` the original file if there was one; ``text`` the
    canonical list (by zone, kind, name), of which ``fingerprint`` is the SHA-256. ``deck`` holds
    zones and language as the API's JSON. Each submission is a new row.
    """

    format = models.CharField(_("format"), max_length=50, choices=format_choices)
    name = models.CharField(_("name"), max_length=100, blank=True)
    raw = models.TextField(_("text as typed"), blank=True)
    upload = models.BinaryField(_("file as sent"), null=True, blank=True)
    upload_name = models.CharField(_("name of the file"), max_length=120, blank=True)
    text = models.TextField(_("canonical text"), blank=True)
    deck = models.JSONField(_("zones"))
    counts = models.JSONField(_("cards by zone"))
    violations = models.JSONField(_("violations"))
    legal = models.BooleanField(_("legal"))
    fingerprint = models.CharField(_("fingerprint"), max_length=64, db_index=True)
    created_at = models.DateTimeField(_("handed in"), default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = _("deck list")
        verbose_name_plural = _("deck lists")

    def __str__(self) -> str:
        return self.name or f"{self.format} {self.fingerprint[:8]}"
