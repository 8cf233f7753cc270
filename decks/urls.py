"""Addresses of the public pages of the deck formats."""

from django.urls import path

from decks.views.formats import Format, FormatList

app_name = "decks"

urlpatterns = [
    path("formats/", FormatList.as_view(), name="format_list"),
    path("formats/<slug:slug>/", Format.as_view(), name="format"),
]
