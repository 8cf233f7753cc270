"""URLs of decklists."""

from django.urls import URLPattern, path

from tournaments.decklists.views import player, shown, staff

MANAGE = "events/<slug:slug>/manage/"
MINE = "events/<slug:slug>/me/deck/"
PLAYER = f"{MANAGE}players/<int:number>/decklist/"
EVENT = "events/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path(f"{MANAGE}lists/publish/", shown.lists_publish, name="lists-publish"),
    path(f"{MANAGE}lists/hide/", shown.lists_hide, name="lists-hide"),
    path("events/<slug:slug>/decklists/", shown.decklists, name="decklists"),
    path("events/<slug:slug>/decklists/<int:number>/", shown.decklist, name="decklist"),
    path(
        "events/<slug:slug>/decklists/<int:number>/<slug:kind>/",
        shown.decklist_file,
        name="decklist-file",
    ),
    path("events/<slug:slug>/played/", shown.played, name="played"),
    path(MINE, player.MyDeck.as_view(), name="my-deck"),
    path(f"{MINE}check/", player.CheckMyDeck.as_view(), name="my-deck-check"),
    path(f"{MINE}mend/", player.MendMyDeck.as_view(), name="my-deck-mend"),
    path(f"{MINE}draft/", player.KeepMyDraft.as_view(), name="my-deck-draft"),
    path(f"{MINE}draft/drop/", player.drop_my_draft, name="my-deck-draft-drop"),
    path(f"{MINE}versions/", player.my_deck_versions, name="my-deck-versions"),
    path(f"{MANAGE}decklists/", staff.decklists, name="manage-decklists"),
    path(PLAYER, staff.PlayerDecklist.as_view(), name="manage-player-decklist"),
    path(
        f"{PLAYER}check/",
        staff.CheckPlayerDecklist.as_view(),
        name="manage-player-decklist-check",
    ),
    path(
        f"{PLAYER}mend/",
        staff.MendPlayerDecklist.as_view(),
        name="manage-player-decklist-mend",
    ),
    path(
        f"{PLAYER}open/",
        staff.OpenPlayerDecklist.as_view(),
        name="manage-player-decklist-open",
    ),
    path(f"{PLAYER}close/", staff.decklist_close, name="manage-player-decklist-close"),
    path(
        f"{PLAYER}versions/",
        player.decklist_versions,
        name="manage-player-decklist-versions",
    ),
    path(f"{EVENT}sheets/", shown.deck_sheets, name="deck-sheets"),
    path(f"{EVENT}sheets/<int:number>/", shown.deck_sheet, name="deck-sheet"),
    path(f"{EVENT}me/deck/sheet/", shown.my_sheet, name="my-sheet"),
]
