"""The web kit as an app, for its template tags, static files and system checks."""

from importlib import import_module

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig

from config.checks import register_checks


class WebKitConfig(AppConfig):
    """Registers the checks that guard the shipped settings."""

    name = "config"
    default = True  # this module holds another app, and Django would choose neither
    verbose_name = "Girone"

    def ready(self) -> None:
        """Register the checks, what extensions add, and what the schema shows of tokens."""
        register_checks()
        import_module("config.extensions").load()  # models are there, forms and schema not yet
        import_module("config.schema")  # how our tokens are shown: before the schema is made


class StaticFiles(StaticFilesConfig):
    """Django's static files; ``collectstatic`` leaves out what no page asks for."""

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "*.map",
        "drf_spectacular_sidecar/redoc",
    ]
