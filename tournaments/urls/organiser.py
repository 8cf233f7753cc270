"""What the organiser works with."""

from django.urls import URLPattern, path

from tournaments.criteria import views as organiser_criteria
from tournaments.decklists.views import shown as organiser_lists
from tournaments.erasing import views as erasing
from tournaments.events import views as organiser
from tournaments.events import views as organiser_event
from tournaments.keeping_apart import views as organiser_apart
from tournaments.log import views as log
from tournaments.players.views import player as organiser_player
from tournaments.players.views import players as organiser_players
from tournaments.snapshots import views as organiser_snapshots
from tournaments.staff import views as organiser_staff
from tournaments.staff import views as organiser_tokens
from tournaments.starting import views as organiser_start
from tournaments.undo import views as undo

EVENT = "events/<slug:slug>/"
MANAGE = f"{EVENT}manage/"
PLAYERS = f"{MANAGE}players/"
PLAYER = f"{PLAYERS}<int:number>/"
START = f"{MANAGE}start/"
SNAPSHOT = f"{MANAGE}snapshots/<int:snapshot_id>/"

urlpatterns: list[URLPattern] = [
    path("events/new/", organiser_event.NewEvent.as_view(), name="event-new"),
    path(MANAGE, organiser.manage, name="manage"),
    path(f"{MANAGE}move/", organiser.manage_move, name="manage-move"),
    path(f"{MANAGE}settings/", organiser_event.Settings.as_view(), name="manage-settings"),
    path(f"{MANAGE}criteria/", organiser_criteria.Criteria.as_view(), name="manage-criteria"),
    path(PLAYERS, organiser_players.players, name="manage-players"),
    path(f"{PLAYERS}add/", organiser_players.players_add, name="manage-players-add"),
    path(f"{PLAYERS}paste/", organiser_players.players_paste, name="manage-players-paste"),
    path(f"{PLAYERS}seeds/", organiser_players.players_seeds, name="manage-players-seeds"),
    path(f"{MANAGE}apart/", organiser_apart.Apart.as_view(), name="manage-apart"),
    path(f"{MANAGE}apart/<int:pair_id>/end/", organiser_apart.apart_end, name="manage-apart-end"),
    path(PLAYER, organiser_player.Player.as_view(), name="manage-player"),
    path(f"{PLAYER}check-in/", organiser_players.players_check_in, name="manage-player-check-in"),
    path(f"{PLAYER}leave/", organiser_player.Leave.as_view(), name="manage-player-leave"),
    path(f"{PLAYER}strike/", organiser_player.Strike.as_view(), name="manage-player-strike"),
    path(f"{PLAYER}remove/", organiser_player.player_remove, name="manage-player-remove"),
    path(f"{PLAYER}erase/", erasing.ErasePlayer.as_view(), name="manage-player-erase"),
    path(f"{PLAYER}link/", organiser_player.player_link, name="manage-player-link"),
    path(f"{MANAGE}staff/", organiser_staff.Staff.as_view(), name="manage-staff"),
    path(
        f"{MANAGE}staff/<int:role_id>/take/", organiser_staff.staff_take, name="manage-staff-take"
    ),
    path(
        f"{MANAGE}staff/invitations/<int:invitation_id>/revoke/",
        organiser_staff.invitation_revoke,
        name="manage-invitation-revoke",
    ),
    path(f"{MANAGE}tokens/", organiser_tokens.Tokens.as_view(), name="manage-tokens"),
    path(
        f"{MANAGE}tokens/<int:scope_id>/revoke/",
        organiser_tokens.token_revoke,
        name="manage-token-revoke",
    ),
    path(START, organiser_start.start, name="manage-start"),
    path(f"{START}draw/", organiser_start.start_draw, name="manage-start-draw"),
    path(f"{START}by-hand/", organiser_start.start_by_hand, name="manage-start-hand"),
    path(f"{START}go/", organiser_start.start_go, name="manage-start-go"),
    path(f"{MANAGE}lists/publish/", organiser_lists.lists_publish, name="lists-publish"),
    path(f"{MANAGE}lists/hide/", organiser_lists.lists_hide, name="lists-hide"),
    path(f"{MANAGE}snapshots/", organiser_snapshots.snapshots, name="manage-snapshots"),
    path(SNAPSHOT, organiser_snapshots.snapshot, name="manage-snapshot"),
    path(f"{SNAPSHOT}archive.json", organiser_snapshots.snapshot_file, name="manage-snapshot-file"),
    path(f"{EVENT}log/", log.log, name="log"),
    path(f"{EVENT}log/undo/", undo.log_undo, name="log-undo"),
    path(f"{EVENT}log/redo/", undo.log_redo, name="log-redo"),
]
