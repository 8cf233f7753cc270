"""How large a request may be, asked before anything reads it.

The server ends what is too large for every address (``settings.LARGEST_BODY``). Here each view
has its own limit, so that nobody makes the sign-in page spool a film: a view may name one as
``largest_body``, a call of the API has that of its parser.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext

from config.problems import error_page

KIBIBYTE = 1024
MEBIBYTE = 1024 * KIBIBYTE
PAGES = 2 * MEBIBYTE
"""A page with a form, also one that takes a decklist or names as a file (one mebibyte)."""
ACCOUNTS = 64 * KIBIBYTE
"""Sign-in, sign-up and the like: some short fields."""
SMALL = ("/accounts/", "/i18n/")


class BodyLimits:
    """Answers 413 to what is larger than its view takes; stands before whatever reads a form."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: object, kwargs: object
    ) -> HttpResponse | None:
        """Look at the length that the server was told; without one nothing is read."""
        most = largest_body(request, view)
        if sent_bytes(request) <= most:
            return None
        return too_large(request, most)


def sent_bytes(request: HttpRequest) -> int:
    """Return the length of the body as Django reads it."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def largest_body(request: HttpRequest, view: Any) -> int:
    """Return the most bytes that the view of a request takes."""
    owner = getattr(view, "cls", None) or getattr(view, "view_class", None) or view
    named = getattr(owner, "largest_body", None)
    if named is not None:
        return int(named)
    parsers = getattr(owner, "parser_classes", ())
    megabytes = [parser.longest for parser in parsers if hasattr(parser, "longest")]
    if megabytes:
        return max(megabytes) * MEBIBYTE
    return ACCOUNTS if request.path_info.startswith(SMALL) else PAGES


def too_large(request: HttpRequest, most: int) -> HttpResponse:
    """Answer 413 with what would fit."""
    sentence = gettext(
        "At most %(most)s may be sent here. Nothing was stored: choose a smaller file or a "
        "shorter text, then send it again."
    )
    return error_page(request, 413, sentence=sentence % {"most": filesizeformat(most)})
