"""URLs of deck checks."""

from django.urls import URLPattern, path

from tournaments.checks import views

EVENT = "events/<slug:slug>/"
CHECKS = f"{EVENT}checks/"
CHECK = f"{CHECKS}<int:check_id>/"

urlpatterns: list[URLPattern] = [
    path(CHECKS, views.checks, name="checks"),
    path(f"{CHECKS}pick/", views.checks_pick, name="checks-pick"),
    path(f"{CHECKS}start/", views.checks_start, name="checks-start"),
    path(CHECK, views.check, name="check"),
    path(f"{CHECK}exchange/", views.check_exchange, name="check-exchange"),
]
