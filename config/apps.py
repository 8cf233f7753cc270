"""Configuration of the web kit: template tags, static files, system checks."""

from importlib import import_module

from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig

from config.checks import register_checks


class WebKitConfig(AppConfig):
    """App configuration of ``config``; loads system checks, extensions and the API schema."""

    name = "config"
    default = True  # with two configurations in this module Django would choose neither
    verbose_name = "Girone"

    def ready(self) -> None:
        """Register the checks, load the extensions, and register the schema of tokens."""
        register_checks()
        # after models, before forms and schema
        import_module("config.extensions").load_extensions()
        import_module("config.schema")  # registers TokenScheme before the schema is generated


class SiteStaticFilesConfig(StaticFilesConfig):
    """App configuration of Django's static files; ``collectstatic`` leaves out source maps."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "*.map"]
