"""Addresses of snapshots."""

from django.urls import URLPattern, path

from tournaments.snapshots import views

EVENT = "events/<slug:slug>/"
MANAGE = f"{EVENT}manage/"
SNAPSHOT = f"{MANAGE}snapshots/<int:snapshot_id>/"

urlpatterns: list[URLPattern] = [
    path(f"{MANAGE}snapshots/", views.snapshots, name="manage-snapshots"),
    path(SNAPSHOT, views.snapshot, name="manage-snapshot"),
    path(f"{SNAPSHOT}archive.json", views.snapshot_file, name="manage-snapshot-file"),
]
