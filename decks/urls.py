"""Addresses of the public pages of the deck formats."""

from django.urls import path

from decks.card_lists import views as lists
from decks.cards.views import LoadCardsPage, card_games, cards, complete_names, delete_own_catalogue
from decks.formats.views import FormatListPage, FormatPage, empty_sheet
from decks.house_formats import views as house
from decks.own_formats import views as own

app_name = "decks"

urlpatterns = [
    path("cards/", card_games, name="card_games"),
    path("cards/<slug:game>/", cards, name="cards"),
    path("cards/<slug:game>/load/", LoadCardsPage.as_view(), name="cards_load"),
    path("cards/<slug:game>/drop/", delete_own_catalogue, name="cards_drop"),
    path("cards/<slug:game>/complete/", complete_names, name="complete"),
    path("formats/", FormatListPage.as_view(), name="format_list"),
    path("formats/<slug:slug>/", FormatPage.as_view(), name="format"),
    path("formats/<slug:slug>/copy/", house.CopyHouseFormatPage.as_view(), name="copy"),
    path("formats/<slug:slug>/change/", house.ChangeHouseFormatPage.as_view(), name="change"),
    path("formats/<slug:slug>/rules/", own.CustomFormatPage.as_view(), name="rules"),
    path("formats/<slug:slug>/rules/copy/", own.CopyCustomFormatPage.as_view(), name="rules_copy"),
    path("formats/<slug:slug>/lists/new/", lists.LoadCardListsPage.as_view(), name="lists_load"),
    path(
        "formats/<slug:slug>/lists/<slug:version>/", lists.card_list_version, name="lists_version"
    ),
    path("formats/<slug:slug>/lists/<slug:version>.csv", lists.download_lists, name="lists_csv"),
    path("formats/<slug:slug>/sheet/", empty_sheet, name="sheet"),
]
