"""Addresses of the door."""

from django.urls import URLPattern, path

from tournaments.arrivals import photo_views, views

DOOR = "events/<slug:slug>/manage/arrivals/"

urlpatterns: list[URLPattern] = [
    path(DOOR, views.door, name="arrivals"),
    path(f"{DOOR}<int:number>/", views.mark, name="arrivals-mark"),
    path(f"{DOOR}<int:number>/fee/", views.fee, name="arrivals-fee"),
    path(f"{DOOR}<int:number>/waiting/", views.waiting, name="arrivals-waiting"),
    path(f"{DOOR}opens/", views.opens, name="arrivals-opens"),
    path(f"{DOOR}all/", views.everybody, name="arrivals-all"),
    path(f"{DOOR}photo/", photo_views.photographed, name="arrivals-photo"),
    path(f"{DOOR}absent/", views.absent, name="arrivals-absent"),
    path(f"{DOOR}no-list/", views.no_list, name="arrivals-no-list"),
    path("events/<slug:slug>/arrive/<str:code>/", views.scanned, name="arrive"),
]
