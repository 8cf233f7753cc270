"""Addresses of undo."""

from django.urls import URLPattern, path

from tournaments.undo import views

EVENT = "events/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}log/undo/", views.log_undo, name="log-undo"),
    path(f"{EVENT}log/redo/", views.log_redo, name="log-redo"),
]
