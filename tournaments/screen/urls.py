"""Addresses of the screen."""

from django.urls import URLPattern, path

from tournaments.screen import views

urlpatterns: list[URLPattern] = [
    path("events/<slug:slug>/screen/", views.screen, name="screen"),
    path("events/<slug:slug>/screen/pin/", views.pin, name="screen-pin"),
]
