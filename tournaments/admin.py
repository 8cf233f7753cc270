"""Read-only admin of events; changes go through the services."""

from django.contrib import admin
from django.urls import reverse

from config.read_only import ReadOnly
from tournaments.models import Draw, Entry, Event, LogLine, Match, SavedFormula, StaffRole


@admin.register(Event)
class EventAdmin(ReadOnly):
    """Events, with a link to their page."""

    list_display = ("name", "starts_at", "format", "formula", "state", "created_by")
    list_filter = ("state", "format", "formula")
    list_select_related = ("created_by",)
    search_fields = ("name", "venue", "slug")

    def view_on_site(self, obj: Event) -> str:
        """Return the URL of the event's page."""
        return reverse("tournaments:event", args=[obj.slug])


@admin.register(Entry)
class EntryAdmin(ReadOnly):
    """Players by event."""

    list_display = ("name", "club", "event", "number", "status")
    list_filter = ("status",)
    list_select_related = ("event",)
    search_fields = ("name", "club", "event__name")


@admin.register(StaffRole)
class StaffRoleAdmin(ReadOnly):
    """Staff roles by event."""

    list_display = ("user", "role", "event", "given_at")
    list_filter = ("role",)
    list_select_related = ("user", "event")


@admin.register(Match)
class MatchAdmin(ReadOnly):
    """Matches with their state."""

    list_display = ("round", "table", "a", "b", "state")
    list_filter = ("state",)
    list_select_related = ("round__event", "a", "b")
    search_fields = ("a__name", "b__name", "round__event__name")


@admin.register(Draw)
class DrawAdmin(ReadOnly):
    """Draws. The seed is excluded, as an announced draw's is secret."""

    list_display = ("event", "number", "kind", "state", "by_hand", "drawn_at")
    list_filter = ("state", "kind")
    list_select_related = ("event",)
    exclude = ("seed",)


@admin.register(LogLine)
class LogLineAdmin(ReadOnly):
    """The log of all events."""

    list_display = ("event", "number", "at", "by", "action", "subject")
    list_filter = ("action",)
    list_select_related = ("event", "by")
    search_fields = ("subject", "reason", "event__name")


@admin.register(SavedFormula)
class SavedFormulaAdmin(ReadOnly):
    """Formulas that organisers have saved."""

    list_display = ("name", "slug", "owner", "version", "changed_at")
    list_select_related = ("owner",)
    search_fields = ("name", "slug")
