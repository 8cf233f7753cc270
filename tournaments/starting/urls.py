"""URLs of the start."""

from django.urls import URLPattern, path

from tournaments.starting import views

EVENT = "events/<slug:slug>/"
MANAGE = f"{EVENT}manage/"
START = f"{MANAGE}start/"

urlpatterns: list[URLPattern] = [
    path(START, views.start, name="manage-start"),
    path(f"{START}draw/", views.start_draw, name="manage-start-draw"),
    path(f"{START}by-hand/", views.start_by_hand, name="manage-start-hand"),
    path(f"{START}go/", views.start_go, name="manage-start-go"),
]
