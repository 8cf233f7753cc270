"""URLs of clock."""

from django.urls import URLPattern, path

from tournaments.clock import views

EVENT = "events/<slug:slug>/"
DESK = f"{EVENT}desk/"
ROUND = f"{DESK}rounds/<int:ordinal>/"

urlpatterns: list[URLPattern] = [
    path(f"{ROUND}clock/", views.desk_clock, name="desk-clock"),
    path(f"{EVENT}matches/<int:match_id>/extend/", views.match_extend, name="match-extend"),
    path(
        f"{EVENT}extra-time/<int:extension_id>/take-back/",
        views.extension_take_back,
        name="extension-take-back",
    ),
]
