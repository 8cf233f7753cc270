"""Configuration of the web kit: template tags, static files, system checks, extension packages.

Modules of extensions (``EXTENSIONS``) add themselves to registries on import; their
``urlpatterns``, if any, are included. See ``docs/adding.md``.
"""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

from django.apps import AppConfig
from django.conf import settings
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.core.exceptions import ImproperlyConfigured
from django.urls import URLPattern, URLResolver

from config.checks import register_checks


class WebKitConfig(AppConfig):
    """App configuration of ``config``; loads system checks, extensions and the API schema."""

    name = "config"
    default = True  # with two configurations in this module Django would choose neither
    verbose_name = "Girone"

    def ready(self) -> None:
        """Register the checks, load the extensions, and register the schema of tokens."""
        register_checks()
        load_extensions()  # after models, before forms and schema
        import_module("config.schema")  # registers TokenScheme before the schema is generated


class SiteStaticFilesConfig(StaticFilesConfig):
    """App configuration of Django's static files; ``collectstatic`` leaves out source maps."""

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "*.map"]


def extension_modules() -> Iterator[ModuleType]:
    """Import and yield every module of the packages in ``EXTENSIONS``.

    Raises ImproperlyConfigured for a missing package. Errors inside a module propagate.
    """
    for name in settings.EXTENSIONS:
        try:
            package = import_module(name)
        except ModuleNotFoundError as missing:
            if missing.name != name.partition(".")[0]:
                raise
            problem = f"EXTENSIONS names {name!r}, and there is no such package."
            raise ImproperlyConfigured(problem) from missing
        yield package
        for found in walk_packages(getattr(package, "__path__", ()), prefix=f"{name}."):
            yield import_module(found.name)


def load_extensions() -> None:
    """Import all modules of the extensions, which register themselves on import."""
    for _module in extension_modules():
        pass


def extension_urls() -> list[URLPattern | URLResolver]:
    """Return the URL patterns (``urlpatterns``) of all extension modules."""
    return [
        address for module in extension_modules() for address in getattr(module, "urlpatterns", ())
    ]
