"""Addresses of events, by audience."""

from tournaments.urls import desk, organiser, player, public

app_name = "tournaments"
urlpatterns = [
    *public.urlpatterns,
    *player.urlpatterns,
    *organiser.urlpatterns,
    *desk.urlpatterns,
]
