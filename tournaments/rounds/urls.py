"""URLs of rounds."""

from django.urls import URLPattern, path

from tournaments.rounds import views

EVENT = "events/<slug:slug>/"
DESK = f"{EVENT}desk/"
ROUND = f"{DESK}rounds/<int:ordinal>/"

urlpatterns: list[URLPattern] = [
    path("events/<slug:slug>/pairings/", views.pairings, name="pairings"),
    path("events/<slug:slug>/pairings/<int:ordinal>/", views.pairings, name="pairings"),
    path(ROUND, views.desk_round, name="desk-round"),
    path(f"{ROUND}change/", views.desk_change, name="desk-change"),
    path(f"{ROUND}publish/", views.desk_publish, name="desk-publish"),
    path(f"{ROUND}discard/", views.desk_discard, name="desk-discard"),
]
