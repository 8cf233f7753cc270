"""URLs of stages."""

from django.urls import URLPattern, path

from tournaments.stages import views

EVENT = "events/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path(f"{EVENT}advance/", views.advance, name="advance"),
    path(f"{EVENT}advance/close/", views.advance_close, name="advance-close"),
    path(f"{EVENT}advance/undo/", views.advance_undo, name="advance-undo"),
    path(f"{EVENT}advance/second-leg/", views.second_leg, name="second-leg"),
]
