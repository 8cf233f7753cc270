"""Middleware: request numbers, slashes, busy databases, ETags of the API, the page of a 405."""

import re
import secrets
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware
from django.utils.cache import get_conditional_response, set_response_etag
from django.utils.translation import gettext

from config import health
from config.logs import current_id
from config.problems import busy_page, error_page, is_busy
from config.web import refusal
from rules.errors import RuleError

Answer = Callable[[HttpRequest], HttpResponse]
CLEAN_ID = re.compile(r"[A-Za-z0-9-]{8,64}")


def request_id(get_response: Answer) -> Answer:
    """Give each request a number, shown in the log, on error pages and in X-Request-ID."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        number = given if CLEAN_ID.fullmatch(given) else secrets.token_hex(6)
        request.META["REQUEST_ID"] = number
        token = current_id.set(number)
        try:
            response = get_response(request)
        finally:
            current_id.reset(token)
        response["X-Request-ID"] = number
        return response

    return middleware


class Slashes(CommonMiddleware):
    """Redirect to the address with a trailing slash; refuse writes to the API without it.

    A client that follows the redirect sends GET instead, and takes its success for the write's.
    """

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        """Raise DisallowedHost for an unknown host, except for health checks."""
        return None if request.path_info in health.PATHS else super().process_request(request)

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        return not _writes_to_api(request) and self._lacks_slash(request)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Explain a 404 to an API client whose address lacks the slash."""
        lost = response.status_code == 404 and _writes_to_api(request)
        if lost and isinstance(response, HttpResponse) and self._lacks_slash(request):
            sentence = gettext("This address needs a slash at its end. Nothing was stored.")
            error = error_page(request, 404, sentence=sentence)
            response.content, response["Content-Type"] = error.content, error["Content-Type"]
        return super().process_response(request, response)

    def _lacks_slash(self, request: HttpRequest) -> bool:
        return super().should_redirect_with_slash(request)


def _writes_to_api(request: HttpRequest) -> bool:
    return request.method not in ("GET", "HEAD", "OPTIONS") and request.path.startswith("/api/")


class BusyDatabase:
    """Respond 503 with Retry-After when the database is locked or its disk is full.

    Handles exceptions of views; ``config.problems.server_error`` does the same for exceptions of
    other middleware, such as a session that cannot be stored.
    """

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the 503 response for a busy or full database, else None."""
        return busy_page(request, error) if is_busy(error) else None


class Refused:
    """Respond to a ``RuleError`` that a view lets pass, as views do that catch it."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the refusal, else None."""
        return refusal(request, error) if isinstance(error, RuleError) else None


def api_versions(get_response: Answer) -> Answer:
    """Add an ETag to GET responses of the API that lack one; respond 304 if it matches."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        reads = request.method in ("GET", "HEAD") and request.path.startswith("/api/v1/")
        if not reads or response.streaming or response.status_code != 200:
            return response
        if not response.has_header("ETag"):
            set_response_etag(response)
        if not response.has_header("Cache-Control"):
            response["Cache-Control"] = "private, no-cache"
        answer = get_conditional_response(request, etag=response["ETag"], response=response)
        return answer or response

    return middleware


def method_not_allowed_pages(get_response: Answer) -> Answer:
    """Middleware that replaces the empty 405 response of a view by an error page."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == 405 and not response.streaming and not response.content:
            page = error_page(request, 405)
            page["Allow"] = response["Allow"]
            return page
        return response

    return middleware
