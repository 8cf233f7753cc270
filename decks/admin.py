"""Read-only admin pages for stored decklists, cards and rules, and the base of all such pages."""

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from decks.models import Card, CardListVersion, Catalogue, Decklist, HouseFormat


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Base class of model admins that only display rows; only services may write them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Return False: changes go through pages, which log them."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Decklist)
class DecklistAdmin(ReadOnlyAdmin):
    """Read-only admin of submitted decklists."""

    list_display = ("__str__", "format", "legal", "created_at")
    list_filter = ("format", "legal")
    search_fields = ("fingerprint", "name")


@admin.register(Catalogue)
class CatalogueAdmin(ReadOnlyAdmin):
    """Read-only admin of card catalogues, which are loaded from files."""

    list_display = ("game", "owner", "version", "loaded_at", "dropped")
    list_filter = ("game",)
    list_select_related = ("owner",)


@admin.register(Card)
class CardAdmin(ReadOnlyAdmin):
    """Read-only admin of the cards in catalogues."""

    list_display = ("name", "name_en", "kind", "genus", "expansion", "number", "catalogue", "until")
    list_filter = ("catalogue",)
    list_select_related = ("catalogue",)
    search_fields = ("name", "name_en")
    show_full_result_count = False


@admin.register(CardListVersion)
class CardListVersionAdmin(ReadOnlyAdmin):
    """Read-only admin of banned and limited lists, which are loaded from files."""

    list_display = ("format", "dated", "owner", "archived", "loaded_at", "loaded_by")
    list_filter = ("format", "archived")
    list_select_related = ("owner", "loaded_by")


@admin.register(HouseFormat)
class HouseFormatAdmin(ReadOnlyAdmin):
    """Read-only admin of organisers' formats, which their owners change on pages."""

    list_display = ("name", "slug", "base", "owner", "version", "locked_at")
    list_filter = ("base",)
    list_select_related = ("owner",)
    search_fields = ("name", "slug")
