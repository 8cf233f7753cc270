"""URLs of diagrams."""

from django.urls import URLPattern, path

from tournaments.diagrams import views

urlpatterns: list[URLPattern] = [
    path("events/<slug:slug>/bracket/", views.bracket, name="bracket"),
    path("events/<slug:slug>/formula/", views.formula, name="formula"),
]
