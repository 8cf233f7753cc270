"""Stored lists for the site's staff: to look at, never to change."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from decks.models import Decklist


@admin.register(Decklist)
class DecklistAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Read-only: a list counts as it was handed in."""

    list_display = ("__str__", "format", "legal", "created_at")
    list_filter = ("format", "legal")
    search_fields = ("fingerprint", "name")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return no: lists come through their form."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return no: a list never changes."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return no: what was played with stays."""
        return False
