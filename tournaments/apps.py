"""App configuration of tournaments."""

from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    """App configuration of events; connects signals and registries."""

    name = "tournaments"
    verbose_name = _("tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect signals and registries, once models are loaded."""
        import_module("tournaments.start").register_features(self)
