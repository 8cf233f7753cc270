"""Error responses: HTML pages, or problem documents under /api/.

``LenientNegotiation`` is the content negotiation of the API: each endpoint has one media type.
"""

import sys
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from urllib.parse import urlsplit

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from config.health import database_file, disk_fault

RETRY_SECONDS = 5
PROBLEM = "application/problem+json"
"""Media type of an error of the API (RFC 9457)."""


def problem_document(status: int, data: Mapping[str, object]) -> dict[str, object]:
    """Return ``data`` as a problem document (RFC 9457), with ``type``, ``title``, ``status``.

    status: HTTP status.
    """
    usual = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": int(status)}
    return {**data, **usual}


def referring_path(request: HttpRequest) -> str:
    """Return the path of the referring page if it is of this site, else "/"."""
    referer = request.headers.get("Referer", "")
    if url_has_allowed_host_and_scheme(
        referer, {request.get_host()}, require_https=request.is_secure()
    ):
        return urlsplit(referer)._replace(scheme="", netloc="").geturl() or "/"
    return "/"


def error_texts(status: int) -> tuple[str, str]:
    """Return (title, message) of the error page for an HTTP status, translated.

    Raises KeyError for another status than those of ``ERROR_CODES``.
    """
    return {
        400: (
            gettext("This request can’t be read"),
            gettext("Reload the page and try again."),
        ),
        403: (
            gettext("No access"),
            gettext("Sign in with another account, or ask the organiser for access."),
        ),
        404: (
            gettext("Page not found"),
            gettext("The address may be mistyped, or the page may not be public."),
        ),
        405: (
            gettext("This request can’t be read"),
            gettext("Reload the page and try again."),
        ),
        413: (
            gettext("Too large"),
            gettext("Choose a smaller file or a shorter text."),
        ),
        429: (
            gettext("The site is busy"),
            gettext("Wait a minute, then try again."),
        ),
        500: (
            gettext("Something went wrong"),
            gettext("Reload the page and check what was saved before you try again."),
        ),
        503: (
            gettext("The site is busy"),
            gettext("Wait a minute, then try again."),
        ),
    }[status]


ERROR_CODES = {
    400: "bad_request",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "body_too_long",
    429: "throttled",
    500: "server_error",
    503: "busy",
}


class GoneError(Http404):
    """Http404 for a deleted object.

    Its page shows ``sentence`` and a link to ``back`` (a URL) with the text ``label``.
    """

    def __init__(self, sentence: str, *, back: str, label: str = "") -> None:
        super().__init__(sentence)
        self.sentence, self.back, self.label = sentence, back, label


class ClosedError(PermissionDenied):
    """PermissionDenied for something that is closed to everybody.

    Its page shows ``sentence`` and a link to ``back`` (a URL) with the text ``label``. code:
    replaces "forbidden"; the page then doesn't suggest signing in.
    """

    def __init__(self, sentence: str, *, back: str, label: str, code: str = "") -> None:
        super().__init__(sentence)
        self.back, self.label, self.code = back, label, code


def error_page(
    request: HttpRequest,
    status: int,
    *,
    title: str = "",
    sentence: str = "",
    code: str = "",
    back: str = "",
    label: str = "",
) -> HttpResponse:
    """Return an error response: a problem document under /api/, else an HTML page.

    title, sentence, code: instead of those of the status. back: URL of the page's link, by default
    the referring page; label: its text.
    """
    heading, usual = error_texts(status)
    sentence, code = sentence or usual, code or ERROR_CODES[status]
    if request.path.startswith("/api/"):
        data = {"code": code, "detail": sentence, "request_id": current_request_id(request)}
        return JsonResponse(problem_document(status, data), status=status, content_type=PROBLEM)
    context = {
        "title": title or heading,
        "sentence": sentence,
        "code": code,
        "status": status,
        "request_id": current_request_id(request),
        "back": back or referring_path(request),
        "label": label,
    }
    return render(request, "errors/error.html", context, status=status)


def current_request_id(request: HttpRequest) -> str:
    """Return the request's id, as in the log; "-" if it has none."""
    return str(request.META.get("REQUEST_ID", "-"))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return a 400 response."""
    try:
        return error_page(request, 400)
    except Exception:  # noqa: BLE001 - an unknown Host header breaks every page that needs it
        return HttpResponse("400", status=400, content_type="text/plain")


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return a 403 response, with the message of the PermissionDenied, if any."""
    sentence = str(exception or "")
    if isinstance(exception, ClosedError):
        way = {"back": exception.back, "label": exception.label, "code": exception.code}
        return error_page(request, 403, sentence=sentence, **way)
    return error_page(request, 403, sentence=sentence)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return a 403 response for a form without a valid CSRF token."""
    title = gettext("This form has expired")  # who sent it may see the page
    sentence = gettext("Reload the page and try again.")
    return error_page(request, 403, title=title, sentence=sentence, code="csrf")


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return a 404 response, with message and link if it is a GoneError."""
    if isinstance(exception, GoneError):
        way = {"back": exception.back, "label": exception.label}
        return error_page(request, 404, sentence=exception.sentence, **way)
    return error_page(request, 404)


def too_many_requests(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Return a 429 response with Retry-After."""
    response = error_page(request, 429)
    response["Retry-After"] = "60"
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Return a 500 response, or 503 if the database was busy.

    Plain text if the error page itself fails.
    """
    error = sys.exc_info()[1]
    if error is not None and is_busy(error):
        return busy_page(request, error)
    try:
        return error_page(request, 500)
    except Exception:  # noqa: BLE001 - the page that says "broken" must not break
        return HttpResponse("500", status=500, content_type="text/plain")


BUSY_SQLITE = ("locked", "disk is full", "readonly", "disk i/o", "unable to open")


READ_ONLY = "25006"
"""PostgreSQL's code of a write on a standby, or on a server set to read-only."""


def is_busy(error: BaseException) -> bool:
    """Return whether a database error is temporary, not a fault of the code.

    SQLite: locked by another writer, or its disk is full or read-only. PostgreSQL: unreachable,
    starting, out of connections, read-only, a deadlock, or a lock timeout.
    """
    if getattr(error.__cause__, "sqlstate", None) == READ_ONLY:
        return True
    if type(error.__cause__).__module__.partition(".")[0] == "psycopg":
        return isinstance(error, OperationalError | InterfaceError)
    words = str(error).lower()
    return isinstance(error, OperationalError) and any(part in words for part in BUSY_SQLITE)


def describe_busy_error(error: BaseException) -> tuple[str, str]:
    """Return (code, message) for a database error that ``is_busy``."""
    if getattr(error.__cause__, "sqlstate", None) == READ_ONLY:
        return "storage_read_only", gettext("The database is read-only. Tell the organiser.")
    why = _storage_word(error)
    if why == "full":
        return "storage_full", gettext("The disk is full. Tell the organiser.")
    if why == "readonly":
        return "storage_read_only", gettext("The database is read-only. Tell the organiser.")
    return "busy", error_texts(503)[1]


def _storage_word(error: BaseException) -> str:
    """Return ``full`` or ``readonly`` if the disk takes nothing, else ""."""
    words = str(error).lower()
    if "readonly" in words:
        return "readonly"
    if "full" in words:
        return "full"
    # A disk that became read-only under an open file says no more than this.
    file = database_file() if "disk i/o" in words or "unable to open" in words else None
    return disk_fault(file) if file is not None else ""


def busy_page(request: HttpRequest, error: BaseException) -> HttpResponse:
    """Return the 503 response for a database error that ``is_busy``, with Retry-After.

    Rendered as for an anonymous reader if the account can't be read.
    """
    code, sentence = describe_busy_error(error)
    try:
        response = error_page(request, 503, sentence=sentence, code=code)
    except DatabaseError:
        request.user = AnonymousUser()
        response = error_page(request, 503, sentence=sentence, code=code)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


class LenientNegotiation(DefaultContentNegotiation):
    """DRF content negotiation: uses the first renderer if none fits ``Accept``."""

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer that fits ``Accept`` if there is one, else the first."""
        known = list(renderers)
        try:
            return super().select_renderer(request, known, format_suffix)
        except NotAcceptable:
            return known[0], known[0].media_type
