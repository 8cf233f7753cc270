"""Addresses of events, by audience."""

from tournaments.urls import desk, downloads, organiser, player, public

app_name = "tournaments"
urlpatterns = [
    *public.urlpatterns,
    *player.urlpatterns,
    *organiser.urlpatterns,
    *desk.urlpatterns,
    *downloads.urlpatterns,
]
