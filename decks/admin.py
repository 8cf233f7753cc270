"""Stored lists for the site's staff: to look at, never to change."""

from django.contrib import admin

from config.read_only import ReadOnly
from decks.models import Decklist


@admin.register(Decklist)
class DecklistAdmin(ReadOnly):
    """Read-only: a list counts as it was handed in."""

    list_display = ("__str__", "format", "legal", "created_at")
    list_filter = ("format", "legal")
    search_fields = ("fingerprint", "name")
