"""Addresses of the deck formats under the API's root."""

from django.urls import path

from decks.api.exchange import CheckExchange
from decks.api.formats import FormatDetail, FormatList, Validate

app_name = "decks_api"

urlpatterns = [
    path("formats/", FormatList.as_view(), name="formats"),
    path("formats/<slug:slug>/", FormatDetail.as_view(), name="format"),
    path("formats/<slug:slug>/validate/", Validate.as_view(), name="validate"),
    path("formats/<slug:slug>/exchange/", CheckExchange.as_view(), name="exchange"),
]
