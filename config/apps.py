"""The web kit as an app, for its template tags, static files and system checks."""

from django.apps import AppConfig

from config.checks import register_checks


class WebKitConfig(AppConfig):
    """Registers the checks that guard the shipped settings."""

    name = "config"
    verbose_name = "Girone"

    def ready(self) -> None:
        """Register the checks."""
        register_checks()
