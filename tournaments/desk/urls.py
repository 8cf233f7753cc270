"""URLs of desk."""

from django.urls import URLPattern, path

from tournaments.desk.views import desk

EVENT = "events/<slug:slug>/"
DESK = f"{EVENT}desk/"
ROUND = f"{DESK}rounds/<int:ordinal>/"

urlpatterns: list[URLPattern] = [
    path(DESK, desk.desk, name="desk"),
    path(f"{DESK}tables/", desk.desk_tables, name="desk-tables"),
    path(f"{DESK}draft/", desk.desk_draft, name="desk-draft"),
    path(f"{DESK}finish/", desk.desk_finish, name="desk-finish"),
    path(f"{ROUND}undo/", desk.desk_take_back_round, name="desk-undo-round"),
]
