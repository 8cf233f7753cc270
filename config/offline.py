"""Reading without connection: the service worker, the manifest, the page in place of an error.

What the worker may keep is said by the server: a page that is the same for everybody, and of a
reader's own pages those whose view is marked by ``keep_offline``. Those carry a digest of the
session (``config.middleware``), under which the worker keeps them; an answer to another session, or
to none, makes it forget them. ``docs/venue.md`` says what a shared phone holds.
"""

import hashlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import override
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from config import VERSION
from config.sheets import style_sheet_files

READER = "X-Girone-Reader"
"""Header: for which session an answer was made."""
KEEP_HEADER = "X-Girone-Keep"
"""Header: the worker may keep this answer for its reader."""
SHELL = (
    *("girone/polling.js", "girone/girone.js", "girone/offline.js"),
    *("django_htmx/htmx-2.min.js", "girone/logo.svg", "girone/session.js"),
    *("tournaments/filter.js", "tournaments/clock.js", "tournaments/kept.js"),
    *("tournaments/report.js", "tournaments/outbox.js", "tournaments/desk.js"),
    *("tournaments/desk_line.js", "tournaments/desk_typing.js"),
    *("tournaments/floor.css", "tournaments/floor.js"),
)
"""Files without which a page of an event is not itself; the rest is kept as it is used."""
SHELL_SHEETS = ("site", "event", "own", "staff", "desk")
"""Kinds of pages whose style sheets are among them."""
WORKER = ("tournaments/kept.js", "girone/worker.js")
"""Files that the worker is made of."""
ICONS = (("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"))
MARK = "kept_offline"
View = TypeVar("View", bound=Callable[..., Any])


def keep_offline(view: View) -> View:
    """Decorate a view: the service worker keeps its page offline until the session ends."""
    setattr(view, MARK, True)
    return view


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker's script, with the values it needs in front."""
    values = {
        "release": release_digest(),
        "shell": _shell_files(),
        "offline": {code: f"/offline/{code}/" for code, _name in settings.LANGUAGES},
        "language": settings.LANGUAGE_CODE,
        "static": settings.STATIC_URL,
        "session": reverse("session"),
    }
    script = f'"use strict";\nconst GIRONE = {json.dumps(values)};\n{_worker_script()}'
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(max_age=86_400, public=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """Serve the web app manifest: name, icons and colours on a home screen."""
    icons = [
        {
            "src": static(f"girone/icon-{purpose}-{size.partition('x')[0]}.png"),
            "sizes": size,
            "type": "image/png",
            "purpose": purpose,
        }
        for size, purpose in ICONS
    ]
    values = {
        "name": "Girone",
        "short_name": "Girone",
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f5f5f1",
        "theme_color": "#0e6650",
        "icons": icons,
    }
    return JsonResponse(values, content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def offline_page(request: HttpRequest, code: str) -> HttpResponse:
    """Page that the service worker shows while offline, in place of pages it has not cached.

    code: language, such as "it"; 404 if unknown.
    """
    if code not in dict(settings.LANGUAGES):
        raise Http404
    with override(code):
        return render(request, "errors/offline.html")


@cache
def release_digest() -> str:
    """Return a digest that changes with the version and the service worker's files; cached."""
    parts = (VERSION, _worker_script(), *_shell_files())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def _shell_files() -> list[str]:
    sheets = (name for kind in SHELL_SHEETS for name in style_sheet_files(kind))
    return [static(name) for name in dict.fromkeys((*sheets, *SHELL))]


@cache
def _worker_script() -> str:
    paths = (Path(str(finders.find(name))) for name in WORKER)
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)
