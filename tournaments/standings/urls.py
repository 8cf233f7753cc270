"""URLs of the standings."""

from django.urls import URLPattern, path

from tournaments.standings import views

urlpatterns: list[URLPattern] = [
    path("events/<slug:slug>/standings/", views.standings, name="standings"),
    path("events/<slug:slug>/standings/release/", views.release, name="standings-release"),
    path("events/<slug:slug>/standings/why/", views.why, name="why"),
    path("events/<slug:slug>/ranking/", views.ranking, name="ranking"),
]
