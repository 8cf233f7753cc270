"""Middleware: request numbers and routes for the log, slashes, ETags of the API, answers to what
views let pass; and what keeps personal answers out of caches."""

import re
import secrets
from collections.abc import Callable
from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware
from django.utils.cache import get_conditional_response, set_response_etag
from django.utils.crypto import salted_hmac
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext

from config import health
from config.logs import current_id
from config.offline import KEEP_HEADER, MARK, READER
from config.problems import busy_page, error_page, is_busy
from config.watching import METRICS, ROUTE
from config.web import rule_error_response
from rules.errors import RuleError

Answer = Callable[[HttpRequest], HttpResponse]
CLEAN_ID = re.compile(r"[A-Za-z0-9-]{8,64}")


def request_id_middleware(get_response: Answer) -> Answer:
    """Middleware: give each request an id for the log and error pages.

    The response has it as X-Request-ID; a valid id sent by the client is reused.
    """

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


def record_route_middleware(get_response: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Middleware: store the view's URL name in the WSGI environment, for metrics and log."""

    def middleware(request: Any) -> Any:
        response = get_response(request)
        match = request.resolver_match
        if match is not None:
            request.META[ROUTE] = match.view_name
        return response

    return middleware


class SlashMiddleware(CommonMiddleware):
    """Middleware: redirect to the path with a trailing slash; API writes get a 404 instead.

    A client that follows a redirect would send GET and take its success for the write's. Health
    checks and metrics are answered for any host.
    """

    def process_request(self, request: HttpRequest) -> HttpResponsePermanentRedirect | None:
        """Raise DisallowedHost for an unknown host, except for health checks and counts."""
        if request.path_info in (*health.PATHS, METRICS):
            return None
        return super().process_request(request)

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        return not _writes_to_api(request) and self._lacks_slash(request)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Explain a 404 to an API client whose address lacks the slash."""
        lost = response.status_code == 404 and _writes_to_api(request)
        if lost and isinstance(response, HttpResponse) and self._lacks_slash(request):
            sentence = gettext("The address must end with a slash.")
            error = error_page(request, 404, sentence=sentence)
            response.content, response["Content-Type"] = error.content, error["Content-Type"]
        return super().process_response(request, response)

    def _lacks_slash(self, request: HttpRequest) -> bool:
        return super().should_redirect_with_slash(request)


def _writes_to_api(request: HttpRequest) -> bool:
    return request.method not in ("GET", "HEAD", "OPTIONS") and request.path.startswith("/api/")


class ApiETagMiddleware(MiddlewareMixin):
    """Middleware: add an ETag to responses of the API to GET; respond 304 if it matches."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponseBase:
        """Return the response with its ETag, or a 304."""
        reads = request.method in ("GET", "HEAD") and request.path.startswith("/api/v1/")
        if not reads or response.streaming or response.status_code != 200:
            return response
        if not response.has_header("ETag"):
            set_response_etag(response)
        if not response.has_header("Cache-Control"):
            response["Cache-Control"] = "private, no-cache"
        answer = get_conditional_response(request, etag=response["ETag"], response=response)
        return answer or response


class RuleErrorMiddleware(MiddlewareMixin):
    """Middleware: turn a view's exception into an error response.

    RuleError: 409 or 400; busy or full database: 503. An empty 405 gets an error page.
    ``config.problems.server_error`` does the same for a busy database in other middleware.
    """

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the refusal of a ``RuleError``, the 503 of a busy or full database, else None."""
        if isinstance(error, RuleError):
            return rule_error_response(request, error)
        return busy_page(request, error) if is_busy(error) else None

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Return an error page in place of the empty 405 of a view."""
        if response.status_code != 405 or response.streaming or response.content:
            return response
        page = error_page(request, 405)
        page["Allow"] = response["Allow"]
        return page


SIGNED_OUT = "GIRONE_SIGNED_OUT"


class NoStoreMiddleware(MiddlewareMixin):
    """Middleware: mark responses for one reader (session, personal link, token) ``no-store``.

    These are all responses for which a non-empty session was read or modified, and all responses to
    a token. Public responses keep their ETag. At sign-out browsers are told to clear their cache;
    the storage in which desks queue results is kept.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Mark the response if it is one reader's own."""
        if _is_own(request):
            if "no-store" not in response.get("Cache-Control", ""):
                response["Cache-Control"] = "private, no-store"
            _note_reader(request, response)
        if request.META.get(SIGNED_OUT):
            response["Clear-Site-Data"] = '"cache"'
            response["Cache-Control"] = "private, no-store"
        return response


def _is_own(request: HttpRequest) -> bool:
    if "Authorization" in request.headers:
        return True
    session = getattr(request, "session", None)
    if session is None or not (session.accessed or session.modified):
        return False
    return bool(session.modified or not session.is_empty())


def _note_reader(request: HttpRequest, response: HttpResponse) -> None:
    """Add headers to a response made for one session: whose it is, and whether it may be kept."""
    key = getattr(getattr(request, "session", None), "session_key", None)
    if not key or "Authorization" in request.headers:
        return
    response[READER] = salted_hmac("girone.offline", key).hexdigest()[:16]
    view = request.resolver_match.func if request.resolver_match else None
    if getattr(view, MARK, False):
        response[KEEP_HEADER] = "1"


@receiver(user_logged_out)
def _mark_signed_out(sender: Any, request: HttpRequest | None = None, **_more: Any) -> None:
    if request is not None:
        request.META[SIGNED_OUT] = True
