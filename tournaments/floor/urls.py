"""Addresses of the judge's phone."""

from django.urls import URLPattern, path

from tournaments.floor import views

FLOOR = "events/<slug:slug>/floor/"
TABLE = f"{FLOOR}tables/<int:match_id>/"

urlpatterns: list[URLPattern] = [
    path(FLOOR, views.floor, name="floor"),
    path(TABLE, views.table, name="floor-table"),
    path(f"{TABLE}penalty/", views.penalty, name="floor-penalty"),
]
