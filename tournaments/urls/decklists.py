"""A list on its way from a draft to the lock: the player's pages and the staff's."""

from django.urls import URLPattern, path

from tournaments.decklists.views import player as deck_versions
from tournaments.decklists.views import player as player_deck
from tournaments.decklists.views import staff as organiser_decklist
from tournaments.decklists.views import staff as organiser_decklists

MINE = "events/<slug:slug>/me/deck/"
MANAGE = "events/<slug:slug>/manage/"
PLAYER = f"{MANAGE}players/<int:number>/decklist/"

urlpatterns: list[URLPattern] = [
    path(MINE, player_deck.MyDeck.as_view(), name="my-deck"),
    path(f"{MINE}check/", player_deck.CheckMyDeck.as_view(), name="my-deck-check"),
    path(f"{MINE}mend/", player_deck.MendMyDeck.as_view(), name="my-deck-mend"),
    path(f"{MINE}draft/", player_deck.KeepMyDraft.as_view(), name="my-deck-draft"),
    path(f"{MINE}draft/drop/", player_deck.drop_my_draft, name="my-deck-draft-drop"),
    path(f"{MINE}versions/", deck_versions.my_deck_versions, name="my-deck-versions"),
    path(f"{MANAGE}decklists/", organiser_decklists.decklists, name="manage-decklists"),
    path(PLAYER, organiser_decklist.PlayerDecklist.as_view(), name="manage-player-decklist"),
    path(
        f"{PLAYER}check/",
        organiser_decklist.CheckPlayerDecklist.as_view(),
        name="manage-player-decklist-check",
    ),
    path(
        f"{PLAYER}mend/",
        organiser_decklist.MendPlayerDecklist.as_view(),
        name="manage-player-decklist-mend",
    ),
    path(
        f"{PLAYER}open/",
        organiser_decklist.OpenPlayerDecklist.as_view(),
        name="manage-player-decklist-open",
    ),
    path(f"{PLAYER}close/", organiser_decklist.decklist_close, name="manage-player-decklist-close"),
    path(
        f"{PLAYER}versions/",
        deck_versions.decklist_versions,
        name="manage-player-decklist-versions",
    ),
]
