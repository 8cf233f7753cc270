"""What a player may open."""

from django.urls import URLPattern, path

from tournaments.erasing import views as erasing
from tournaments.judging import views as player_call
from tournaments.personal import views as player
from tournaments.players.views import access as player_access
from tournaments.results.views import player_report
from tournaments.staff import views as invitation

urlpatterns: list[URLPattern] = [
    path("p/<str:token>/", player_access.open_link, name="open-link"),
    path("invitations/<str:token>/", invitation.open_invitation, name="open-invitation"),
    path("invitations/", invitation.invitation, name="invitation"),
    path("me/", player.events_of_mine, name="my-events"),
    path("me/data.json", erasing.my_data, name="my-data"),
    path("me/erase/", erasing.EraseMe.as_view(), name="erase-me"),
    path("events/<slug:slug>/me/data.json", erasing.my_data_in_event, name="my-data-here"),
    path("events/<slug:slug>/me/", player.me, name="me"),
    path("events/<slug:slug>/me/now/", player.me_now, name="me-now"),
    path("events/<slug:slug>/me/check-in/", player.check_in_me, name="my-check-in"),
    path("events/<slug:slug>/me/drop/", player.Drop.as_view(), name="my-drop"),
    path(
        "events/<slug:slug>/me/matches/<int:match_id>/report/",
        player_report.Report.as_view(),
        name="my-report",
    ),
    path(
        "events/<slug:slug>/me/matches/<int:match_id>/confirm/",
        player.confirm,
        name="my-confirm",
    ),
    path("events/<slug:slug>/me/matches/<int:match_id>/call/", player_call.call, name="my-call"),
]
