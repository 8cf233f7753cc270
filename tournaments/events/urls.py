"""URLs of events."""

from django.urls import URLPattern, path

from tournaments.events import views

EVENT = "events/<slug:slug>/"
MANAGE = f"{EVENT}manage/"

urlpatterns: list[URLPattern] = [
    path("events/new/", views.NewEvent.as_view(), name="event-new"),
    path(MANAGE, views.manage, name="manage"),
    path(f"{MANAGE}move/", views.manage_move, name="manage-move"),
    path(f"{MANAGE}information/", views.Information.as_view(), name="manage-information"),
    path(f"{MANAGE}settings/", views.Settings.as_view(), name="manage-settings"),
]
