"""URLs of personal."""

from django.urls import URLPattern, path

from tournaments.personal import views

urlpatterns: list[URLPattern] = [
    path("me/", views.events_of_mine, name="my-events"),
    path("events/<slug:slug>/me/", views.me, name="me"),
    path("events/<slug:slug>/me/now/", views.me_now, name="me-now"),
    path("events/<slug:slug>/me/check-in/", views.check_in_me, name="my-check-in"),
    path("events/<slug:slug>/me/drop/", views.Drop.as_view(), name="my-drop"),
    path(
        "events/<slug:slug>/me/matches/<int:match_id>/confirm/",
        views.confirm,
        name="my-confirm",
    ),
]
