"""URLs of player_pages."""

from django.urls import URLPattern, path

from tournaments.player_pages import views

urlpatterns: list[URLPattern] = [
    path("events/<slug:slug>/players/<int:number>/", views.player, name="player"),
    path("people/<slug:key>/", views.person, name="person"),
    path("me/people/", views.choose_person, name="person-choose"),
]
