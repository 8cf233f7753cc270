"""URLs of judging."""

from django.urls import URLPattern, path

from tournaments.judging import views

EVENT = "events/<slug:slug>/"
MATCH = f"{EVENT}matches/<int:match_id>/"

urlpatterns: list[URLPattern] = [
    path("events/<slug:slug>/me/matches/<int:match_id>/call/", views.call, name="my-call"),
    path(f"{EVENT}calls/<int:call_id>/take/", views.call_take, name="call-take"),
    path(f"{EVENT}calls/<int:call_id>/close/", views.call_close, name="call-close"),
    path(f"{EVENT}announcements/", views.announcement, name="announcement"),
    path(
        f"{EVENT}announcements/<int:announcement_id>/end/",
        views.announcement_end,
        name="announcement-end",
    ),
    path(f"{EVENT}rulings/", views.rulings, name="rulings"),
    path(f"{MATCH}call/", views.match_call, name="match-call"),
    path(f"{MATCH}note/", views.match_note, name="match-note"),
    path(f"{MATCH}ruling/", views.match_ruling, name="match-ruling"),
]
