"""Answers leave compressed, but for those that hold a secret.

Whoever may choose a part of a page and can see how long the compressed whole is could guess a
secret that stands in the same page, letter by letter (BREACH). So pages about accounts and whatever
nobody may store leave as they are: links, tokens, codes. Django masks the CSRF token anew in each
page, and each compressed answer gets a random number of bytes more (up to 100).
"""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

KINDS = ("text/", "application/json", "application/problem+json", "image/svg")
SECRET = ("/accounts/", "/p/")


class Compressed(GZipMiddleware):
    """Compresses text for who accepts it; an ETag stays, as a weak one."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the answer, compressed where it may be."""
        if not may_be_compressed(request, response):
            return response
        return super().process_response(request, response)  # type: ignore[no-any-return,arg-type]


def may_be_compressed(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Say whether an answer is text without a secret."""
    hidden = "no-store" in response.get("Cache-Control", "")
    hidden = hidden or request.path_info.startswith(SECRET)
    return not hidden and response.get("Content-Type", "").startswith(KINDS)
