"""Rows that the admin shows and never writes."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """Facts that only the services write: the admin shows them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return no: the pages add."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return no: the pages change, and each change is on record."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return no: what was played, and what was played with, stays."""
        return False
