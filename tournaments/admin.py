"""Read-only admin of events; changes go through the services."""

from typing import Any

from django.contrib import admin
from django.db.models import F, QuerySet, TextField
from django.db.models.functions import Cast
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from decks.admin import ReadOnlyAdmin
from rules.people.person_names import join_names
from tournaments.core.draw_origins import readable_rows
from tournaments.models import Draw, Entry, Event, LogLine, Match, SavedFormula, StaffRole


class EventRowsAdmin(ReadOnlyAdmin):
    """Base class of read-only admins of rows that belong to events; omits damaged events."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return readable_rows(super().get_queryset(request))


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    """Read-only admin of events, including damaged ones, with links to their pages."""

    list_display = ("name", "begins", "format", "formula", "state", "created_by")
    list_filter = ("state", "format", "formula")
    list_select_related = ("created_by",)
    search_fields = ("name", "venue", "slug")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """Return the events with only the columns of the list, as others may be damaged."""
        found = super().get_queryset(request).annotate(stored=Cast("starts_at", TextField()))
        return found.only("name", "slug", "format", "formula", "state", "created_by")

    @admin.display(description=_("starts at"), ordering="starts_at")
    def begins(self, obj: Event) -> str:
        """Return the moment as it is stored, in UTC."""
        return str(vars(obj)["stored"])

    def view_on_site(self, obj: Event) -> str:
        return reverse("tournaments:event", args=[obj.slug])


@admin.register(Entry)
class EntryAdmin(EventRowsAdmin):
    """Read-only admin of the players of events."""

    list_display = ("name", "club", "event", "number", "status")
    list_filter = ("status",)
    list_select_related = ("event",)
    search_fields = ("name", "club", "event__name")


@admin.register(StaffRole)
class StaffRoleAdmin(EventRowsAdmin):
    """Read-only admin of the staff roles of events."""

    list_display = ("user", "role", "event", "given_at")
    list_filter = ("role",)
    list_select_related = ("user", "event")


@admin.register(Match)
class MatchAdmin(EventRowsAdmin):
    """Read-only admin of matches with their state."""

    list_display = ("round", "table", "named", "state")
    list_filter = ("state",)
    list_select_related = ("round__event",)
    search_fields = ("match_seats__entry__name", "round__event__name")

    @admin.display(description=_("Players"))
    def named(self, match: Match) -> str:
        """Return the players in the order of their seats."""
        return join_names(match.players)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).annotate(event_id=F("round__event"))


@admin.register(Draw)
class DrawAdmin(EventRowsAdmin):
    """Read-only admin of random draws, without their seeds, which may still be secret."""

    list_display = ("event", "number", "kind", "state", "by_hand", "drawn_at")
    list_filter = ("state", "kind")
    list_select_related = ("event",)
    exclude = ("seed",)


@admin.register(LogLine)
class LogLineAdmin(EventRowsAdmin):
    """Read-only admin of the log of all events."""

    list_display = ("event", "number", "at", "by", "action", "subject")
    list_filter = ("action",)
    list_select_related = ("event", "by")
    search_fields = ("subject", "reason", "event__name")


@admin.register(SavedFormula)
class SavedFormulaAdmin(ReadOnlyAdmin):
    """Read-only admin of tournament formats that organisers have saved."""

    list_display = ("name", "slug", "owner", "version", "changed_at")
    list_select_related = ("owner",)
    search_fields = ("name", "slug")
