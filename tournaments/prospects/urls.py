"""URLs of the prospects."""

from django.urls import URLPattern, path

from tournaments.prospects import views

urlpatterns: list[URLPattern] = [
    path("events/<slug:slug>/prospects/", views.prospects, name="prospects"),
]
