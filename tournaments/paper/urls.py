"""Addresses of sheets of paper."""

from django.urls import URLPattern, path, register_converter

from tournaments.paper import views


class SheetName:
    """A sheet's name in an address."""

    regex = "|".join((*views.PUBLIC, *views.STAFF))

    def to_python(self, value: str) -> str:
        """Return the name."""
        return value

    def to_url(self, value: str) -> str:
        """Return the name."""
        return value


register_converter(SheetName, "sheet")
urlpatterns: list[URLPattern] = [
    path("events/<slug:slug>/print/", views.sheets, name="sheets"),
    path("events/<slug:slug>/print/folder/", views.folder, name="sheets-folder"),
    path("events/<slug:slug>/print/<sheet:name>.pdf", views.sheet, name="sheet"),
]
