"""URLs of advice."""

from django.urls import URLPattern, path

from tournaments.advice import views

urlpatterns: list[URLPattern] = [
    path("advice/", views.advice, name="advice"),
]
