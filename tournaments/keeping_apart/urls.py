"""URLs of keeping apart."""

from django.urls import URLPattern, path

from tournaments.keeping_apart import views

EVENT = "events/<slug:slug>/"
MANAGE = f"{EVENT}manage/"

urlpatterns: list[URLPattern] = [
    path(f"{MANAGE}apart/", views.Apart.as_view(), name="manage-apart"),
    path(f"{MANAGE}apart/<int:pair_id>/end/", views.apart_end, name="manage-apart-end"),
]
