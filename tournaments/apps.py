"""The app of events, from sign-up to the final table."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Set up what needs the models, which can't be imported before."""
        import_module("tournaments.start").start(self)
