"""URLs of players."""

from django.urls import URLPattern, path

from tournaments.players.views import access, links, player, players, registration

EVENT = "events/<slug:slug>/"
MANAGE = f"{EVENT}manage/"
PLAYERS = f"{MANAGE}players/"
PLAYER = f"{PLAYERS}<int:number>/"

urlpatterns: list[URLPattern] = [
    path(PLAYERS, players.players, name="manage-players"),
    path(f"{PLAYERS}add/", players.players_add, name="manage-players-add"),
    path(f"{PLAYERS}paste/", players.players_paste, name="manage-players-paste"),
    path(f"{PLAYERS}seeds/", players.players_seeds, name="manage-players-seeds"),
    path(f"{PLAYERS}links/", links.links, name="manage-links"),
    path(f"{PLAYERS}links/links.pdf", links.cards, name="manage-links-cards"),
    path(f"{PLAYERS}links/mail/", links.mail, name="manage-links-mail"),
    path(PLAYER, player.Player.as_view(), name="manage-player"),
    path(f"{PLAYER}check-in/", players.players_check_in, name="manage-player-check-in"),
    path(f"{PLAYER}enter/", player.player_enter, name="manage-player-enter"),
    path(f"{PLAYER}leave/", player.Leave.as_view(), name="manage-player-leave"),
    path(f"{PLAYER}strike/", player.Strike.as_view(), name="manage-player-strike"),
    path(f"{PLAYER}remove/", player.player_remove, name="manage-player-remove"),
    path(f"{PLAYER}link/", player.player_link, name="manage-player-link"),
    path("events/<slug:slug>/register/", registration.Register.as_view(), name="register"),
    path("p/<str:token>/", access.open_link, name="open-link"),
]
