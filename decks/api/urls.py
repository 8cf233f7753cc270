"""Addresses of the deck formats under the API's root."""

from django.urls import path

from decks.api.formats import CheckExchange, PresetFormats, ValidateDecklist, ValidateWithRules

app_name = "decks_api"

urlpatterns = [
    path("formats/ready/", PresetFormats.as_view(), name="ready-formats"),
    path("formats/try/", ValidateWithRules.as_view(), name="try-rules"),
    path("formats/<slug:slug>/validate/", ValidateDecklist.as_view(), name="validate"),
    path("formats/<slug:slug>/exchange/", CheckExchange.as_view(), name="exchange"),
]
