"""URLs of sharing."""

from django.urls import URLPattern, path

from tournaments.sharing import views

EVENT = "events/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}pictures/<slug:picture>.png", views.picture, name="picture"),
    path(f"{EVENT}embed/standings/", views.embedded_standings, name="embed-standings"),
    path(f"{EVENT}embed/bracket/", views.embedded_bracket, name="embed-bracket"),
]
