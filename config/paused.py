"""WSGI application in place of the site while an update prepares its data: one page, 503."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import django
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402 - Django was set up before

from config.data_folder import FAILED, PAUSED  # noqa: E402
from config.health import PATHS  # noqa: E402
from config.problems import PROBLEM, problem_document  # noqa: E402
from config.sizes import drain_bodies  # noqa: E402

RETRY_SECONDS = 10
"""When clients ask again, as ``Retry-After`` and the page's own reload."""


def paused_response(request: WSGIRequest) -> HttpResponse:
    """Return the response to any request while the site is being updated: 503.

    A page in the reader's language, or JSON under /api/; the liveness check gets 200. Makes no
    queries.
    """
    if request.path_info in PATHS:
        well = request.path_info == PATHS[0]
        word = "ok\n" if well else "updating\n"
        return HttpResponse(word, status=200 if well else 503, content_type="text/plain")
    with translation.override(translation.get_language_from_request(request)):
        title = gettext("The site is being updated")
        sentence = gettext("The site will be back in a minute.")
        if has_update_failed():
            title = gettext("The update failed")
            sentence = f"{gettext('For the site’s operator:')} girone install-service"
        if request.path_info.startswith("/api/"):
            data = {"code": "busy", "detail": f"{title}. {sentence}"}
            return JsonResponse(problem_document(503, data), status=503, content_type=PROBLEM)
        context = {
            "title": title,
            "sentence": sentence,
            "language": translation.get_language(),
            "seconds": RETRY_SECONDS,
            "is_read": request.method == "GET",
        }
        page = render_to_string("errors/updating.html", context)
    return HttpResponse(page, status=503)


def has_update_failed() -> bool:
    """Return whether the running update has failed, which ``install-service`` records in a file."""
    with suppress(OSError):
        return (Path(settings.DATA) / PAUSED).read_text() == FAILED
    return False


def paused_application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """WSGI application: respond to a request with ``paused_response``, marked ``no-store``."""
    response = paused_response(WSGIRequest(environ))
    if response.status_code != 200:
        response["Retry-After"] = str(RETRY_SECONDS)
    response["Cache-Control"] = "no-store"
    response["Vary"] = "Accept-Language, Cookie"
    start_response(f"{response.status_code} {response.reason_phrase}", list(response.items()))
    return [b"" if environ["REQUEST_METHOD"] == "HEAD" else response.content]


application: Any = drain_bodies(paused_application, settings.LARGEST_BODY)
