"""URLs of penalties."""

from django.urls import URLPattern, path

from tournaments.penalties import views

EVENT = "events/<slug:slug>/"
PENALTIES = f"{EVENT}penalties/"

urlpatterns: list[URLPattern] = [
    path(PENALTIES, views.penalties, name="penalties"),
    path(
        f"{PENALTIES}<int:penalty_id>/take-back/",
        views.penalty_take_back,
        name="penalty-take-back",
    ),
]
