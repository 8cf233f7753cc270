"""Extension packages (``EXTENSIONS``), whose modules register themselves; see ``docs/adding.md``.

A module adds itself to registries on import; its ``urlpatterns``, if any, are included.
"""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.urls import URLPattern, URLResolver


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
