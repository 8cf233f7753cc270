"""Files of an event."""

from django.urls import URLPattern, path

from tournaments.exports import views as downloads

urlpatterns: list[URLPattern] = [
    path("events/<slug:slug>/export.xlsx", downloads.workbook, name="workbook"),
]
