"""Limits of the size of requests, checked before the body is read.

The server enforces the limit of all addresses (``settings.LARGEST_BODY``). Here each view has its
own, so that the sign-in page does not spool a film: a view may set ``largest_body``.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext

from config.problems import error_page
from config.unread import content_length

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


class BodyLimits(MiddlewareMixin):
    """Middleware: respond 413 to bodies larger than their view accepts, before they are read."""

    def process_view(
        self, request: HttpRequest, view: Any, args: object, kwargs: object
    ) -> HttpResponse | None:
        """Check Content-Length; a body without it is not read."""
        most = largest_body(request, view)
        if content_length(request.META) <= most:
            return None
        return too_large_response(request, most)


def largest_body(request: HttpRequest, view: Any) -> int:
    """Return the maximum number of bytes that the view of a request accepts."""
    call = getattr(view, "cls", None)
    if call is not None:
        return largest_call(call)
    owner = getattr(view, "view_class", None) or view
    usual = ACCOUNTS if request.path_info.startswith(SMALL) else PAGES
    return int(getattr(owner, "largest_body", usual))


def largest_call(view: Any) -> int:
    """Return the maximum body in bytes that an API view accepts."""
    return int(getattr(view, "largest_body", CALLS))


def too_large_response(request: HttpRequest, most: int) -> HttpResponse:
    """Return the 413 response; ``most`` is the limit in bytes."""
    sentence = gettext("The limit is %(most)s. Choose a smaller file or a shorter text.")
    return error_page(request, 413, sentence=sentence % {"most": filesizeformat(most)})
