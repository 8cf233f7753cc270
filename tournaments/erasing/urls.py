"""Addresses of erasing."""

from django.urls import URLPattern, path

from tournaments.erasing import views

EVENT = "events/<slug:slug>/"
MANAGE = f"{EVENT}manage/"
PLAYERS = f"{MANAGE}players/"
ERASED = f"{MANAGE}erased/"
PLAYER = f"{PLAYERS}<int:number>/"

urlpatterns: list[URLPattern] = [
    path(f"{PLAYER}erase/", views.ErasePlayer.as_view(), name="manage-player-erase"),
    path(ERASED, views.remaining, name="erasing-remaining"),
    path(f"{ERASED}accept/", views.remaining_accept, name="erasing-accept"),
    path(f"{ERASED}blank/", views.remaining_blank, name="erasing-blank"),
    path("me/data.json", views.my_data, name="my-data"),
    path("me/erase/", views.EraseMe.as_view(), name="erase-me"),
    path("events/<slug:slug>/me/data.json", views.my_data_in_event, name="my-data-here"),
]
