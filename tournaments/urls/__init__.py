"""Addresses of events, by audience."""

from tournaments.urls import checks, decklists, desk, downloads, formulas, organiser, player, public

app_name = "tournaments"
urlpatterns = [
    *organiser.urlpatterns,  # before public: "/events/new/" is no event's page
    *public.urlpatterns,
    *player.urlpatterns,
    *decklists.urlpatterns,
    *desk.urlpatterns,
    *checks.urlpatterns,
    *downloads.urlpatterns,
    *formulas.urlpatterns,
]
