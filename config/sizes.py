"""Bodies of requests: their limits, checked before they are read, and the rest read afterwards.

The server enforces the limit of all addresses (``settings.LARGEST_BODY``). Here each view has its
own, so that the sign-in page does not spool a film: a view may set ``largest_body``.

A refusal (413, 403, 401) is decided before the body is read. A server that then closes the
connection resets it, since bytes are waiting: a proxy that is still sending loses the answer, and
the user gets its 502. Django's own development server reads the rest for the same reason.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext

from config.problems import error_page

KIBIBYTE = 1024
MEBIBYTE = 1024 * KIBIBYTE
PAGES = MEBIBYTE + 128 * KIBIBYTE
"""Pages with a form, including uploads of a decklist or of names (one mebibyte). A text that is
refused is shown again, which takes some eighty times its bytes of memory."""
CALLS = 256 * KIBIBYTE
"""Calls of the API that don't say otherwise; a list of a thousand lines takes a tenth."""
ACCOUNTS = 64 * KIBIBYTE
"""Account pages, whose fields are short."""
SMALL = ("/accounts/", "/i18n/")
CHUNK = 64 * KIBIBYTE
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class BodyLimitMiddleware(MiddlewareMixin):
    """Middleware: respond 413 to a body larger than its view accepts, before reading it."""

    def process_view(
        self, request: HttpRequest, view: Any, args: object, kwargs: object
    ) -> HttpResponse | None:
        """Check Content-Length; a body without it is not read."""
        most = max_body_size(request, view)
        if content_length(request.META) <= most:
            return None
        return too_large_response(request, most)


def max_body_size(request: HttpRequest, view: Any) -> int:
    """Return the maximum size in bytes of the request body that a view accepts."""
    call = getattr(view, "cls", None)
    if call is not None:
        return max_api_body_size(call)
    owner = getattr(view, "view_class", None) or view
    usual = ACCOUNTS if request.path_info.startswith(SMALL) else PAGES
    return int(getattr(owner, "largest_body", usual))


def max_api_body_size(view: Any) -> int:
    """Return the maximum size in bytes of the request body that an API view accepts."""
    return int(getattr(view, "largest_body", CALLS))


def too_large_response(request: HttpRequest, most: int) -> HttpResponse:
    """Return the 413 response; most: the limit in bytes."""
    sentence = gettext("The limit is %(most)s. Choose a smaller file or a shorter text.")
    return error_page(request, 413, sentence=sentence % {"most": filesizeformat(most)})


def drain_bodies(application: Application, most: int) -> Application:
    """Wrap a WSGI application: read the rest of a request's body that it left unread.

    most: longest body in bytes for which this is done.
    """

    def read(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        response = application(environ, start_response)
        body, left = environ["wsgi.input"], content_length(environ)
        if left <= most:
            with suppress(OSError):  # who sent it went away
                while left > 0 and (part := body.read(min(CHUNK, left))):
                    left -= len(part)
        return response

    return read


def content_length(environ: Mapping[str, Any]) -> int:
    """Return a WSGI request's ``Content-Length`` in bytes, 0 if it is missing or invalid."""
    try:
        return int(environ.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0
