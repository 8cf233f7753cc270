"""URLs of the app: ``urlpatterns`` at the end of each module of views of a feature."""

from collections import defaultdict
from importlib import import_module
from pkgutil import walk_packages

from django.urls import URLPattern

import tournaments

FIRST = ("archive", "events", "personal", "rounds", "standings", "public")
"""Features ahead of the others: "events/restore/" and "events/new/" are no event's page, and as
each address is compared with those before it, what a hall asks for comes next.
"""


def addresses() -> list[URLPattern]:
    """Return the addresses of all features."""
    found = defaultdict[str, list[URLPattern]](list)
    for module in walk_packages(tournaments.__path__, "tournaments."):
        _app, feature, *layers = module.name.split(".")
        if layers[:1] == ["views"]:
            found[feature] += getattr(import_module(module.name), "urlpatterns", [])
    order = (*FIRST, *sorted(found.keys() - set(FIRST)))
    return [pattern for feature in order for pattern in found[feature]]


app_name = "tournaments"
urlpatterns = addresses()
