"""URLs of log."""

from django.urls import URLPattern, path

from tournaments.log import views

EVENT = "events/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}log/", views.log, name="log"),
]
