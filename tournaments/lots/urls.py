"""URLs of lots and draws."""

from django.urls import URLPattern, path

from tournaments.lots import views

EVENT = "events/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path("events/<slug:slug>/draws/", views.draws, name="draws"),
    path(f"{EVENT}lots/", views.lots, name="lots"),
    path(f"{EVENT}lots/draw/", views.lots_draw, name="lots-draw"),
    path(f"{EVENT}lots/by-hand/", views.lots_hand, name="lots-hand"),
    path(f"{EVENT}lots/extra-match/", views.lots_extra, name="lots-extra"),
]
