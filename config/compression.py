"""Compress responses, except those that contain a secret.

An attacker who controls part of a page and observes its compressed length could guess a secret in
the same page (BREACH). So account pages and responses marked ``no-store`` are sent uncompressed:
links, tokens, codes. Django masks the CSRF token in each page, and each compressed response is
padded by up to 100 random bytes.
"""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

KINDS = ("text/", "application/json", "application/problem+json", "image/svg")
SECRET = ("/accounts/", "/p/")


class Compressed(GZipMiddleware):
    """Compress text responses for clients that accept it; ETags become weak."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response, compressed if permitted."""
        if not may_be_compressed(request, response):
            return response
        return super().process_response(request, response)  # type: ignore[no-any-return,arg-type]


def may_be_compressed(request: HttpRequest, response: HttpResponseBase) -> bool:
    """Return whether a response is text without a secret."""
    hidden = "no-store" in response.get("Cache-Control", "")
    hidden = hidden or request.path_info.startswith(SECRET)
    return not hidden and response.get("Content-Type", "").startswith(KINDS)
